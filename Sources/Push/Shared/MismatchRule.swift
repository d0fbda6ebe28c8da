import Synchronization

/// Decides whose fault it is when a service says that a device's token does not belong to the credential: the device's,
/// which registered with another project long ago, or the credential's, which is another application's.
///
/// The credential's, as long as nothing at all has been taken with it, or when ``limit`` messages in a row were answered so.
/// Otherwise the device's: its messages must not hold up everybody else's.
final class MismatchRule: Sendable {
    private let limit: Int
    /// How many in a row were mismatches. It starts at the limit: a credential has to prove itself first.
    private let inARow: Mutex<Int>

    init(limit: Int = 20) {
        self.limit = limit
        inARow = Mutex(limit)
    }

    /// The service took a message.
    func taken() {
        inARow.withLock { $0 = 0 }
    }

    /// The service said that token and credential do not belong together.
    ///
    /// - Returns: whether it is the credential's fault.
    func mismatched() -> Bool {
        inARow.withLock { count in
            count = min(count + 1, limit)
            return count >= limit
        }
    }
}
