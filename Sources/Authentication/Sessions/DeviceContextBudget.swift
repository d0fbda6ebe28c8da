import Core
import Synchronization

/// Counts the memory that sessions take for device contexts, in all and by network.
///
/// Only sessions without a checked user are refused: anybody can begin such sessions, and each may send a context.
public final class DeviceContextBudget: Sendable {
    /// The most bytes of memory.
    public struct Limits: Sendable, Hashable {
        /// 256 MB: 25,000 phones that see 30 networks each.
        public var total = 256 << 20
        /// 32 MB: 3,000 such phones behind one address.
        public var perNetwork = 32 << 20

        public init() {}
    }

    fileprivate let held: NetworkBudget<String>

    public init(limits: Limits = Limits()) {
        held = NetworkBudget(total: limits.total, perNetwork: limits.perNetwork)
    }

    /// The bytes that count now.
    package var total: Int { held.total }
}

/// The part of a ``DeviceContextBudget`` that one session takes. It returns to the budget when the session is released.
final class DeviceContextCharge: Sendable {
    private let budget: DeviceContextBudget
    private let network: String?
    private let bytes = Mutex(0)

    init(to budget: DeviceContextBudget, at network: String?) {
        (self.budget, self.network) = (budget, network)
    }

    deinit {
        _ = resize(to: 0, isLimited: false)
    }

    /// - Parameter isLimited: whether the size stays where the budget has no room.
    /// - Returns: whether the size has changed.
    func resize(to size: Int, isLimited: Bool) -> Bool {
        bytes.withLock { bytes in
            if size <= bytes {
                budget.held.release(bytes - size, of: network)
            } else if budget.held.admit(size - bytes, of: network, isLimited: isLimited) != nil {
                return false
            }
            bytes = size
            return true
        }
    }
}
