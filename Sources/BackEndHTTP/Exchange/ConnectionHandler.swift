import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL

/// Stands next to the encoder of each of AsyncHTTPClient's connections, and does two things that AsyncHTTPClient leaves out.
///
/// - It puts the request target into the request line exactly as it was asked for. AsyncHTTPClient takes URLs and would encode
///   parts of them anew; so the target travels in a header until it comes here.
/// - It tells whether a request may be sent again: a connection that was kept may turn out to be closed
///   (``KeptConnectionClosed``).
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Never sent.
    static let targetHeader = "Lamplighter-Request-Target"

    /// How many requests this connection has had.
    private var requests = 0
    /// Whether the first byte of an answer is still to come.
    private var isWaiting = false
    /// Whether the connection was found closed before the last request was sent on it.
    private var isStale = false

    /// Adds a handler to a connection of AsyncHTTPClient's, next to its encoder.
    @Sendable static func install(in channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(ConnectionHandler(), position: .after(encoder))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part {
            requests += 1
            isWaiting = true
            if requests > 1, Self.isClosedByPeer(context.channel) { abandon(context) }
        }
        guard !isStale else {
            promise?.fail(KeptConnectionClosed(isSent: false))
            return
        }
        context.write(wrapOutboundOut(Self.withTarget(part)), promise: translating(promise, context.eventLoop))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isKeptAndWaiting { context.fireErrorCaught(KeptConnectionClosed(isSent: !isStale)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(translated(error))
    }

    private var isKeptAndWaiting: Bool { requests > 1 && isWaiting }

    /// Closes the connection. Not at once: AsyncHTTPClient is in the middle of sending.
    private func abandon(_ context: ChannelHandlerContext) {
        isStale = true
        let channel = context.channel
        context.eventLoop.execute { channel.close(promise: nil) }
    }

    /// - Parameter loop: the connection's event loop. The promise's may be another one: that of the request.
    private func translating(_ promise: EventLoopPromise<Void>?, _ loop: any EventLoop) -> EventLoopPromise<Void>? {
        guard isKeptAndWaiting, let promise else { return promise }
        let own = loop.makePromise(of: Void.self)
        own.futureResult.assumeIsolated().whenComplete { result in
            promise.completeWith(result.mapError(self.translated))
        }
        return own
    }

    private func translated(_ error: any Error) -> any Error {
        guard isKeptAndWaiting else { return error }
        return switch error {
        case let error as IOError where [ECONNRESET, EPIPE, ENOTCONN].contains(error.errnoCode):
            KeptConnectionClosed(isSent: !isStale)
        case ChannelError.ioOnClosedChannel, ChannelError.eof, NIOSSLError.uncleanShutdown:
            KeptConnectionClosed(isSent: !isStale)
        default: error
        }
    }

    private static func withTarget(_ part: HTTPClientRequestPart) -> HTTPClientRequestPart {
        guard case .head(var head) = part, let target = head.headers.first(name: targetHeader) else { return part }
        head.uri = target
        head.headers.remove(name: targetHeader)
        return .head(head)
    }

    /// Whether the peer has closed the connection, which the event loop may not have noticed yet.
    private static func isClosedByPeer(_ channel: any Channel) -> Bool {
        var isOpen = true
        (channel as? any SocketOptionProvider)?.getTCPInfo().assumeIsolated().whenSuccess { info in
            isOpen = Int(info.tcpi_state) == TCP_ESTABLISHED
        }
        return !isOpen
    }
}

/// A connection that was kept closed before the first byte of the answer arrived.
struct KeptConnectionClosed: Error {
    /// Whether any of the request may have been sent.
    let isSent: Bool
}
