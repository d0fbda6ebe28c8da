import Synchronization

/// Counts an amount that clients hold, such as bytes or connections: in all, and for each network.
///
/// An entry lasts as long as its network holds something. None is evicted, since that would free the network from its limit.
package final class NetworkBudget<Network: Hashable & Sendable>: Sendable {
    /// A limit that an amount would exceed.
    package enum Limit: Sendable {
        case total, perNetwork
    }

    private struct Amounts {
        var total = 0
        var byNetwork: [Network: Int] = [:]
    }

    private let mostInAll: Int
    private let mostPerNetwork: Int
    private let held = Mutex(Amounts())

    /// - Parameters:
    ///   - total: the most that all clients may hold.
    ///   - perNetwork: the most that the clients of one network may hold.
    package init(total: Int = .max, perNetwork: Int) {
        (mostInAll, mostPerNetwork) = (total, perNetwork)
    }

    /// The amount that is held in all.
    package var total: Int { held.withLock { $0.total } }

    /// Adds an amount, unless that exceeds a limit.
    ///
    /// - Parameters:
    ///   - network: `nil` for clients that only the limit of all counts for.
    ///   - isLimited: whether the limits apply. Without, the amount is added in any case.
    /// - Returns: the limit that the amount would exceed; `nil` when it was added.
    package func admit(_ amount: Int, of network: Network?, isLimited: Bool = true) -> Limit? {
        held.withLock { held in
            let own = network.map { held.byNetwork[$0, default: 0] } ?? 0
            if isLimited {
                guard held.total <= mostInAll - amount else { return .total }
                guard network == nil || own <= mostPerNetwork - amount else { return .perNetwork }
            }
            held.total += amount
            if let network { held.byNetwork[network] = own + amount }
            return nil
        }
    }

    /// Takes off an amount that was added.
    package func release(_ amount: Int, of network: Network?) {
        held.withLock { held in
            held.total -= amount
            guard let network, let own = held.byNetwork[network] else { return }
            held.byNetwork[network] = own > amount ? own - amount : nil
        }
    }
}
