import Authentication
import Synchronization

/// The sessions of the logins that tokens stand for. A token ends with its login, and a login with its session at the latest.
///
/// In memory, as sessions are: after a restart users log in again.
final class TokenLogins: Sendable {
    private struct Entry {
        weak var session: ServerSession?
        let realm: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// At so many entries those of ended sessions are removed.
        var nextPurge = 1000
    }

    private let state = Mutex(State())

    /// Remembers a login for which a token may be issued.
    func note(_ login: RealmLogin, of session: ServerSession) {
        state.withLock { state in
            state.entries[login.id] = Entry(session: session, realm: login.realm)
            guard state.entries.count >= state.nextPurge else { return }
            state.entries = state.entries.filter { id, entry in entry.session?.hasLogin(id, to: entry.realm) ?? false }
            state.nextPurge = max(1000, state.entries.count * 2)
        }
    }

    /// The session in which a login was made, if that is still in memory. It may be over all the same.
    func session(of login: String) -> ServerSession? {
        state.withLock { $0.entries[login]?.session }
    }
}
