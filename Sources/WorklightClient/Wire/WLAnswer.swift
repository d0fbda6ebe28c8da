import Foundation

/// The server's response to a request.
///
/// ```swift
/// struct Account: Decodable { var balance: Double }
///
/// let answer = try await client.invoke("Accounts", "find", "123-456-789")
/// let account = try answer.decode(Account.self)
/// ```
public struct WLAnswer: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The headers, in the server's order and spelling.
    public let headers: [Header]
    /// The decompressed body, with the wrapping `/*-secure-` … `*/` as the server wrote it.
    public let text: String

    /// A header of the response.
    public struct Header: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    /// The value of the first header with this name, in any case; `nil` without one.
    public subscript(header name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The JSON object in the body; `nil` when there is none, or it is truncated.
    public var object: [String: Any]? { JSONText.object(in: text) }

    /// Decodes the JSON object in the body as a type of the application.
    ///
    /// - Throws: ``WLError`` when the body has no object, or when the object does not match the type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        guard let first = text.utf8.firstIndex(of: UInt8(ascii: "{")),
            let last = text.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
        else {
            throw WLError(WLErrorCodeUnexpectedError, "the response has no JSON object", answer: self)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(text[first...last].utf8))
        } catch {
            throw WLError(WLErrorCodeUnexpectedError, "the response is not a \(type): \(error)", answer: self)
        }
    }

    /// True if the response is a challenge of the handshake (wire-protocol 3.1).
    var isCompositeChallenge: Bool {
        status == 401 && self[header: "WWW-Authenticate"]?.lowercased() == "wl-composite-challenge"
    }
}
