import Core
import Foundation
import JWTKit
import Synchronization

/// The provider tokens of one key: one at a time, for every connection and every application that uses the key.
///
/// Apple wants a token to be renewed at most every 20 minutes and at least every 60 (anchors F1). It is renewed after 50
/// to 53 minutes. Its age is measured by the monotonic clock. The time of day in it counts too, so that a token signed before a
/// clock change is replaced.
final class APNsProviderTokens: Sendable {
    struct Token: Sendable, Hashable {
        /// The value of the `authorization` header field.
        let header: String
        /// The time of day in it.
        let issuedAt: Date
        let issuedAtUptime: Duration
        let renewAtUptime: Duration
    }

    private struct Payload: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private struct State {
        var current: Token?
        var previous: Token?
        /// The earliest time of the next renewal.
        var notBefore = Duration.zero
        var renewal: Task<Token, any Error>?
    }

    /// The reaction to a token that the service rejected as expired.
    enum Expiry: Sendable, Hashable {
        /// Send again with the new token.
        case renewed
        /// The token is too new to have expired, and too new to replace: a clock is wrong.
        case clockTrouble(reason: String)
    }

    static let shortestLife = Duration.seconds(20 * 60)
    private static let usualLife = 50.0 * 60
    private static let longestJitter = 3.0 * 60
    private static let longestLife = Duration.seconds(58 * 60)
    /// The clock may be this many seconds behind before a token is renewed.
    private static let clockTolerance = 60.0

    private let key: APNsTokenKey
    private let keys = JWTKeyCollection()
    private let time: any TimeSource
    private let state = Mutex(State())

    init(key: APNsTokenKey, time: any TimeSource) {
        self.key = key
        self.time = time
    }

    /// The token to send with.
    func current() async throws -> Token {
        let (uptime, now) = (time.uptime, time.now)
        let step: (token: Token?, renewal: Task<Token, any Error>?) = state.withLock { state in
            if let token = state.current, uptime < state.notBefore || !isDue(token, uptime: uptime, now: now) {
                return (token, nil)
            }
            let renewal = state.renewal ?? Task { try await self.renew() }
            state.renewal = renewal
            return (nil, renewal)
        }
        if let token = step.token { return token }
        guard let renewal = step.renewal else { throw CancellationError() }
        return try await renewal.value
    }

    private func isDue(_ token: Token, uptime: Duration, now: Date) -> Bool {
        let age = now.timeIntervalSince(token.issuedAt)
        return uptime >= token.renewAtUptime || age < -Self.clockTolerance
            || age >= Self.usualLife + Self.longestJitter
    }

    private func renew() async throws -> Token {
        defer { state.withLock { $0.renewal = nil } }
        let identifier = JWKIdentifier(string: key.keyID)
        await keys.add(ecdsa: try ES256PrivateKey(pem: key.pem), kid: identifier)
        let (now, uptime) = (time.now, time.uptime)
        let text = try await keys.sign(
            Payload(iss: key.teamID, iat: Int(now.timeIntervalSince1970)), kid: identifier)
        let life = Duration.seconds(Self.usualLife + Double.random(in: 0...Self.longestJitter))
        let token = Token(
            header: "bearer \(text)", issuedAt: now, issuedAtUptime: uptime, renewAtUptime: uptime + life)
        state.withLock { state in
            state.previous = state.current
            state.current = token
            state.notBefore = uptime + Self.shortestLife
        }
        return token
    }

    /// The service said `ExpiredProviderToken`.
    ///
    /// - Parameter token: the one that was sent.
    func expired(_ token: Token) -> Expiry {
        let (uptime, now) = (time.uptime, time.now)
        return state.withLock { state in
            guard state.current == token else { return .renewed }
            guard uptime < state.notBefore else {
                // Kept but due for renewal: the next caller makes another token.
                state.current = Token(
                    header: token.header, issuedAt: token.issuedAt, issuedAtUptime: token.issuedAtUptime,
                    renewAtUptime: uptime)
                return .renewed
            }
            let age = Int((uptime - token.issuedAtUptime).inSeconds)
            return .clockTrouble(
                reason: """
                    APNs calls a provider token too old that is \(age) s old: this machine's clock is wrong, or Apple's \
                    is; it is \(now.ISO8601Format()) here. Set the clock
                    """)
        }
    }

    /// The service said `TooManyProviderTokenUpdates`: the token that was used before goes on, if it is still good, and
    /// there is no other for as long as one may not be asked for.
    func rest() {
        let uptime = time.uptime
        state.withLock { state in
            state.notBefore = uptime + Self.shortestLife
            if let previous = state.previous, uptime - previous.issuedAtUptime < Self.longestLife {
                state.current = previous
            }
            state.previous = nil
        }
    }
}
