import Core
import NIOCore
import Synchronization

/// Counts the open connections, in all and by remote address, and says which ones are too many.
final class ConnectionCounter: Sendable {
    private struct State {
        var total = 0
        var byAddress: [ClientNetwork: Int] = [:]
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let maximumPerAddress: Int
    private let log: LogLimiter

    init(settings: HTTPServerSettings, log: LogLimiter) {
        maximum = settings.maximumConnections
        maximumPerAddress = settings.maximumConnectionsPerAddress
        self.log = log
    }

    /// How many are open.
    var count: Int { state.withLock(\.total) }

    /// Counts a new connection, unless there are too many. The caller calls ``closed(_:)`` once for each counted one.
    func opened(_ address: SocketAddress?) -> Bool {
        let network = ClientNetwork(counting: address)
        let limit: String? = state.withLock { state in
            let same = network.map { state.byAddress[$0, default: 0] } ?? 0
            let limit: String? =
                if state.total >= maximum {
                    "limits.connections"
                } else if same >= maximumPerAddress {
                    "limits.connectionsPerAddress"
                } else {
                    nil
                }
            guard limit == nil else { return limit }
            state.total += 1
            if let network { state.byAddress[network] = same + 1 }
            return nil
        }
        if let limit { log.reached(limit, by: address?.ipAddress, "closed a new connection") }
        return limit == nil
    }

    func closed(_ address: SocketAddress?) {
        let network = ClientNetwork(counting: address)
        state.withLock { state in
            state.total -= 1
            guard let network, let count = state.byAddress[network] else { return }
            state.byAddress[network] = count > 1 ? count - 1 : nil
        }
    }
}

extension ClientNetwork {
    /// `nil` for loopback and local sockets, whose connections are not counted.
    fileprivate init?(counting address: SocketAddress?) {
        guard let text = address?.ipAddress, let address = IPAddress(text), !address.isLoopback else { return nil }
        self.init(address)
    }
}
