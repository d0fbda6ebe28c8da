import Core

/// Reads the members of one object in the options of `notify*` or `sendMessage`, and knows its path for error messages.
///
/// A member that is `null` counts as absent, and unknown members are ignored (server-api 2.8).
struct OptionsReader {
    private let object: JSONObject
    /// The keys down to the object; empty for the options themselves.
    private let path: String

    /// - Throws: ``NotificationError`` when the value is not an object.
    init(_ value: JSONValue, path: String = "") throws(NotificationError) {
        guard let object = value.object else {
            throw NotificationError(path: path, expected: "an object", found: value)
        }
        self.object = object
        self.path = path
    }

    /// Returns true if the key is present, even with the value `null`.
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

    /// Returns a string; a number is converted as JavaScript does.
    func string(_ key: String) throws(NotificationError) -> String? {
        switch value(key) {
        case nil: return nil
        case .string(let text): return text
        case .number(let number) where number.isFinite: return JSONValue.number(number).text
        case .some(let other): throw mismatch(key, expected: "a string", found: other)
        }
    }

    /// Returns the elements of an array of strings that are not empty; an empty array if the key is absent.
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

    /// Returns a number, also from a string such as `"60"`.
    func number(_ key: String) throws(NotificationError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = Self.number(value) else { throw mismatch(key, expected: "a number", found: value) }
        return number
    }

    /// Returns true or false, also from a string.
    func boolean(_ key: String) throws(NotificationError) -> Bool? {
        switch value(key) {
        case nil: return nil
        case .bool(let bool): return bool
        case .string("true"): return true
        case .string("false"): return false
        case .some(let other): throw mismatch(key, expected: "true or false", found: other)
        }
    }

    /// Returns a whole number, also from a string such as `"3"`.
    func wholeNumber(_ key: String) throws(NotificationError) -> Int? {
        guard let value = value(key) else { return nil }
        // Whole numbers are exact up to 2^53 in JavaScript. Infinity fails here too.
        guard let number = Self.number(value), abs(number) <= 9_007_199_254_740_992, let whole = Int(exactly: number)
        else {
            throw mismatch(key, expected: "a whole number", found: value)
        }
        return whole
    }

    /// Returns a number, also from a string in decimal form; `nil` for anything else, NaN included.
    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): return number.isNaN ? nil : number
        case .string(let text):
            guard let bare = text.wholeMatch(of: /\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*/)?.1 else { return nil }
            return Double(bare)
        default: return nil
        }
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
