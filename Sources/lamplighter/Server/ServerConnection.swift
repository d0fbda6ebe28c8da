import AsyncHTTPClient
import Foundation
import Gateway
import NIOCore
import NIOHTTP1
import PushModel

/// A running server, asked over HTTP.
struct ServerConnection: Sendable {
    let url: String
    /// Not needed to call procedures.
    let key: String?

    /// - Throws: ``ServerError``.
    func answer(_ request: ManagementRequest) async throws -> ManagementReply {
        var http = try httpRequest(for: request)
        if let key { http.headers.add(name: "Authorization", value: "Bearer \(key)") }
        let response: HTTPClientResponse
        let body: ByteBuffer
        do {
            response = try await HTTPClient.shared.execute(http, timeout: .minutes(10))
            body = try await response.body.collect(upTo: 1 << 30)
        } catch {
            throw ServerError(description: "the server at \(url) did not answer: \(error)")
        }
        let text = String(buffer: body)
        let json = try? JSONValue(parsing: text)
        guard response.status == .ok else {
            let errors = json?["errors"]?.array?.compactMap(\.string).joined(separator: "; ")
            throw ServerError(description: errors ?? "the server at \(url) answered \(response.status)")
        }
        return ManagementReply(body: text, isSuccessful: json?["isSuccessful"] != false)
    }

    private func httpRequest(for request: ManagementRequest) throws -> HTTPClientRequest {
        switch request {
        case .invoke(let adapter, let procedure, let parameters):
            var http = HTTPClientRequest(url: key == nil ? "\(url)/invoke" : "\(url)/management/v1/invoke")
            http.method = .POST
            http.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8")
            http.body = .bytes(
                ByteBuffer(
                    string: Self.form([("adapter", adapter), ("procedure", procedure), ("parameters", parameters)])))
            return http
        case .subscribe(let form): return try formRequest(.POST, form)
        case .unsubscribe(let form): return try formRequest(.DELETE, form)
        case .subscriptions(let source, let user):
            let fields = [("eventSource", source), ("user", user)].compactMap { key, value in value.map { (key, $0) } }
            return HTTPClientRequest(url: "\(url)/management/v1/subscriptions?\(Self.form(fields))")
        case .deliveries(let state, let limit):
            let fields = [("state", state), ("limit", "\(limit)")].compactMap { key, value in value.map { (key, $0) } }
            return HTTPClientRequest(url: "\(url)/management/v1/deliveries?\(Self.form(fields))")
        case .status: return HTTPClientRequest(url: "\(url)/management/v1/status")
        }
    }

    private func formRequest(_ method: HTTPMethod, _ form: SubscriptionForm) throws -> HTTPClientRequest {
        var http = HTTPClientRequest(url: "\(url)/management/v1/subscriptions")
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
