import Core
import Foundation
import JWTKit
import PushSandbox

extension WebCase {
    struct Assertion: JWTPayload {
        var iss: String
        var scope = "https://www.googleapis.com/auth/firebase.messaging"
        var aud: String
        var iat: Int
        var exp: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    var serviceAccount: JSONValue {
        get throws { try JSONValue(parsing: sandbox.credentials.fcmServiceAccount) }
    }

    /// Returns the assertion that Google's library would send; changed by `change`.
    func assertion(_ change: (inout Assertion) -> Void = { _ in }) throws -> Assertion {
        let account = try serviceAccount
        let now = Int(Date().timeIntervalSince1970)
        var claims = Assertion(
            iss: account["client_email"]?.string ?? "", aud: account["token_uri"]?.string ?? "", iat: now,
            exp: now + 3600)
        change(&claims)
        return claims
    }

    func sign(_ claims: Assertion) async throws -> String {
        let account = try serviceAccount
        let keys = JWTKeyCollection()
        let kid = JWKIdentifier(string: account["private_key_id"]?.string ?? "")
        let key = try Insecure.RSA.PrivateKey(pem: account["private_key"]?.string ?? "")
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        return try await keys.sign(claims, kid: kid)
    }

    func exchange(_ assertion: String) async throws -> Reply {
        try await form(
            "/token", ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion])
    }

    func googleToken() async throws -> String {
        try await exchange(sign(assertion())).json["access_token"]?.string ?? ""
    }

    /// Sends a message's JSON to FCM with a good token, unless the test passes another.
    func sendFCM(_ body: String, project: String = "sandbox", token: String? = nil) async throws -> Reply {
        let bearer = if let token { token } else { try await googleToken() }
        return try await send(
            "POST", "\(base)/v1/projects/\(project)/messages:send",
            ["Authorization": "Bearer \(bearer)", "Content-Type": "application/json"], body)
    }
}
