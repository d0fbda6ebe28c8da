import Synchronization

/// Lets something be said only once.
public final class OncePerKey: Sendable {
    private let seen = Mutex<Set<String>>([])

    /// More are not remembered, since scripts make keys of what clients send; they count as seen.
    private static let capacity = 1000

    public init() {}

    /// Whether this is the first time that `key` is asked about.
    public func isFirst(_ key: String) -> Bool {
        let key = String(key.prefix(200))
        return seen.withLock { seen in
            seen.count < Self.capacity && seen.insert(key).inserted
        }
    }
}
