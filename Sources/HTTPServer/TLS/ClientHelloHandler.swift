import Core
import Logging
import NIOCore
import NIOSSL

/// The handler before TLS: waits for the client's first message, then adds TLS for it and removes itself.
///
/// A client that offers only protocols which the server does not speak gets the alert of RFC 7301, 3.2, which NIOSSL does not
/// send: it would go on without a protocol.
final class ClientHelloHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let protocols = ["h2", "http/1.1"]
    /// A fatal alert, `no_application_protocol`.
    private static let noProtocol: [UInt8] = [21, 3, 3, 0, 2, 2, 120]

    private let contexts: TLSContexts
    private let log: LogLimiter
    private var received = ByteBuffer()
    private var isDone = false

    init(contexts: TLSContexts, log: LogLimiter) {
        self.contexts = contexts
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else {
            context.fireChannelRead(data)
            return
        }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        switch ClientHello.read(received) {
        case .incomplete: return
        case .unreadable: goOn(contexts.context(for: nil), context)
        case .whole(let hello):
            if let offered = hello.protocols, Set(offered).isDisjoint(with: Self.protocols) {
                isDone = true
                log.reached(
                    "protocols \(Self.protocols.joined(separator: " and "))", by: context.remoteAddress?.ipAddress,
                    at: .notice, "refused a TLS handshake that offers only others")
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.noProtocol)), promise: nil)
                context.close(mode: .output, promise: nil)
            } else {
                goOn(contexts.context(for: hello), context)
            }
        }
    }

    private func goOn(_ tls: NIOSSLContext, _ context: ChannelHandlerContext) {
        isDone = true
        do {
            try context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .after(self))
            context.fireChannelRead(wrapInboundOut(received))
            received = ByteBuffer()
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
