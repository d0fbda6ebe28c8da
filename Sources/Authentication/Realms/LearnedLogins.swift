import Synchronization

/// The procedures that log users in although their scripts do not show it, with the realms to which they have: they call another
/// adapter's procedure that does.
final class LearnedLogins: Sendable {
    private struct State {
        var realms: [String: Set<String>] = [:]
        var delegates: Set<String> = []
    }

    private let state = Mutex(State())

    /// The realms to which a procedure has logged users in.
    subscript(key: String) -> Set<String> { state.withLock { $0.realms[key] ?? [] } }

    /// Whether a procedure has logged users in, or called one that does.
    func isLogin(_ key: String) -> Bool { state.withLock { $0.realms[key] != nil || $0.delegates.contains(key) } }

    func note(_ new: Set<String>, of key: String) {
        guard !new.isEmpty else { return }
        state.withLock { $0.realms[key, default: []].formUnion(new) }
    }

    /// Notes a procedure that has called one that logs users in.
    func noteDelegate(_ key: String) {
        state.withLock { _ = $0.delegates.insert(key) }
    }
}
