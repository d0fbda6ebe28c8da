import Core
import Foundation
import TestSupport

/// The OAuth layer of native clients of 7.x (wire-protocol 8).
extension ClientDouble {
    private static let redirect = "http://mfpredirecturi"

    /// Registers the client: the first request of a fresh install.
    func register(with key: TestClient, device: String? = nil) async throws {
        let payload: JSONValue = [
            "deviceId": .string(device ?? dialect.device.id), "deviceOs": .string(dialect.device.os),
            "deviceModel": .string(dialect.device.model), "applicationId": .string(dialect.application),
            "applicationVersion": .string(dialect.version), "environment": .string(dialect.environment),
        ]
        let reply = try await send("POST", .authorization("clients/instance"), [Field("CSR", key.sign(payload.text))])
        guard reply.status == 200, let text = reply["certificate"]?.string, let der = Data(base64Encoded: text) else {
            throw ClientDoubleError("no certificate: \(reply.status) \(reply.answer.text)")
        }
        guard der.range(of: Data(key.modulus)) != nil else {
            throw ClientDoubleError("the certificate is for another key")
        }
        let id = try Self.userID(in: der)
        setClient(id: id, signed: key.sign(JSONValue.object(["clientId": .string(id)]).text))
    }

    /// The attribute `UID` of a certificate's subject.
    private static func userID(in der: Data) throws -> String {
        let name = Data([0x06, 0x0A, 0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01])
        guard let found = der.range(of: name) else { throw ClientDoubleError("the certificate's subject has no UID") }
        let rest = der[found.upperBound...]
        let length = Int(rest[rest.startIndex + 1])
        return String(decoding: rest.dropFirst(2).prefix(length), as: UTF8.self)
    }

    /// Asks for scopes, or drops those with a minus before them.
    ///
    /// - Returns: the code, if there is one.
    func authorize(_ scope: String, _ logins: Login...) async throws -> String? {
        try await authorize(scope, logins)
    }

    private func authorize(_ scope: String, _ logins: [Login]) async throws -> String? {
        let reply = try await send(
            "GET", .authorization("authorization"),
            [
                Field("response_type", "code"), Field("client_id", clientID), Field("redirect_uri", Self.redirect),
                Field("scope", scope),
            ], logins: logins)
        // The client follows no redirect, and treats this one as a special status, 222.
        guard reply.status == 302, let location = reply.answer["Location"].first,
            location.hasPrefix(Self.redirect + "?")
        else { throw ClientDoubleError("authorize: \(reply.status) \(reply.answer.text)") }
        let items = URLComponents(string: location)?.queryItems ?? []
        guard let result = items.first(where: { $0.name == "wl_result" })?.value, result.hasPrefix("{") else {
            throw ClientDoubleError("authorize: no wl_result in \(location)")
        }
        return items.first { $0.name == "code" }?.value
    }

    /// Asks for a resource, as `WLResourceRequest` does: with the tokens that the client has, and with new ones as long as the
    /// server refuses those.
    ///
    /// - Throws: ``ClientDoubleError`` when new tokens do not help, since the client then asks for others without end.
    func resource(_ path: String, with key: TestClient, _ logins: Login...) async throws -> Reply {
        for _ in 0..<2 {
            let reply = try await send(
                "GET", .path(path), headers: bearer.map { [(name: "Authorization", value: $0)] } ?? [])
            guard let scope = Self.scope(wantedBy: reply) else { return reply }
            guard let code = try await authorize(scope, logins) else { throw ClientDoubleError("no code") }
            let tokens = try await token(for: code, with: key)
            guard let access = tokens["access_token"]?.string, let identity = tokens["id_token"]?.string else {
                throw ClientDoubleError("no token: \(tokens.status) \(tokens.answer.text)")
            }
            guard tokens["scope"]?.string == scope else {
                throw ClientDoubleError("authorize and token for ever: asked for '\(scope)', got \(tokens.answer.text)")
            }
            setBearer("Bearer \(access) \(identity)")
        }
        let reply = try await send("GET", .path(path), headers: [(name: "Authorization", value: bearer ?? "")])
        guard Self.scope(wantedBy: reply) == nil else { throw ClientDoubleError("authorize and token for ever") }
        return reply
    }

    /// The scope of a refusal, as the native SDKs read it: all that follows `scope=`, without the quotes.
    private static func scope(wantedBy reply: Reply) -> String? {
        guard [401, 403].contains(reply.status), let header = reply.answer["WWW-Authenticate"].first,
            header.hasPrefix("Bearer"), header.contains("imfAuthentication")
        else { return nil }
        guard let found = header.range(of: "scope=") else { return "" }
        return String(header[found.upperBound...]).replacing("\"", with: "")
    }

    /// Tokens for a code.
    func token(for code: String, with key: TestClient) async throws -> Reply {
        try await send(
            "POST", .authorization("token"),
            [
                Field("code", code), Field("client_id", clientID), Field("grant_type", "authorization_code"),
                Field("redirect_uri", Self.redirect),
            ], headers: [("X-WL-Authenticate", key.sign(JSONValue.object(["code": .string(code)]).text))])
    }
}
