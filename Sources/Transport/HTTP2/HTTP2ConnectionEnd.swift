import NIOCore
import NIOHTTP2

/// Closes an HTTP/2 connection where NIOHTTP2 leaves it open:
/// - a while after the server has said goodbye, also when the client does not react to that;
/// - when the client has closed its side, for which HTTP/2 has no use;
/// - when the client broke a rule or a limit.
final class HTTP2ConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let goodbyeTime: TimeAmount
    private var closing: Scheduled<Void>?

    init(goodbyeTime: Duration) {
        self.goodbyeTime = TimeAmount(goodbyeTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        closing?.cancel()
        closing = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .goAway = unwrapOutboundIn(data).payload, closing == nil {
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: goodbyeTime) { context.close(promise: nil) }
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
