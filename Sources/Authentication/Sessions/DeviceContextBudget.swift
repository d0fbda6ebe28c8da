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

    private struct State {
        var total = 0
        var byNetwork: [String: Int] = [:]
    }

    private let limits: Limits
    private let state = Mutex(State())

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The bytes that count now.
    public var total: Int { state.withLock { $0.total } }

    /// Adds to what counts, or takes from it.
    ///
    /// - Parameter isLimited: whether nothing is added where there is no room.
    /// - Returns: whether it was added.
    fileprivate func change(by bytes: Int, at network: String?, isLimited: Bool) -> Bool {
        state.withLock { state in
            let same = network.map { state.byNetwork[$0] ?? 0 } ?? 0
            if bytes > 0, isLimited {
                guard state.total + bytes <= limits.total else { return false }
                guard network == nil || same + bytes <= limits.perNetwork else { return false }
            }
            state.total += bytes
            if let network { state.byNetwork[network] = same + bytes > 0 ? same + bytes : nil }
            return true
        }
    }
}

/// The part of a ``DeviceContextBudget`` that one session takes. It is given back when the session is released.
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
            guard budget.change(by: size - bytes, at: network, isLimited: isLimited) else { return false }
            bytes = size
            return true
        }
    }
}
