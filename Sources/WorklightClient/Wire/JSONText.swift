import Foundation

/// JSON in and out of texts.
enum JSONText {
    /// The object in an answer: from the first `{` to the last `}`, as native clients take it out of its wrapping
    /// (wire-protocol 2.1).
    ///
    /// - Returns: `nil` when there is none, or it is cut off.
    static func object(in text: String) -> [String: Any]? {
        guard let first = text.utf8.firstIndex(of: UInt8(ascii: "{")),
            let last = text.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
        else { return nil }
        return object(parsing: String(text[first...last]))
    }

    static func object(parsing text: String) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }

    /// - Returns: `nil` for what JSON cannot say, such as a date.
    static func text(of value: Any) -> String? {
        // A single value is put into an array, since not every Foundation writes one by itself.
        let holder = [value]
        guard JSONSerialization.isValidJSONObject(holder),
            let data = try? JSONSerialization.data(withJSONObject: holder, options: [.sortedKeys])
        else { return nil }
        return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
    }
}

/// A JSON object that can be sent to another thread.
///
/// It is safe to send: what JSONSerialization makes without mutable options are strings, numbers, arrays and
/// dictionaries that are immutable.
struct SendableJSONObject: @unchecked Sendable {
    let values: [String: Any]
}

extension JSONText {
    /// Returns the values as a JSON array.
    ///
    /// - Throws: ``WLError`` for a value that JSON cannot hold, such as an infinite number.
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
