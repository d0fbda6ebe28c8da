import Core
import Crypto
public import Foundation
import Synchronization

/// The authorization codes that wait to be redeemed, in memory (wire-protocol 8, steps authorize and token).
///
/// A code is 256 random bits and allows one try within a minute: a wrong one spends it too. Only its hash is kept.
public final class AuthorizationCodes: Sendable {
    /// The time within which a code can be redeemed.
    public static let lifetime = Duration.seconds(60)
    /// The largest number of codes of one client; a further one replaces its oldest.
    public static let limitPerClient = 8

    fileprivate struct Entry {
        let grant: AuthorizationGrant
        let expires: Date
    }

    fileprivate struct State {
        var entries: [SHA256.Digest: Entry] = [:]
        /// Each client's codes, the oldest first.
        var clients: [String: [SHA256.Digest]] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - limit: how many codes are kept at most.
    ///   - clock: returns the time.
    public init(limit: Int = 10_000, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.limit = limit
        self.clock = clock
    }

    /// Makes a code: 43 characters of base64url.
    ///
    /// - Throws: ``AuthorizationCodeError/tooMany``.
    public func makeCode(for grant: AuthorizationGrant) throws(AuthorizationCodeError) -> String {
        let code = Base64URL.encode(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        let digest = SHA256.hash(data: Data(code.utf8))
        let now = clock()
        let entry = Entry(grant: grant, expires: now.addingTimeInterval(Self.lifetime / .seconds(1)))
        let isKept = state.withLock { state in
            if let own = state.clients[grant.clientId], own.count >= Self.limitPerClient { state.remove(own[0]) }
            if state.entries.count >= limit { state.removeExpired(at: now) }
            guard state.entries.count < limit else { return false }
            state.entries[digest] = entry
            state.clients[grant.clientId, default: []].append(digest)
            return true
        }
        guard isKept else { throw .tooMany }
        return code
    }

    /// Spends the code.
    ///
    /// - Parameters:
    ///   - code: as the client sent it.
    ///   - clientId: who sent it.
    ///   - redirectURI: as the client sent it.
    /// - Throws: ``AuthorizationCodeError``.
    public func redeem(
        _ code: String, clientId: String, redirectURI: String
    ) throws(AuthorizationCodeError) -> AuthorizationGrant {
        let digest = SHA256.hash(data: Data(code.utf8))
        guard let entry = state.withLock({ $0.remove(digest) }), clock() < entry.expires else { throw .unknown }
        guard entry.grant.clientId == clientId else { throw .client }
        guard entry.grant.redirectURI == redirectURI else { throw .redirectURI }
        return entry.grant
    }
}

extension AuthorizationCodes.State {
    @discardableResult
    fileprivate mutating func remove(_ digest: SHA256.Digest) -> AuthorizationCodes.Entry? {
        guard let entry = entries.removeValue(forKey: digest) else { return nil }
        let client = entry.grant.clientId
        clients[client]?.removeAll { $0 == digest }
        if clients[client]?.isEmpty == true { clients[client] = nil }
        return entry
    }

    fileprivate mutating func removeExpired(at now: Date) {
        for (digest, entry) in entries where entry.expires <= now { remove(digest) }
    }
}
