import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Writes the request target into the request line byte for byte: AsyncHTTPClient makes it anew from a URL, and gateways
/// compare. It is also how a plain request reaches a proxy, which wants the whole address there.
///
/// Until it comes here, the target travels in a header that is never sent.
final class RequestTargetHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    static let header = "Lamplighter-SMS-Target"

    /// Adds one to a connection of AsyncHTTPClient's.
    @Sendable static func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let operations = channel.pipeline.syncOperations
            let encoder = try operations.handler(type: HTTPRequestEncoder.self)
            try operations.addHandler(RequestTargetHandler(), position: .after(encoder))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let target = head.headers.first(name: Self.header) {
                head.uri = target
                head.headers.remove(name: Self.header)
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        default:
            context.write(data, promise: promise)
        }
    }
}
