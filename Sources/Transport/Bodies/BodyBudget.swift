import HTTPTypes
import NIOCore
import Synchronization

/// Counts the bytes of bodies of unknown clients that the server holds, in all and by address.
final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var byNetwork: [ClientNetwork: Int] = [:]
    }

    let rules: RequestBodyRules
    private let state = Mutex(State())

    init(_ rules: RequestBodyRules) { self.rules = rules }

    /// How many bytes are held.
    var total: Int { state.withLock(\.total) }

    /// Counts bytes, unless they are too many.
    ///
    /// - Returns: the answer when they are.
    fileprivate func take(_ bytes: Int, from network: ClientNetwork?) -> Refusal? {
        state.withLock { state in
            guard state.total + bytes <= rules.maximumBytes else { return .tooManyBodies }
            if let network {
                let same = state.byNetwork[network, default: 0]
                guard same + bytes <= rules.maximumBytesPerAddress else { return .tooManyBodiesFromAddress }
                state.byNetwork[network] = same + bytes
            }
            state.total += bytes
            return nil
        }
    }

    fileprivate func give(_ bytes: Int, of network: ClientNetwork?) {
        state.withLock { state in
            state.total -= bytes
            guard let network, let same = state.byNetwork[network] else { return }
            state.byNetwork[network] = same > bytes ? same - bytes : nil
        }
    }
}

/// The body of one request, as far as the budget counts it. Its bytes are given back when it is released, which is when the
/// request has been answered or its connection is gone.
final class BodyAccount {
    private let budget: BodyBudget
    private var received = 0
    private var counted = 0
    private var sender: RequestBodyRules.Sender?

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit {
        if case .unknown(let network) = sender { budget.give(counted, of: network) }
    }

    /// Counts a part that has arrived.
    ///
    /// - Parameter headers: the request's; not asked for when the body is short.
    /// - Returns: the answer when the server holds too many already.
    func receive(_ bytes: Int, peer: SocketAddress?, headers: () -> HTTPFields) -> Refusal? {
        received += bytes
        guard received > budget.rules.uncountedBytes else { return nil }
        let sender = sender ?? budget.rules.sender(headers(), peer)
        self.sender = sender
        guard case .unknown(let network) = sender else { return nil }
        let more = received - budget.rules.uncountedBytes - counted
        if let refusal = budget.take(more, from: network) { return refusal }
        counted += more
        return nil
    }
}
