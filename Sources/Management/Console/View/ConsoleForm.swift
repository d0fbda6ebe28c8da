/// A form of the console.
struct ConsoleForm {
    struct Submit {
        let label: String
        var name: String?
        var value = ""
        var style = ConsoleStyle.plain

        init(_ label: String, name: String? = nil, value: String = "", style: ConsoleStyle = .plain) {
            (self.label, self.name, self.value, self.style) = (label, name, value, style)
        }
    }

    let action: String
    var fields: [ConsoleField]
    var submits: [Submit]
    var hidden: [(name: String, value: String)] = []
    var cancel: String?
    var isPost = true
    /// True if it is a filter of a list.
    var isFilter = false
    var id: String?
    var label: String?

    var context: [String: Any] {
        var context: [String: Any] = [
            "action": action, "method": isPost ? "post" : "get", "isPost": isPost,
            "style": isFilter ? "filter" : "wide", "fields": fields.map(\.context),
            "hidden": hidden.map { ["name": $0.name, "value": $0.value] },
            "submits": submits.map { submit in
                var context = ["label": submit.label, "style": submit.style.rawValue]
                if let name = submit.name { (context["name"], context["value"]) = (name, submit.value) }
                return context
            },
        ]
        context["cancel"] = cancel
        context["formID"] = id
        context["formLabel"] = label
        return context
    }
}

/// A field of a form.
struct ConsoleField {
    enum Kind {
        case input(type: String)
        case lines(Int)
        /// Values with their labels and what the script needs of them.
        case choice([(value: String, label: String, data: String?)])
        case checkbox
    }

    let name: String
    let label: String
    var kind = Kind.input(type: "text")
    var value: String?
    var hint: String?
    var isRequired = false
    var autocomplete = "off"
    var accept: String?
    /// Values to choose from, besides others.
    var suggestions: [String] = []

    init(
        _ name: String, _ label: String, _ kind: Kind = .input(type: "text"), value: String? = nil, hint: String? = nil,
        isRequired: Bool = false
    ) {
        (self.name, self.label, self.kind, self.value) = (name, label, kind, value)
        (self.hint, self.isRequired) = (hint, isRequired)
    }

    /// Makes a choice among strings; `any` is the label of no choice.
    static func choice(
        _ name: String, _ label: String, _ values: [String], any: String? = nil, value: String? = nil,
        hint: String? = nil
    ) -> ConsoleField {
        let all = (any.map { [("", $0, nil as String?)] } ?? []) + values.map { ($0, $0, nil) }
        return ConsoleField(name, label, .choice(all), value: value, hint: hint)
    }

    var context: [String: Any] {
        var context: [String: Any] = [
            "name": name, "label": label, "value": value ?? "", "isRequired": isRequired, "isCheckbox": false,
            "autocomplete": autocomplete,
        ]
        context["hint"] = hint
        context["accept"] = accept
        switch kind {
        case .input(let type):
            context["type"] = type
            if !suggestions.isEmpty { context["list"] = ["items": suggestions] }
        case .lines(let count): (context["isText"], context["rows"]) = (true, count)
        case .choice(let options):
            context["options"] = [
                "items": options.map { option in
                    var context: [String: Any] = [
                        "value": option.value, "label": option.label, "isSelected": option.value == value ?? "",
                    ]
                    context["data"] = option.data
                    return context
                }
            ]
        case .checkbox: (context["isCheckbox"], context["isChecked"]) = (true, value == "true")
        }
        return context
    }
}
