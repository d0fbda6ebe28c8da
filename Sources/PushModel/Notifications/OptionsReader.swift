/// Reads the members of one object in the options of `notify*` or `sendMessage`, and knows where it stands for error messages.
///
/// A member that is `null` counts as absent, and members that nobody asks for are ignored (server-api 2.8).
struct OptionsReader {
    private let object: JSONObject
    /// The keys down to the object; empty for the options themselves.
    private let path: String

    /// - Throws: ``NotificationError`` when the value is no object.
    init(_ value: JSONValue, path: String = "") throws(NotificationError) {
        guard let object = value.object else {
            throw NotificationError(path: path, expected: "an object", found: value)
        }
        self.object = object
        self.path = path
    }

    /// Whether the key is there, even if its value is `null`.
    func has(_ key: String) -> Bool { object[key] != nil }

    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    func reader(_ key: String) throws(NotificationError) -> OptionsReader? {
        guard let value = value(key) else { return nil }
        return try OptionsReader(value, path: path(to: key))
    }

    /// The elements of an array, or a lone object as if it were an array of one.
    func readers(_ key: String) throws(NotificationError) -> [OptionsReader] {
        guard let value = value(key) else { return [] }
        guard let array = value.array else {
            guard value.object != nil else { throw mismatch(key, expected: "an array or an object", found: value) }
            return [try OptionsReader(value, path: path(to: key))]
        }
        var readers: [OptionsReader] = []
        for (index, element) in array.enumerated() {
            readers.append(try OptionsReader(element, path: "\(path(to: key))[\(index)]"))
        }
        return readers
    }

    func object(_ key: String) throws(NotificationError) -> JSONObject? { try reader(key)?.object }

    func string(_ key: String) throws(NotificationError) -> String? {
        guard let value = value(key) else { return nil }
        guard let string = value.string else { throw mismatch(key, expected: "a string", found: value) }
        return string
    }

    /// The elements of an array of texts that are not empty; nothing when the key is absent.
    func strings(_ key: String) throws(NotificationError) -> [String] {
        guard let value = value(key) else { return [] }
        guard let array = value.array else { throw mismatch(key, expected: "an array of strings", found: value) }
        var strings: [String] = []
        for (index, element) in array.enumerated() {
            guard let string = element.string, !string.isEmpty else {
                throw mismatch("\(key)[\(index)]", expected: "a string that is not empty", found: element)
            }
            strings.append(string)
        }
        return strings
    }

    func number(_ key: String) throws(NotificationError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.number, !number.isNaN else { throw mismatch(key, expected: "a number", found: value) }
        return number
    }

    func boolean(_ key: String) throws(NotificationError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let bool) = value else { throw mismatch(key, expected: "true or false", found: value) }
        return bool
    }

    func wholeNumber(_ key: String) throws(NotificationError) -> Int? {
        guard let value = value(key) else { return nil }
        // Whole numbers are exact up to 2^53 in JavaScript. Infinity and NaN fail here too.
        guard let number = value.number, abs(number) <= 9_007_199_254_740_992, let whole = Int(exactly: number) else {
            throw mismatch(key, expected: "a whole number", found: value)
        }
        return whole
    }

    func mismatch(_ key: String, expected: String, found: JSONValue) -> NotificationError {
        NotificationError(path: path(to: key), expected: expected, found: found)
    }

    /// For the object itself.
    func mismatch(expected: String) -> NotificationError {
        NotificationError(path: path, expected: expected, found: .object(object))
    }

    private func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
