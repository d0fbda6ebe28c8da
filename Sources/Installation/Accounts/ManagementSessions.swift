import Core
import Foundation
import Synchronization

/// Sessions of accounts that have logged in to the management API. They are in memory and end with the server.
package final class ManagementSessions: Sendable {
    /// A session ends this long after its login.
    package static let life = Duration.seconds(12 * 3600)
    /// Beyond this number the oldest session of the account ends.
    private static let limitPerAccount = 20

    private struct Session {
        let account: String
        let role: ManagementRole
        let end: Duration
    }

    private let time: any TimeSource
    private struct State {
        /// Keyed by the hash of the session's token.
        var sessions: [String: Session] = [:]
        var ends = 0
    }

    private let state = Mutex(State())
    let recentTokens: RecentTokens

    init(time: any TimeSource) {
        self.time = time
        recentTokens = RecentTokens(time: time)
    }

    /// Forgets the API tokens that were confirmed lately, since one was removed.
    package func forgetTokens() { recentTokens.forgetAll() }

    /// The number of times that sessions of accounts were ended. A login that began before such an end must not succeed after it.
    package var ends: Int { state.withLock { $0.ends } }

    /// Begins a session.
    ///
    /// - Parameter ends: ``ends`` from before the password was checked.
    /// - Returns: its token; `nil` when accounts were changed meanwhile.
    package func begin(account: String, role: ManagementRole, ends: Int) -> String? {
        let token = ManagementAccess.newToken()
        let now = time.uptime
        return state.withLock { state in
            guard state.ends == ends else { return nil }
            state.sessions = state.sessions.filter { $0.value.end > now }
            let own = state.sessions.filter { $0.value.account == account }
            if own.count >= Self.limitPerAccount, let oldest = own.min(by: { $0.value.end < $1.value.end }) {
                state.sessions[oldest.key] = nil
            }
            state.sessions[ManagementAccess.hash(token)] = Session(account: account, role: role, end: now + Self.life)
            return token
        }
    }

    /// The accounts with sessions: role, and the number of sessions.
    package var accounts: [(name: String, role: ManagementRole, count: Int)] {
        let now = time.uptime
        let sessions = state.withLock { $0.sessions.values.filter { $0.end > now } }
        return Dictionary(grouping: sessions, by: \.account).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.map(\.role).max() ?? .monitor, $0.value.count) }
    }

    /// The account of a session and its role; `nil` when the session has ended.
    package func account(hash: String) -> (name: String, role: ManagementRole)? {
        let now = time.uptime
        return state.withLock { state in
            guard let session = state.sessions[hash], session.end > now else { return nil }
            return (session.account, session.role)
        }
    }

    /// Ends a session.
    package func end(hash: String) {
        state.withLock { $0.sessions[hash] = nil }
    }

    /// Ends all sessions of an account.
    ///
    /// - Returns: the number of sessions.
    @discardableResult
    package func end(account: String) -> Int {
        state.withLock { state in
            let before = state.sessions.count
            state.sessions = state.sessions.filter { $0.value.account != account }
            state.ends += 1
            return before - state.sessions.count
        }
    }
}
