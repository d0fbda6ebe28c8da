import Core
import HTTPTypes
import NIOCore
import Synchronization

/// Counts the bytes of bodies of unknown clients that the server holds, in all and by address.
final class BodyBudget: Sendable {
    let rules: RequestBodyRules
    fileprivate let held: NetworkBudget<ClientNetwork>

    init(_ rules: RequestBodyRules) {
        self.rules = rules
        held = NetworkBudget(total: rules.maximumBytes, perNetwork: rules.maximumBytesPerAddress)
    }
}

/// The bytes that the bodies of one connection may hold before the budget counts them: of all its requests together, since a
/// connection of HTTP/2 has a hundred at a time.
final class BodyAllowance: Sendable {
    fileprivate let budget: BodyBudget
    private let left: Mutex<Int>

    init(_ budget: BodyBudget) {
        self.budget = budget
        left = Mutex(budget.rules.uncountedBytes)
    }

    var rules: RequestBodyRules { budget.rules }

    /// Takes as many of these bytes as there are left.
    fileprivate func take(_ bytes: Int) -> Int {
        left.withLock { left in
            let taken = min(bytes, left)
            left -= taken
            return taken
        }
    }

    fileprivate func give(_ bytes: Int) { left.withLock { $0 += bytes } }
}

/// The body of one request. Its bytes are returned to the budget when it is released: after the response, or when the connection is closed.
final class BodyAccount {
    private let allowance: BodyAllowance
    private var length = 0
    private var allowed = 0
    private var counted = 0
    private var sender: RequestBodyRules.Sender?

    init(_ allowance: BodyAllowance) { self.allowance = allowance }

    deinit {
        allowance.give(allowed)
        if case .unknown(let network) = sender { allowance.budget.held.release(counted, of: network) }
    }

    /// Counts a part that has arrived.
    ///
    /// - Parameters:
    ///   - peer: the connection's peer; like `headers` not evaluated while its bodies are short.
    ///   - headers: the request's.
    /// - Returns: the refusal when the server holds too many already.
    func receive(_ bytes: Int, peer: @autoclosure () -> SocketAddress?, headers: () -> HTTPFields) -> RejectionReason? {
        length += bytes
        guard length <= allowance.rules.longestBody else { return .bodyTooLong }
        let free = allowance.take(bytes)
        allowed += free
        guard bytes > free else { return nil }
        let sender = sender ?? allowance.rules.sender(headers(), peer())
        self.sender = sender
        guard case .unknown(let network) = sender else { return nil }
        switch allowance.budget.held.admit(bytes - free, of: network) {
        case .total: return .tooManyBodies
        case .perNetwork: return .tooManyBodiesFromAddress
        case nil:
            counted += bytes - free
            return nil
        }
    }
}
