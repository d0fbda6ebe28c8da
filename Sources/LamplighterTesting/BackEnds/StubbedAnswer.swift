import BackEndHTTP
public import Core
public import Foundation

/// A response of a stubbed back end.
public struct StubbedAnswer: Sendable {
    let answer: BackEndStandInAnswer

    /// A response with these bytes as body.
    ///
    /// - Parameter type: the `Content-Type`; none when `nil`. A `Content-Type` in `headers` has precedence.
    public static func bytes(_ body: [UInt8], type: String?, status: Int = 200, headers: [String: String] = [:]) -> Self
    {
        var fields = headers.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        if let type, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append((name: "Content-Type", value: type))
        }
        return StubbedAnswer(answer: .response(status: status, headers: fields, body: body))
    }

    /// A response of type `application/json`.
    public static func json(_ body: JSONValue, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.text.utf8), type: "application/json; charset=utf-8", status: status, headers: headers)
    }

    /// A response of type `text/xml`, which `invokeHttp` converts to JSON.
    public static func xml(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/xml; charset=utf-8", status: status, headers: headers)
    }

    /// A response of type `text/html`.
    public static func html(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/html; charset=utf-8", status: status, headers: headers)
    }

    /// A response of type `text/plain`.
    public static func text(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A response without a body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> Self {
        .bytes([], type: nil, status: status, headers: headers)
    }

    /// No response: the request fails with the error of the socket timeout, but at once.
    public static let silence = StubbedAnswer(answer: .silence)

    /// A refused connection, as when no program listens at the back end's address.
    public static let refusedConnection = StubbedAnswer(answer: .refusedConnection)

    /// The response of a real server, such as `http://127.0.0.1:8080`, to which the request is forwarded.
    public static func server(_ url: URL) -> Self { StubbedAnswer(answer: .forward(to: url)) }
}

/// A request of an adapter to its HTTP back end.
public struct StubbedRequest: Sendable {
    /// The method, in capitals.
    public let method: String
    /// The path, decoded, without the query.
    public let path: String
    /// The parameters of the query, decoded, in their order.
    public let query: [(name: String, value: String)]
    /// The headers in their order, without `Accept-Encoding`.
    public let headers: [(name: String, value: String)]
    /// The bytes of the body; empty without a body.
    public let body: [UInt8]

    /// The body as a string, decoded as UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; `nil` when it is not JSON.
    public var json: JSONValue? { try? JSONValue(parsing: text) }

    /// Returns the value of the first header with this name, in any case; `nil` without one.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns the value of the query's first parameter with this name; `nil` without one.
    public func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    init(_ request: BackEndStandInRequest) {
        method = request.method.uppercased()
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map { PercentEncoding.decode($0, plusIsBlank: false) ?? String($0) } ?? "/"
        query = FormFields(parts.count > 1 ? String(parts[1]) : "", mostFields: .max).all
        headers = request.headers.filter { $0.name.lowercased() != "accept-encoding" }
        body = request.body
    }
}

extension StubbedRequest: CustomStringConvertible {
    /// `POST /orders?limit=5 {"id":7}`
    public var description: String {
        let parameters = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return "\(method) \(path)" + (parameters.isEmpty ? "" : "?\(parameters)") + (body.isEmpty ? "" : " \(text)")
    }
}
