import Synchronization

/// Ends calls whose result is no longer needed, from any thread: those that run, with ``LimitExceededError/Limit/interrupted``, and
/// those that begin later. An interruption is permanent, so it may be requested before the call begins.
///
/// A native function that blocks runs to its end, unless it checks ``ScriptContext/isGivenUp``.
public final class Interruption: Sendable {
    private let isRequested = Atomic(false)
    private let text = Mutex("")

    public init() {}

    /// Ends the calls. The first reason counts.
    public func request(_ reason: String) {
        text.withLock { text in
            guard !isRequested.load(ordering: .relaxed) else { return }
            text = reason
            isRequested.store(true, ordering: .releasing)
        }
    }

    /// The reason why the calls end; `nil` while they need not.
    public var reason: String? {
        isRequested.load(ordering: .acquiring) ? text.withLock { $0 } : nil
    }
}
