import Core
import Foundation
import HTTPTransfer
import NIOHTTP1
import TestSupport
import Testing

/// A client that works like the SDKs: it keeps cookies and its instance id, and responds to challenges.
///
/// Tests can read and change its state, to do what honest clients do not.
final class WireClient {
    struct Answer {
        let status: Int
        let text: String
        let headers: HTTPHeaders

        /// The content of the wrapping; without one, the whole.
        var json: JSONValue? {
            var inner = text[...]
            if inner.hasPrefix("/*-secure-\n") { inner = inner.dropFirst(11).dropLast(2) }
            return try? JSONValue(parsing: String(inner))
        }

        subscript(key: String) -> JSONValue? { json?[key] }
    }

    let server: RunningServer
    let application: String
    let environment: String
    let device: String?
    var cookies: [String: String] = [:]
    var instanceID: String?
    var headers: [(String, String)] = []

    /// - Parameters:
    ///   - device: its id; `nil` for a page in a browser.
    ///   - environment: `android`, or `desktopbrowser` without a device, unless given.
    init(_ server: RunningServer, device: String? = nil, application: String = "App", environment: String? = nil) {
        self.server = server
        self.device = device
        self.application = application
        self.environment = environment ?? (device == nil ? "desktopbrowser" : "android")
    }

    var root: String { "/apps/services/api/\(application)/\(environment)/" }
    var session: String? { cookies["JSESSIONID"] }

    /// Sends one request, and responds to no challenge.
    @discardableResult
    func sendOnce(
        _ method: HTTPMethod = .POST, _ path: String, _ fields: [(String, String)] = [],
        headers more: [(String, String)] = []
    ) async throws -> Answer {
        var request = TransferRequest(method.rawValue, url: server.url + path, timeout: .noLimit)
        if !cookies.isEmpty {
            let line = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            request.headers.append(("Cookie", line))
        }
        if let instanceID { request.headers.append(("WL-Instance-Id", instanceID)) }
        request.headers += (headers + more).map { ($0, $1) } + [("X-Requested-With", "XMLHttpRequest")]
        if method == .POST {
            request.headers.append(("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"))
            request.body = Array(FormFields.encode(fields).utf8)
        }
        let answer = try await RunningServer.http.send(request)
        try #require(answer.head.version == (server.version == .http2 ? "2" : "1.1"))
        let received = HTTPHeaders(answer.head.headers.map { ($0, $1) })
        for line in received["Set-Cookie"] {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { cookies[pair[0]] = pair[1] }
        }
        return Answer(status: answer.status, text: answer.text, headers: received)
    }

    /// Sends a request, and again with the responses when it is challenged.
    @discardableResult
    func send(_ path: String, _ fields: [(String, String)] = []) async throws -> Answer {
        let first = try await sendOnce(.POST, path, fields)
        guard first.status == 401, let challenges = first["challenges"]?.object else { return first }
        if let id = challenges["wl_antiXSRFRealm"]?["WL-Instance-Id"]?.string { instanceID = id }
        guard let token = challenges["wl_deviceNoProvisioningRealm"]?["token"]?.string else {
            return try await sendOnce(.POST, path, fields)
        }
        return try await sendOnce(.POST, path, fields, headers: [("Authorization", deviceAnswer(token: token))])
    }

    func deviceAnswer(token: String, device: String? = nil) -> String {
        let id: JSONValue = [
            "token": .string(token), "app": ["id": .string(application), "version": "1.0"],
            "device": [
                "id": .string(device ?? self.device ?? ""), "os": "4.4", "model": "M", "environment": "Android",
            ],
        ]
        return JSONValue.object(["wl_deviceNoProvisioningRealm": ["ID": id]]).text
    }

    /// Does one of the application's actions.
    @discardableResult
    func act(_ action: String, _ fields: [(String, String)] = []) async throws -> Answer {
        try await send(root + action, fields)
    }

    /// Calls a procedure of the adapter `A`.
    @discardableResult
    func call(_ procedure: String, _ parameters: String = "[]", adapter: String = "A") async throws -> Answer {
        try await act("query", [("adapter", adapter), ("procedure", procedure), ("parameters", parameters)])
    }

    @discardableResult
    func logIn(_ user: String, _ password: String) async throws -> Answer {
        try await sendOnce(.POST, root + "j_security_check", [("j_username", user), ("j_password", password)])
    }
}
