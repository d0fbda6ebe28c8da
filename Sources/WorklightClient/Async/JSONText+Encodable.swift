import Foundation

extension JSONText {
    /// A JSON array of what becomes JSON.
    ///
    /// - Throws: ``WLError`` for a value that does not, such as an infinite number.
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
