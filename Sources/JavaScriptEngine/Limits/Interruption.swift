import Synchronization

/// Has calls end whose result nobody wants any more, from any thread: those that run, with ``LimitExceededError/Limit/interrupted``, and
/// those that begin later. What was asked for once holds for good, so it cannot come too early.
///
/// A native function that waits is waited for, unless it looks at ``ScriptContext/isGivenUp``.
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

    /// Why the calls end; `nil` while they need not.
    public var reason: String? {
        isRequested.load(ordering: .acquiring) ? text.withLock { $0 } : nil
    }
}
