import Core
import Foundation
import JWTKit
import Synchronization

/// Google's token endpoint: access tokens for signed assertions (RFC 7523).
struct GoogleTokens: WebService {
    static let lifetime = 3600
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let scopes: Set<Substring> = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]

    private struct Claims: JWTPayload {
        let iss: String
        let scope: String?
        let aud: String
        let iat: Int
        let exp: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    let name = SandboxService.oauth
    private let core: SandboxCore
    private let keys: JWTKeyCollection

    init(core: SandboxCore) async throws {
        self.core = core
        keys = JWTKeyCollection()
        let key = try Insecure.RSA.PrivateKey(pem: core.identity.serviceAccountKey)
        await keys.add(rsa: key, digestAlgorithm: .sha256)
    }

    func token(of request: WebRequest) -> String? { nil }

    var expiredToken: ServiceDecision { refuse("invalid_grant", "Token has been expired or revoked.") }

    func refusal(status: Int, reason: String) -> WebReply {
        .json(status, ["error": .string(reason), "error_description": "a fault of push-sandbox refuses this"])
    }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        guard request.method == "POST" else { return refuse("invalid_request", "Only POST is allowed.", status: 405) }
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            return refuse("invalid_request", "The body must be application/x-www-form-urlencoded.")
        }
        let fields = request.formFields
        guard fields["grant_type"] == Self.grant else {
            return refuse("unsupported_grant_type", "Invalid grant_type: \(fields["grant_type"] ?? "")")
        }
        guard let assertion = fields["assertion"] else {
            return refuse("invalid_request", "Missing required parameter: assertion")
        }
        guard let parsed = try? DefaultJWTParser().parse(Array(assertion.utf8), as: Claims.self),
            parsed.header.alg == "RS256"
        else {
            return refuse("invalid_grant", "Invalid JWT: it must be RS256 with iss, scope, aud, iat and exp.")
        }
        guard [nil, core.identity.serviceAccountKeyID].contains(parsed.header.kid),
            let claims = try? await keys.verify(assertion, as: Claims.self)
        else { return refuse("invalid_grant", "Invalid JWT Signature.") }
        return judge(claims)
    }

    private func judge(_ claims: Claims) -> ServiceDecision {
        let now = Int(core.settings.now().timeIntervalSince1970)
        guard claims.iss == SandboxIdentity.serviceAccountEmail else {
            return refuse("invalid_grant", "Invalid grant: account not found")
        }
        let endpoints = ["https://localhost:\(core.httpPort)/token", "https://oauth2.googleapis.com/token"]
        guard endpoints.contains(claims.aud) else {
            return refuse("invalid_grant", "Invalid JWT: the audience must be the token endpoint, \(endpoints[0])")
        }
        guard claims.exp > now, claims.iat <= now + 60, claims.exp > claims.iat, claims.exp - claims.iat <= 3600 else {
            return refuse(
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."
            )
        }
        guard (claims.scope ?? "").split(separator: " ").contains(where: Self.scopes.contains) else {
            return refuse("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        }
        let token = core.accessTokens.make(
            prefix: "ya29.sandbox-", expires: core.settings.now().addingTimeInterval(TimeInterval(Self.lifetime)))
        return ServiceDecision(
            accepted: .json(
                200,
                [
                    "access_token": .string(token), "expires_in": .number(Double(Self.lifetime)),
                    "token_type": "Bearer",
                ]), clearText: [])
    }

    private func refuse(_ error: String, _ description: String, status: Int = 400) -> ServiceDecision {
        ServiceDecision(
            .json(status, ["error": .string(error), "error_description": .string(description)]), reason: description)
    }
}

/// The access tokens that the sandbox has handed out.
final class SandboxAccessTokens: Sendable {
    private static let mostKept = 10_000
    private let expiries = Mutex<[String: Date]>([:])

    /// - Returns: a new token.
    func make(prefix: String, expires: Date) -> String {
        let token = prefix + UUID().uuidString.lowercased().replacing("-", with: "")
        expiries.withLock { expiries in
            if expiries.count >= Self.mostKept { expiries.removeAll() }
            expiries[token] = expires
        }
        return token
    }

    func isGood(_ token: String, now: Date) -> Bool {
        expiries.withLock { $0[token].map { $0 > now } ?? false }
    }

    func revokeAll() { expiries.withLock { $0 = [:] } }
}
