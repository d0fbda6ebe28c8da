import Authentication
import Synchronization

/// The newest sessions by their instance ids, for as long as their clients have not shown the cookie and the id together.
///
/// A client that sends the id back without the cookie does not keep cookies. Each further challenge would begin one more session,
/// about 20 times a second, since clients never give up (wire-protocol 13).
final class UnprovenSessions: Sendable {
    private struct Entry {
        weak var session: ServerSession?
    }

    private struct State {
        var newer: [String: Entry] = [:]
        var older: [String: Entry] = [:]
    }

    /// Twice as many are remembered at most.
    private static let generation = 5000

    private let state = Mutex(State())

    /// Remembers a session that has just begun.
    func note(_ session: ServerSession) {
        state.withLock { state in
            if state.newer.count >= Self.generation {
                state.older = state.newer
                state.newer = [:]
            }
            state.newer[session.instanceID] = Entry(session: session)
        }
    }

    /// Whether an instance id is that of a session whose client has not come back with its cookie.
    func contains(instanceID: String) -> Bool {
        let session = state.withLock { ($0.newer[instanceID] ?? $0.older[instanceID])?.session }
        return session.map { !$0.isProven } ?? false
    }
}
