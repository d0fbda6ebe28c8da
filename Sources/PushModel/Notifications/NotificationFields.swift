/// Reads the fields of a notification's block; `null` counts as absent everywhere.
struct NotificationFields {
    let object: JSONObject
    let path: String

    init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    func value(_ key: String) -> JSONValue? {
        object[key].flatMap { $0.isNull ? nil : $0 }
    }

    private func error(_ key: String, _ expected: String, _ found: JSONValue) -> NotificationError {
        NotificationError(path: path.isEmpty ? key : "\(path).\(key)", expected: expected, found: found)
    }

    func text(_ key: String) throws(NotificationError) -> String? {
        guard let value = value(key) else { return nil }
        switch value {
        case .string(let text): return text
        // Adapters compute texts; a number among them is meant as one.
        case .number, .bool: return value.text
        default: throw error(key, "a text", value)
        }
    }

    func number(_ key: String) throws(NotificationError) -> Double? {
        guard let value = value(key) else { return nil }
        if let number = value.number { return number }
        if let text = value.string, let number = Double(text), number.isFinite { return number }
        throw error(key, "a number", value)
    }

    func bool(_ key: String) throws(NotificationError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let bool) = value else { throw error(key, "true or false", value) }
        return bool
    }

    /// The members that travel to the app. Clients look for the alias in them, so it must be an object.
    func payload(_ key: String) throws(NotificationError) -> JSONObject? {
        guard let value = value(key) else { return nil }
        guard let object = value.object else { throw error(key, "an object", value) }
        return object
    }

    func block(_ key: String) throws(NotificationError) -> NotificationFields? {
        guard let value = value(key) else { return nil }
        guard let object = value.object else { throw error(key, "an object", value) }
        return NotificationFields(object, path: path.isEmpty ? key : "\(path).\(key)")
    }

    func array(_ key: String) throws(NotificationError) -> [NotificationFields] {
        guard let value = value(key) else { return [] }
        guard let elements = value.array else { throw error(key, "an array", value) }
        var fields: [NotificationFields] = []
        for (index, element) in elements.enumerated() {
            let place = "\(key)[\(index)]"
            guard let object = element.object else { throw error(place, "an object", element) }
            fields.append(NotificationFields(object, path: path.isEmpty ? place : "\(path).\(place)"))
        }
        return fields
    }
}
