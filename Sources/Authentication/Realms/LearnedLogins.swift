import Synchronization

/// The realms to which procedures have logged users in, by procedure.
///
/// The scripts of some procedures do not show this, because they call another adapter's procedure that logs the user in.
final class LearnedLogins: Sendable {
    private let realms = Mutex<[String: Set<String>]>([:])

    subscript(key: String) -> Set<String> { realms.withLock { $0[key] ?? [] } }

    func note(_ new: Set<String>, of key: String) {
        guard !new.isEmpty else { return }
        realms.withLock { $0[key, default: []].formUnion(new) }
    }
}
