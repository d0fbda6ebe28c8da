import Core
import Foundation
import Installation
import PushModel

/// Sending messages.
extension ConsoleSite {
    static let messagePages = [
        ConsolePage("send", menu: ConsoleMenuEntry(group: .push, label: "Send a message"), role: .operator) { call in
            try await sendPage(call)
        },
        ConsolePage("messages/{id}") { call in
            let message = try await call.get("messages", call.path("id"))
            let states = message["deliveries"] ?? .null
            let deliveries = try await call.get("deliveries", query: ["message": call.path("id"), "limit": "10"]).items
            var blocks: [ConsoleBlock] = [
                .facts([
                    ("Text", deliveries.first?.cell("text") ?? []), ("Application", message.cell("application")),
                    ("Sent", message.timeCell("created")),
                    ("Deliveries", [.text(message["isComplete"] == true ? "all created" : "being created")]),
                ]), .counts(stateCounts(states, message: call.path("id"))),
            ]
            if call.may(.operator), states.integer("queued") > 0 || message["isComplete"] != true {
                blocks.append(
                    .buttons([
                        .button(
                            "Cancel", action: consolePath("messages", call.path("id"), "cancel"), name: "the message",
                            style: .danger)
                    ]))
            }
            return ConsoleView(
                title: "Message",
                sections: [
                    ConsoleSection(call.path("id"), live: "message", blocks),
                    ConsoleSection("Newest deliveries", live: "deliveries", [.table(deliveryTable(deliveries, call))]),
                ])
        },
    ]

    static let messageActions = [
        ConsoleAction("send", form: sendPage) { call in
            let body = try message(call)
            if call.fields["confirmed"] != nil {
                let sent = try await call.send(
                    ManagementCall("POST", "messages", body: body, idempotencyKey: call.field("key")))
                return .done(
                    "Sent to \(sent.integer("recipients").counted("device")).",
                    at: consolePath("messages", sent.text("id") ?? ""))
            }
            return .view(try await preview(body, call))
        },
        ConsoleAction(
            "messages/{id}/cancel",
            asking: { call in
                let queued = try await call.get("messages", call.path("id"))["deliveries"]?.integer("queued") ?? 0
                return ConsoleConfirmation(
                    title: "Cancel the message?",
                    text:
                        "\(queued.counted("queued delivery", "queued deliveries")) will not be sent, and no further ones are created.",
                    answer: "Cancel the message", cancel: consolePath("messages", call.path("id")))
            }
        ) { call in
            let count = try await call.change("POST", "messages", call.path("id"), "cancel").integer("cancelled")
            return .done(
                "\(count.counted("delivery", "deliveries")) cancelled.", at: consolePath("messages", call.path("id")))
        },
    ]

    /// The number of deliveries in each state, with links.
    static func stateCounts(_ states: JSONValue, message: String? = nil) -> [ConsoleCount] {
        DeliveryState.allCases.map { state in
            let count = states.integer(state.rawValue)
            let isBad = count > 0 && JSONValue.stateStyle(state.rawValue) == .bad
            return ConsoleCount(
                state.rawValue, count,
                href: consoleAddress("deliveries", ["state": state.rawValue, "message": message]),
                style: isBad ? .bad : .plain)
        }
    }

    private static let targets: [(value: String, label: String)] = [
        ("userIds", "Users"), ("deviceIds", "Devices"), ("tagNames", "Subscribers of tags"),
        ("eventSource", "Subscribers of an event source"), ("A", "All Apple devices"), ("G", "All Android devices"),
        ("W", "All Windows devices"), ("everybody", "Everybody with the application"),
    ]

    private static func sendPage(_ call: ConsoleCall) async throws -> ConsoleView {
        let applications = Set(try await call.get("applications").items.compactMap { $0.text("application") }).sorted()
        let tags = try await call.get("tags").items.compactMap { $0.text("tag") }
        var names = ConsoleField(
            "names", "Names", value: call.field("names") ?? call.field("device"),
            hint: "Of the users, devices or tags, separated by commas, or Adapter.EventSource.")
        names.suggestions = Set(tags).sorted()
        let fields =
            (applications.isEmpty
                ? []
                : [ConsoleField.choice("application", "Application", applications, value: call.field("application"))])
            + [
                ConsoleField(
                    "target", "To", .choice(targets.map { ($0.value, $0.label, nil) }),
                    value: call.field("target") ?? (call.field("device") == nil ? nil : "deviceIds")), names,
                ConsoleField("alert", "Text", .lines(3), value: call.field("alert"), isRequired: true),
                ConsoleField("badge", "Badge on Apple devices", .input(type: "number"), value: call.field("badge")),
                ConsoleField(
                    "settings", "Settings by platform", .lines(4), value: call.field("settings"),
                    hint: #"JSON, such as {"gcm": {"payload": {"order": 7}}, "apns": {"sound": "bell.caf"}}; optional."#
                ),
            ]
        let form = ConsoleForm(
            action: "\(root)/send", fields: fields, submits: [ConsoleForm.Submit("Preview")], id: "send")
        return ConsoleView("Send a message", [.form(form)])
    }

