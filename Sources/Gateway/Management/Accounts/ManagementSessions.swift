import Foundation
import PushModel
import Synchronization

/// Sessions of accounts that have logged in to the management API. They are in memory and end with the server.
final class ManagementSessions: Sendable {
    /// A session ends this long after its login.
    static let life = Duration.seconds(12 * 3600)
    /// Beyond this number the oldest session ends.
    private static let limit = 10_000

    private struct Session {
        let account: String
        let role: ManagementRole
        let end: Duration
    }

    private let time: any TimeSource
    /// By the hash of the session's token.
    private let sessions = Mutex<[String: Session]>([:])

    init(time: any TimeSource) {
        self.time = time
    }

    /// Begins a session.
    ///
    /// - Returns: its token.
    func begin(account: String, role: ManagementRole) -> String {
        let token = ManagementAccess.newToken()
        let now = time.uptime
        sessions.withLock { sessions in
            if sessions.count >= Self.limit {
                sessions = sessions.filter { $0.value.end > now }
                if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value.end < $1.value.end }) {
                    sessions[oldest.key] = nil
                }
            }
            sessions[ManagementAccess.hash(token)] = Session(account: account, role: role, end: now + Self.life)
        }
        return token
    }

    /// The account of a session and its role; `nil` when the session has ended.
    func account(hash: String) -> (name: String, role: ManagementRole)? {
        let now = time.uptime
        return sessions.withLock { sessions in
            guard let session = sessions[hash] else { return nil }
            guard session.end > now else {
                sessions[hash] = nil
                return nil
            }
            return (session.account, session.role)
        }
    }

    /// Ends a session.
    func end(hash: String) {
        sessions.withLock { $0[hash] = nil }
    }

    /// Ends all sessions of an account.
    func end(account: String) {
        sessions.withLock { sessions in sessions = sessions.filter { $0.value.account != account } }
    }
}
