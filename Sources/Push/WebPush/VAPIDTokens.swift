import Core
import Crypto
import Foundation
import JWTKit

/// The tokens with which the server shows push services who it is: one for each service, used again until it grows old
/// (RFC 8292, section 2; services remember tokens that they have checked).
actor VAPIDTokens {
    /// The lifetime of a token: a service takes at most 24 hours.
    static let life = TimeInterval(12 * 3600)
    /// The time for which a token is used. It is half the lifetime, so that a clock that is slightly wrong here or there does no harm.
    static let use = Duration.seconds(6 * 3600)
    /// Pages name their services, so there may be any number of them.
    private static let most = 1000

    private struct Token {
        let text: Task<String, any Error>
        let madeAt: Date
        let madeAtUptime: Duration
    }

    private struct Claims: JWTPayload {
        let aud: String
        let exp: Int
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let credentials: WebPushCredentials
    private let time: any TimeSource
    private var tokens = BoundedTable<String, Token>(capacity: VAPIDTokens.most)

    init(_ credentials: WebPushCredentials, time: any TimeSource) {
        self.credentials = credentials
        self.time = time
    }

    /// The value of the header `Authorization` for a service.
    ///
    /// - Parameter audience: the service's origin.
    /// - Throws: what signing throws.
    func authorization(for audience: String) async throws -> String {
        let token = token(for: audience)
        return "vapid t=\(try await token.text.value), k=\(credentials.key.publicKey)"
    }

    /// Has the next request to a service get a new token.
    func forget(_ audience: String) {
        tokens[audience] = nil
    }

    private func token(for audience: String) -> Token {
        let (now, uptime) = (time.now, time.uptime)
        if let token = tokens[audience], uptime - token.madeAtUptime < Self.use,
            // The machine's clock may have been set meanwhile.
            abs(now.timeIntervalSince(token.madeAt) - (uptime - token.madeAtUptime) / .seconds(1)) < 300
        {
            return token
        }
        let claims = Claims(
            aud: audience, exp: Int(now.addingTimeInterval(Self.life).timeIntervalSince1970), sub: credentials.contact)
        let key = credentials.key.privateKey
        let text = Task {
            let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(backing: key))
            return try await keys.sign(claims)
        }
        let token = Token(text: text, madeAt: now, madeAtUptime: uptime)
        tokens[audience] = token
        return token
    }
}
