import NIOCore
import NIOPosix
import Synchronization

/// A proxy between clients and a server on this machine, which simulates faults of the network.
public final class Relay: Sendable {
    public enum Fault: Sendable, Hashable {
        /// No fault: the bytes are passed on.
        case none
        /// Connections break as soon as one side sends something, also new ones.
        case breaks
        /// Bytes are dropped and connections stay open, also new ones, as behind a firewall that has dropped its state.
        case swallows
        /// The connection breaks when a client sends this string, before it reaches the server. The fault happens once.
        case losesRequest(String)
        /// The connection breaks after a client has sent this string to the server, so the response is lost. The fault happens once.
        case losesAnswer(String)
    }

    public let port: Int
    private let server: any Channel
    private let state = State()

    fileprivate final class State: Sendable {
        let fault = Mutex(Fault.none)
    }

    public init(to target: Int) throws {
        let state = state
        server = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: target).flatMapThrowing {
                    server in
                    try client.pipeline.syncOperations.addHandler(Pipe(to: server, state, isClient: true))
                    try server.pipeline.syncOperations.addHandler(Pipe(to: client, state, isClient: false))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        port = server.localAddress?.port ?? 0
    }

    deinit { server.close(promise: nil) }

    public func set(_ fault: Fault) { state.fault.withLock { $0 = fault } }

    private final class Pipe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let state: State
        private let isClient: Bool
        private var isDeaf = false

        init(to other: any Channel, _ state: State, isClient: Bool) {
            (self.other, self.state, self.isClient) = (other, state, isClient)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if isDeaf { return }
            let text = isClient ? String(buffer: bytes) : ""
            let fault = state.fault.withLock { fault in
                switch fault {
                case .losesRequest(let mark), .losesAnswer(let mark):
                    guard text.contains(mark) else { return Fault.none }
                    defer { fault = .none }
                    return fault
                case .none, .breaks, .swallows: return fault
                }
            }
            switch fault {
            case .none: other.writeAndFlush(bytes, promise: nil)
            // This connection has lost bytes, so it stays broken after the fault.
            case .swallows: isDeaf = true
            case .breaks, .losesRequest:
                context.close(promise: nil)
            case .losesAnswer:
                // The server reads the request, and its response finds no client.
                other.writeAndFlush(bytes, promise: nil)
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
