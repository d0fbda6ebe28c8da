import Foundation

/// What the server answered to a request.
public struct WLAnswer: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The headers, in the server's order and spelling.
    public let headers: [Header]
    /// The body, decompressed, with the wrapping `/*-secure-` … `*/` as the server wrote it.
    public let text: String

    /// One header.
    public struct Header: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    /// The first header of that name, in any spelling.
    public subscript(header name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The JSON object in the body; `nil` when there is none, or it is cut off.
    public var object: [String: Any]? { JSONText.object(in: text) }

    /// The JSON object in the body, as a type of the application's.
    ///
    /// - Throws: ``WLError`` when the body has no object, or one of another form.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        guard let first = text.utf8.firstIndex(of: UInt8(ascii: "{")),
            let last = text.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
        else {
            throw WLError(WLErrorCodeUnexpectedError, "the answer has no JSON object", answer: self)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(text[first...last].utf8))
        } catch {
            throw WLError(WLErrorCodeUnexpectedError, "the answer is no \(type): \(error)", answer: self)
        }
    }

    /// Whether the server asks for something before it answers (wire-protocol 3.1).
    var isCompositeChallenge: Bool {
        status == 401 && self[header: "WWW-Authenticate"]?.lowercased() == "wl-composite-challenge"
    }
}
