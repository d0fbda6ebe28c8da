import Logging
import Synchronization

/// A warning that a client can cause again and again: only the first, second, fourth, eighth … time is logged, so that a
/// flood does not fill the log.
final class RepeatedWarning: Sendable {
    private let count = Atomic(0)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// - Parameter text: the warning, to which the number of times so far is added.
    func warn(_ text: () -> String) {
        let count = count.add(1, ordering: .relaxed).newValue
        guard count & (count - 1) == 0 else { return }
        logger.warning("\(text()); \(count) so far")
    }
}
