import Core
import NIOCore

/// Counts the open connections, in all and by remote address, and says which ones are too many.
final class ConnectionCounter: Sendable {
    private let connections: NetworkBudget<ClientNetwork>
    private let log: LogLimiter

    init(settings: HTTPServerSettings, log: LogLimiter) {
        connections = NetworkBudget(
            total: settings.maximumConnections, perNetwork: settings.maximumConnectionsPerAddress)
        self.log = log
    }

    /// The number of open connections.
    var count: Int { connections.total }

    /// Counts a new connection, unless there are too many. The caller calls ``closed(_:)`` once for each counted one.
    func opened(_ address: SocketAddress?) -> Bool {
        let limit: String
        switch connections.admit(1, of: ClientNetwork(counting: address)) {
        case .total: limit = "limits.connections"
        case .perNetwork: limit = "limits.connectionsPerAddress"
        case nil: return true
        }
        log.reached(limit, by: address?.ipAddress, "closed a new connection")
        return false
    }

    func closed(_ address: SocketAddress?) {
        connections.release(1, of: ClientNetwork(counting: address))
    }
}

extension ClientNetwork {
    /// `nil` for loopback and local sockets, whose connections are not counted.
    fileprivate init?(counting address: SocketAddress?) {
        guard let text = address?.ipAddress, let address = IPAddress(text), !address.isLoopback else { return nil }
        self.init(address)
    }
}
