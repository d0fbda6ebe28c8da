import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long.
final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let time: TimeAmount
    private var timeout: Scheduled<Void>?

    init(time: Duration) {
        self.time = TimeAmount(time)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { timeout?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }
}