    /// The message that the form describes.
    ///
    /// - Throws: ``ConsoleError``.
    private static func message(_ call: ConsoleCall) throws -> JSONValue {
        func wrong(_ detail: String) -> ConsoleError { ConsoleError(status: 400, detail: detail) }
        var body: JSONObject = ["message": ["alert": .string(call.fields["alert"] ?? "")]]
        body["application"] = call.field("application").map(JSONValue.string)
        let names = (call.field("names") ?? "").split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
        switch call.field("target") {
        case let target? where !names.isEmpty && ["everybody", "A", "G", "W"].contains(target):
            throw wrong("Names: expected none for this choice")
        case "everybody": break
        case let letter? where ["A", "G", "W"].contains(letter): body["target"] = ["platforms": [.string(letter)]]
        case let target? where targets.contains { $0.value == target }:
            guard !names.isEmpty else { throw wrong("Names: expected at least one") }
            body["target"] =
                target == "eventSource"
                ? ["eventSource": .string(names[0])]
                : .object([target: .array(names.map { .string($0) })])
        default: throw wrong("To: expected a target")
        }
        var settings = JSONObject()
        if let text = call.field("settings") {
            do {
                let json = try JSONValue(parsing: text)
                guard let object = json.object else { throw wrong("Settings by platform: expected a JSON object") }
                settings = object
            } catch let error as ConsoleError {
                throw error
            } catch {
                throw wrong("Settings by platform: \(error)")
            }
        }
        if let badge = call.field("badge") {
            guard let number = Int(badge) else { throw wrong("Badge: expected an integer") }
            var apns = settings["apns"]?.object ?? JSONObject()
            apns["badge"] = .number(Double(number))
            settings["apns"] = .object(apns)
        }
        if !settings.isEmpty { body["settings"] = .object(settings) }
        return .object(body)
    }

    /// Shows the number of recipients and the requests to the push services, before the message is sent.
    private static func preview(_ body: JSONValue, _ call: ConsoleCall) async throws -> ConsoleView {
        let preview = try await call.change("POST", "messages", "preview", body: body)
        let recipients = preview.integer("recipients")
        let fields = call.fields.all.map { ($0.name, $0.value) }
        let edit = "\(root)/send?\(FormFields.encode(fields))"
        var blocks: [ConsoleBlock] = preview.texts("warnings").map { .paragraph([.text($0)], .warn) }
        blocks.append(.paragraph([.text("The message goes to"), .state(recipients.counted("device"), .plain)]))
        var form = ConsoleForm(
            action: "\(root)/send", fields: [],
            submits: recipients > 0
                ? [ConsoleForm.Submit("Send to \(recipients.counted("device"))", name: "confirmed", value: "yes")] : [],
            hidden: fields + [("key", ManagementAccess.hash(ManagementAccess.newToken()))], cancel: edit)
        form.id = "confirm"
        blocks.append(.form(form))
        let platforms = preview["platforms"]?.array ?? []
        let samples = platforms.map { platform in
            ConsoleSection(
                "\(platform.text("platform") ?? ""): \(platform.integer("recipients").counted("device"))",
                platform.text("problem").map { [.paragraph([.text($0)], .bad)] }
                    ?? (platform["requests"]?.array ?? []).flatMap(requestBlocks))
        }
        return ConsoleView(title: "Send this message?", sections: [ConsoleSection(blocks)] + samples)
    }
}

extension Int {
    /// `1 device`, `2 devices`.
    func counted(_ noun: String, _ nouns: String? = nil) -> String {
        "\(formatted(.number.locale(.console))) \(self == 1 ? noun : nouns ?? noun + "s")"
    }
}

extension Substring {
    var trimmingBlanks: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
