import BackEndHTTP
public import Core
public import Foundation

/// What a stubbed back end answers.
public struct StubbedAnswer: Sendable {
    let answer: BackEndStandInAnswer

    /// A body as bytes.
    public static func bytes(_ body: [UInt8], type: String?, status: Int = 200, headers: [String: String] = [:]) -> Self
    {
        var fields = headers.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        if let type, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append((name: "Content-Type", value: type))
        }
        return StubbedAnswer(answer: .response(status: status, headers: fields, body: body))
    }

    /// A body of type `application/json`.
    public static func json(_ body: JSONValue, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.text.utf8), type: "application/json; charset=utf-8", status: status, headers: headers)
    }

    /// A body of type `text/xml`, which `invokeHttp` makes JSON of.
    public static func xml(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/xml; charset=utf-8", status: status, headers: headers)
    }

    /// A body of type `text/html`.
    public static func html(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/html; charset=utf-8", status: status, headers: headers)
    }

    /// A body of type `text/plain`.
    public static func text(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .bytes(Array(body.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A status without a body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> Self {
        .bytes([], type: nil, status: status, headers: headers)
    }

    /// The back end says nothing until the socket timeout; the call fails at once, as it would then.
    public static let silence = StubbedAnswer(answer: .silence)

    /// The connection is refused: no program listens at the back end's address.
    public static let refusedConnection = StubbedAnswer(answer: .refusedConnection)

    /// A real server is asked, such as `http://127.0.0.1:8080`.
    public static func server(_ url: URL) -> Self { StubbedAnswer(answer: .forward(to: url)) }
}

/// A request that an adapter made of its back end.
public struct StubbedRequest: Sendable {
    /// In capitals.
    public let method: String
    /// The path, decoded, without the query.
    public let path: String
    /// The parameters of the query, decoded, in their order.
    public let query: [(name: String, value: String)]
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; `nil` when it is none.
    public var json: JSONValue? { try? JSONValue(parsing: text) }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The first parameter of the query of that name.
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
