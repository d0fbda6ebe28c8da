import Foundation
import JWTKit
import Synchronization

/// Checks the tokens by which providers say who they are, each text once.
final class ProviderTokens: Sendable {
    /// The claims that Apple wants.
    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// How long a token is good.
    private static let lifetime: TimeInterval = 3600
    /// How far a provider's clock may be ahead.
    private static let tolerance: TimeInterval = 60
    private static let mostKept = 1_000

    private let keys: JWTKeyCollection
    private let keyID: String
    private let teamID: String
    /// When the tokens that have passed were issued.
    private let passed = Mutex<[String: Date]>([:])

    init(identity: SandboxIdentity) async throws {
        keyID = identity.apnsKeyID
        teamID = identity.apnsTeamID
        keys = JWTKeyCollection()
        await keys.add(
            ecdsa: try ES256PrivateKey(pem: identity.apnsKey), kid: JWKIdentifier(string: identity.apnsKeyID))
    }

    /// What is known of a token without any work.
    func known(_ token: String) -> Date? { passed.withLock { $0[token] } }

    /// Checks signature, key and team.
    ///
    /// - Returns: when the token was issued; nil when it is not one of the sandbox's key.
    func issued(_ token: String) async -> Date? {
        if let date = known(token) { return date }
        guard let header = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self).header,
            header.alg == "ES256", header.kid == keyID,
            let claims = try? await keys.verify(token, as: Claims.self), claims.iss == teamID
        else { return nil }
        let date = Date(timeIntervalSince1970: TimeInterval(claims.iat))
        passed.withLock { passed in
            if passed.count >= Self.mostKept { passed.removeAll() }
            passed[token] = date
        }
        return date
    }

    static func checkAge(issued: Date, now: Date) throws(APNsRefusalError) {
        let age = now.timeIntervalSince(issued)
        if age > lifetime { throw .expiredProviderToken }
        if age < -tolerance { throw .invalidProviderToken }
    }
}
