import NIOCore

/// Passes what one connection receives on to another of the same event loop, no faster than that takes it.
final class GlueHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let partner: any Channel
    private var wantsToRead = false

    init(to partner: any Channel) {
        self.partner = partner
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        partner.write(unwrapInboundIn(data), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        partner.flush()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A close would drop what the partner's client has not taken yet: this write is done when all before it are.
        let partner = partner
        partner.writeAndFlush(ByteBuffer()).whenComplete { _ in partner.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        if partner.isWritable {
            context.read()
        } else {
            wantsToRead = true
        }
    }

    /// This connection takes bytes again, so the other may read more of them.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner.pipeline.fireUserInboundEventTriggered(PartnerIsWritable()) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is PartnerIsWritable else { return context.fireUserInboundEventTriggered(event) }
        if wantsToRead {
            wantsToRead = false
            context.read()
        }
    }

    private struct PartnerIsWritable {}
}
