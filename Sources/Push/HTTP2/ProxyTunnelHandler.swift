import NIOCore

/// Holds a handshake with a proxy at the front of a new connection and then gets out of the way.
final class ProxyTunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var handshake: any ProxyHandshake
    private let name: String
    private let opened: EventLoopPromise<Void>
    private var received = ByteBuffer()
    private var isDone = false

    /// - Parameters:
    ///   - name: the proxy's, for errors.
    ///   - opened: succeeds when the connection through the proxy is established.
    init(_ handshake: any ProxyHandshake, name: String, opened: EventLoopPromise<Void>) {
        self.handshake = handshake
        self.name = name
        self.opened = opened
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(handshake.begin()), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        received.writeBuffer(&data)
        do {
            while !isDone {
                switch try handshake.read(&received) {
                case .more: return
                case .say(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                case .open:
                    isDone = true
                    opened.succeed()
                }
            }
        } catch {
            fail("\(error)", context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("it closed the connection", context: context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("\(error)", context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail("the connection was abandoned", context: context)
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
    }

    private func fail(_ reason: String, context: ChannelHandlerContext) {
        guard !isDone else { return }
        isDone = true
        opened.fail(ProxyHandshakeError(description: "the proxy \(name): \(reason)"))
        context.close(promise: nil)
    }
}

/// The messages to a proxy until the connection through it is established.
protocol ProxyHandshake: Sendable {
    /// Returns the first message.
    mutating func begin() -> ByteBuffer

    /// Reads what the proxy said; bytes that are not part of it yet stay in the buffer.
    ///
    /// - Throws: ``ProxyHandshakeError`` when the proxy wants no connection, or speaks something else.
    mutating func read(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep
}

enum ProxyHandshakeStep: Sendable {
    /// More has to come.
    case more
    /// Send these bytes next.
    case say(ByteBuffer)
    /// The connection is established; all further bytes come from the service.
    case open
}

/// The reason why there is no connection through a proxy.
struct ProxyHandshakeError: Error, CustomStringConvertible {
    let description: String
}

extension EgressProxy {
    /// The handshake that asks this proxy for a connection.
    func handshake(to host: String, port: Int) -> any ProxyHandshake {
        switch kind {
        case .http: HTTPConnectHandshake(host: host, port: port, login: login)
        case .socks: SOCKS5Handshake(host: host, port: port, login: login)
        }
    }
}
