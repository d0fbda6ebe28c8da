import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// An open port.
struct Listener {
    /// The protocols on a port.
    enum Protocols: Sendable {
        case plain(@Sendable (any Channel) throws -> Void)
        /// The closure adds the handlers for the protocol that TLS agreed on (nil when the client named none).
        case secure(NIOSSLContext, @Sendable (any Channel, String?) throws -> Void)
    }

    let port: Int
    private let channel: any Channel

    static func open(
        _ name: String, host: String, port: Int, protocols: Protocols, connections: OpenConnections
    ) async throws -> Listener {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard connections.add(channel) else { throw ChannelError.ioOnClosedChannel }
                    try add(protocols, to: channel)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: host, port: port).get()
            return Listener(port: channel.localAddress?.port ?? port, channel: channel)
        } catch {
            let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
            let reason = isTaken ? "another program does already" : "\(error)"
            throw SandboxStartError(
                description:
                    "push-sandbox cannot listen on \(host):\(port) for \(name): \(reason); choose another port or address, or 0 for any free port"
            )
        }
    }

    private static func add(_ protocols: Protocols, to channel: any Channel) throws {
        switch protocols {
        case .plain(let addHandlers): try addHandlers(channel)
        case .secure(let context, let addHandlers):
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            try channel.pipeline.syncOperations.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    channel.eventLoop.makeCompletedFuture {
                        if case .negotiated(let name) = result {
                            try addHandlers(channel, name)
                        } else {
                            try addHandlers(channel, nil)
                        }
                    }
                })
            try channel.pipeline.syncOperations.addHandler(ErrorClosingHandler())
        }
    }

    func close() async { try? await channel.close() }
}

/// Closes the connection on unhandled errors, such as a failed handshake.
final class ErrorClosingHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// The connections of a sandbox, so that it can close them.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// - Returns: false when the sandbox is already stopping.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isOpen = state.withLock { state in
            if !state.isClosed { state.channels[id] = channel }
            return !state.isClosed
        }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.channels.removeValue(forKey: id) }
        }
        return isOpen
    }

    func closeAll() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { try? await channel.close() }
    }
}
