import Core
import Foundation

/// A whole HTTP request to one of the sides other than APNs'.
struct WebRequest: Sendable {
    let connection: Int
    let method: String
    /// Path and query.
    let target: String
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Without the query.
    var path: String { String(target.prefix { $0 != "?" }) }

    func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The media type, in lower case and without its parameters.
    var mediaType: String {
        let type = (header("Content-Type") ?? "").prefix { $0 != ";" }
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    var bearerToken: String? {
        guard let value = header("Authorization"), value.count > 7, value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(value.dropFirst(7))
    }

    /// The query's fields, decoded, in order.
    var queryFields: [(name: String, value: String)] {
        FormFields(String(target.dropFirst(path.count + 1))).all
    }

    /// The fields of a body of type `application/x-www-form-urlencoded`.
    var formFields: [String: String] {
        let fields = FormFields(String(decoding: body, as: UTF8.self)).all
        return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

/// A response.
struct WebReply: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    static func json(_ status: Int, _ body: JSONValue, headers: [(name: String, value: String)] = []) -> WebReply {
        WebReply(
            status: status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
            body: Array(body.text.utf8))
    }

    static func text(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> WebReply {
        WebReply(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers, body: Array(text.utf8))
    }
}

/// The outcome of a request.
enum WebOutcome: Sendable {
    case reply(WebReply)
    /// No response is ever sent.
    case silence
    /// The TCP connection is closed, in HTTP/2 with `resets` only the stream.
    case close(resets: Bool)
    /// Server-sent events: the first one, and one for each entry of the journal's stream.
    case events(WebReply, first: String, AsyncStream<Journal.Event>)
}
