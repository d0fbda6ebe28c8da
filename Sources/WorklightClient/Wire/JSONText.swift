import Foundation

/// Reads and writes JSON strings.
enum JSONText {
    /// Returns the object in a response: from the first `{` to the last `}`, as native clients remove its wrapping
    /// (wire-protocol 2.1).
    ///
    /// - Returns: the object; `nil` when there is none, or it is truncated.
    static func object(in text: String) -> [String: Any]? {
        guard let first = text.utf8.firstIndex(of: UInt8(ascii: "{")),
            let last = text.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
        else { return nil }
        return object(parsing: String(text[first...last]))
    }

    /// Returns the object of a JSON string; `nil` when the string is not a JSON object.
    static func object(parsing text: String) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }

    /// Returns the JSON string of a value; `nil` for a value that JSON cannot represent, such as a date.
    static func text(of value: Any) -> String? {
        // Not every Foundation writes a value that is not an array or an object, so the value is written in an array.
        let holder = [value]
        guard JSONSerialization.isValidJSONObject(holder),
            let data = try? JSONSerialization.data(withJSONObject: holder, options: [.sortedKeys])
        else { return nil }
        return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
    }
}

/// A JSON object that can be sent to another thread.
///
/// It is safe to send: without mutable options, JSONSerialization creates immutable strings, numbers, arrays and dictionaries.
struct SendableJSONObject: @unchecked Sendable {
    let values: [String: Any]
}

extension JSONText {
    /// Returns the values as a JSON array.
    ///
    /// - Throws: ``WLError`` for a value that JSON cannot represent, such as an infinite number.
    static func array(of values: [any Encodable & Sendable], for call: String) throws(WLError) -> String {
        let encoder = JSONEncoder()
        var texts: [String] = []
        for (index, value) in values.enumerated() {
            do {
                texts.append(String(decoding: try encoder.encode(value), as: UTF8.self))
            } catch {
                throw WLError(
                    WLErrorCodeUnexpectedError, "\(call): parameter \(index + 1) does not become JSON: \(error)")
            }
        }
        return "[\(texts.joined(separator: ","))]"
    }
}
