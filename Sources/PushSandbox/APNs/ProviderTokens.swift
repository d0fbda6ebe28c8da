import Foundation
import JWTKit
import Synchronization

/// Checks the tokens that identify providers, each string once.
final class ProviderTokens: Sendable {
    /// The claims that Apple wants.
    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// The lifetime of a token, in seconds.
    private static let lifetime: TimeInterval = 3600
    /// The largest difference by which a provider's clock may be ahead, in seconds.
    private static let tolerance: TimeInterval = 60
    private static let mostKept = 1_000

    private let keys: JWTKeyCollection
    private let keyID: String
    private let teamID: String
    /// The issue times of the tokens that have passed.
    private let passed = Mutex<[String: Date]>([:])

    init(identity: SandboxIdentity) async throws {
        keyID = identity.apnsKeyID
        teamID = identity.apnsTeamID
        keys = JWTKeyCollection()
        await keys.add(
            ecdsa: try ES256PrivateKey(pem: identity.apnsKey), kid: JWKIdentifier(string: identity.apnsKeyID))
    }

    /// Returns the issue time of a token that has passed, without any work.
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

/// The provider on one connection to APNs' side.
struct ConnectionCredential {
    /// The topic of the client certificate, if there is one.
    let certificateTopic: String?
    private var tokens: Set<String> = []
    private var lastUpdate: Date?

    /// "Update the authentication token no more than once every 20 minutes."
    private static let shortestTimeBetweenUpdates: TimeInterval = 20 * 60

    init(certificateTopic: String?) {
        self.certificateTopic = certificateTopic
    }

    /// Records a valid token. Tokens that were already used on the connection pass.
    mutating func use(_ token: String, now: Date) throws(APNsRefusalError) {
        guard !tokens.contains(token) else { return }
        if let lastUpdate, (0..<Self.shortestTimeBetweenUpdates).contains(now.timeIntervalSince(lastUpdate)) {
            throw .tooManyProviderTokenUpdates
        }
        tokens.insert(token)
        lastUpdate = now
    }

    /// The client learns that its token is too old, so the next one is not an update too many.
    mutating func expectUpdate() { lastUpdate = nil }
}
