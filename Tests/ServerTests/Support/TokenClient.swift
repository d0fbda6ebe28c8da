import Core
import Foundation
import NIOHTTP1

@testable import Tokens

/// A client of the OAuth layer of 7.1 (wire-protocol 8).
final class TokenClient {
    /// The tokens and ids of a client.
    struct Token {
        let clientID: String
        let access: String
        let bearer: String
    }

    /// Making one takes long.
    static let key = try! ServerKey()
    static let otherKey = try! ServerKey()

    let wire: WireClient
    let key: ServerKey
    static let redirect = "http://mfpredirecturi"

    init(_ server: RunningServer, key: ServerKey = TokenClient.key) {
        wire = WireClient(server, device: "phone")
        self.key = key
    }

    /// - Parameters:
    ///   - payload: JSON.
    ///   - jpk: the key that the header names, when it is not the own one.
    ///   - algorithm: as the header says.
    func sign(_ payload: String, jpk: RSAPublicKey? = nil, algorithm: String = "RS256") throws -> String {
        let named = jpk ?? key.publicKey
        let header = """
            {"alg":"\(algorithm)","jpk":{"alg":"RSA","mod":"\(Base64URL.encode([0] + named.modulus))","exp":"AQAB"}}
            """
        let signed = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
        return signed + "." + Base64URL.encode(try key.signature(of: Data(signed.utf8)))
    }

    static func description(application: String = "App", device: String = "phone") -> String {
        """
        {"deviceId":"\(device)","deviceOs":"4.4","deviceModel":"M","applicationId":"\(application)",\
        "applicationVersion":"1.0","environment":"android"}
        """
    }

    func register(_ csr: String? = nil) async throws -> WireClient.Answer {
        let csr = try csr ?? sign(Self.description())
        return try await wire.sendOnce(.POST, "/authorization/v1/clients/instance", [("CSR", csr)])
    }

    /// - Returns: the id in the certificate.
    func clientID(_ csr: String? = nil) async throws -> String {
        let answer = try await register(csr)
        let certificate = answer["certificate"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
        let text = String(decoding: certificate, as: UTF8.self)
        return text.firstMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/).map {
            String($0.output)
        } ?? ""
    }

    func authorize(_ clientID: String, scope: String = "RegisteredClient") async throws -> String? {
        let query = FormFields.encode([
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", Self.redirect), ("scope", scope),
        ])
        let path = "/authorization/v1/authorization?\(query)"
        var answer = try await wire.sendOnce(.GET, path)
        if let id = answer["challenges"]?["wl_antiXSRFRealm"]?["WL-Instance-Id"]?.string {
            wire.instanceID = id
            answer = try await wire.sendOnce(.GET, path)
        }
        return answer.headers["Location"].first?.firstMatch(of: /code=([^&]+)/).map { String($0.1) }
    }

    func redeem(_ code: String, _ clientID: String, proof: String? = nil) async throws -> WireClient.Answer {
        try await wire.sendOnce(
            .POST, "/authorization/v1/token",
            [
                ("code", code), ("client_id", clientID), ("grant_type", "authorization_code"),
                ("redirect_uri", Self.redirect),
            ], headers: [("X-WL-Authenticate", try proof ?? sign(#"{"code":"\#(code)"}"#))])
    }

    /// Goes the whole way.
    func token(scope: String = "RegisteredClient") async throws -> Token {
        let clientID = try await clientID()
        let code = try await authorize(clientID, scope: scope) ?? ""
        let answer = try await redeem(code, clientID)
        let (access, identity) = (answer["access_token"]?.string ?? "", answer["id_token"]?.string ?? "")
        return Token(clientID: clientID, access: access, bearer: "Bearer \(access) \(identity)")
    }
}

extension RunningServer {
    /// Calls a procedure as a resource of 7.0, without a cookie.
    func adapter(_ procedure: String, _ parameters: String = "[]", token: String) async throws -> WireClient.Answer {
        let client = WireClient(self, device: "phone")
        return try await client.sendOnce(
            .POST, "/adapters/A/\(procedure)", [("params", parameters)], headers: [("Authorization", token)])
    }
}
