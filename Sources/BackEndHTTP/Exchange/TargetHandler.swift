import NIOCore
import NIOHTTP1

/// Puts the request target into the request line exactly as it was asked for. AsyncHTTPClient takes URLs and would
/// encode parts of them anew; so the target travels in a header until it comes here.
final class TargetHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Never sent.
    static let header = "Lamplighter-Request-Target"

    /// Adds a handler to a connection of AsyncHTTPClient's, next to its encoder.
    @Sendable static func install(in channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(TargetHandler(), position: .after(encoder))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), let target = head.headers.first(name: Self.header) else {
            context.write(data, promise: promise)
            return
        }
        head.uri = target
        head.headers.remove(name: Self.header)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
