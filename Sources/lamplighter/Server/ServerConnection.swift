import AsyncHTTPClient
import Foundation
import Gateway
import NIOCore
import NIOHTTP1
import NIOSSL
import PushModel

/// A running server, asked over HTTP.
struct ServerConnection: Sendable {
    let url: String
    /// What the note of the server says; not needed to call procedures.
    let key: String?
    /// What back ends show that call procedures (`backEnds.token`).
    var token: String?

    /// - Throws: ``ServerError``.
    func answer(_ request: ManagementRequest) async throws -> ManagementReply {
        var http = try httpRequest(for: request)
        if let secret = key ?? token { http.headers.add(name: "Authorization", value: "Bearer \(secret)") }
        let response: HTTPClientResponse
        let body: ByteBuffer
        do {
            (response, body) = try await execute(http)
        } catch {
            throw ServerError(description: "the server at \(url) did not answer: \(error)")
        }
        let text = String(buffer: body)
        let json = try? JSONValue(parsing: text)
        guard response.status == .ok else {
            let errors = json?["errors"]?.array?.compactMap(\.string).joined(separator: "; ")
            throw ServerError(description: errors ?? "the server at \(url) answered \(response.status)")
        }
        return ManagementReply(
            body: text, isSuccessful: (json?["result"]?["isSuccessful"] ?? json?["isSuccessful"]) != false)
    }

    /// A server that has left its note in the data folder is this machine's own. Its certificate is made out to the name that
    /// its clients know, which is not the address that it is reached by here.
    private func execute(_ http: HTTPClientRequest) async throws -> (HTTPClientResponse, ByteBuffer) {
        var configuration = HTTPClient.Configuration()
        if key != nil {
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.certificateVerification = .none
        }
        let client = HTTPClient(configuration: configuration)
        do {
            let response = try await client.execute(http, timeout: .minutes(10))
            let body = try await response.body.collect(upTo: 1 << 30)
            try await client.shutdown()
            return (response, body)
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func httpRequest(for request: ManagementRequest) throws -> HTTPClientRequest {
        switch request {
        case .invoke(let adapter, let procedure, let parameters):
            return postForm(
                key == nil ? "invoke" : "management/v1/invoke",
                [("adapter", adapter), ("procedure", procedure), ("parameters", parameters)])
        case .traceInvocation(let adapter, let procedure, let parameters):
            guard key != nil else {
                throw ServerError(
                    description:
                        "\(url) does not tell back ends what a call did; trace it where the project's folder is")
            }
            let fields = [
                ("adapter", adapter), ("procedure", procedure), ("parameters", parameters), ("trace", "true"),
            ]
            return postForm("management/v1/invoke", fields)
        case .evaluate(let form):
            let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
            let name = form.adapter.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            return try formRequest(.POST, form, "adapters/\(name)/evaluate")
        case .subscribe(let form): return try formRequest(.POST, form)
        case .unsubscribe(let form): return try formRequest(.DELETE, form)
        case .subscriptions(let source, let user):
            let fields = [("eventSource", source), ("user", user)].compactMap { key, value in value.map { (key, $0) } }
            return HTTPClientRequest(url: "\(url)/management/v1/subscriptions?\(Self.form(fields))")
        case .deliveries(let state, let limit):
            let fields = [("state", state), ("limit", "\(limit)")].compactMap { key, value in value.map { (key, $0) } }
            return HTTPClientRequest(url: "\(url)/management/v1/deliveries?\(Self.form(fields))")
        case .status: return HTTPClientRequest(url: "\(url)/management/v1/status")
        case .applicationRules: return HTTPClientRequest(url: "\(url)/management/v1/applications")
        case .setApplicationRule(let form): return try formRequest(.PUT, form, "applications")
        case .removeApplicationRule(let form): return try formRequest(.DELETE, form, "applications")
        case .clientLog(let form):
            let fields = [
                ("level", form.level), ("application", form.application), ("device", form.device), ("text", form.text),
                ("before", form.before.map(String.init)), ("limit", "\(form.limit)"),
            ].compactMap { key, value in value.map { (key, $0) } }
            return HTTPClientRequest(url: "\(url)/management/v1/client-log?\(Self.form(fields))")
        }
    }

    private func postForm(_ path: String, _ fields: [(String, String)]) -> HTTPClientRequest {
        var http = HTTPClientRequest(url: "\(url)/\(path)")
        http.method = .POST
        http.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8")
        http.body = .bytes(ByteBuffer(string: Self.form(fields)))
        return http
    }

    private func formRequest(
        _ method: HTTPMethod, _ form: some Encodable, _ path: String = "subscriptions"
    ) throws -> HTTPClientRequest {
        var http = HTTPClientRequest(url: "\(url)/management/v1/\(path)")
        http.method = method
        http.headers.add(name: "Content-Type", value: "application/json")
        http.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(form)))
        return http
    }

    private static func form(_ fields: [(String, String)]) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return fields.map { key, value in
            "\(key)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }
}

/// A server that does not answer, or not as wanted.
struct ServerError: Error, CustomStringConvertible {
    let description: String
}
