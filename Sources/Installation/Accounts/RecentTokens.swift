import Core
import Foundation
import Synchronization

/// The API tokens that the store has confirmed in the last ten minutes, by their hashes.
///
/// While the store fails, they still read the findings and the metrics, and nothing more.
final class RecentTokens: Sendable {
    /// A token is remembered for this long after the store has confirmed it.
    static let life = Duration.seconds(600)

    private struct RecentToken {
        let name: String
        let expires: Date?
        let confirmed: Duration
    }

    private let time: any TimeSource
    private let tokens = Mutex(BoundedTable<String, RecentToken>(capacity: 1000))

    init(time: any TimeSource) {
        self.time = time
    }

    func confirm(_ hash: String, name: String, expires: Date?) {
        let token = RecentToken(name: name, expires: expires, confirmed: time.uptime)
        tokens.withLock { _ = $0.insert(token, forKey: hash) }
    }

    func forget(_ hash: String) { tokens.withLock { _ = $0.removeValue(forKey: hash) } }

    func forgetAll() { tokens.withLock { $0 = BoundedTable(capacity: $0.capacity) } }

    /// Returns the token's name; `nil` if it was not confirmed or has expired since.
    func name(of hash: String) -> String? {
        let token = tokens.withLock { $0[hash] }
        guard let token, time.uptime - token.confirmed < Self.life, token.expires.map({ $0 > time.now }) ?? true else {
            return nil
        }
        return token.name
    }
}
