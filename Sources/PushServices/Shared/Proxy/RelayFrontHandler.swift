import NIOCore
import NIOPosix

/// Reads the `CONNECT` of the client, has the SOCKS proxy connect, and then steps aside.
final class RelayFrontHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let longestHead = 8 << 10
    private static let connectTimeout = TimeAmount.seconds(10)

    private let authorization: String
    private let proxy: EgressProxy
    private let refused: @Sendable (String) -> Void
    private var received = ByteBuffer()
    private var isConnecting = false
    /// The connection to the proxy, until it is joined to this one.
    private var far: (any Channel)?

    /// - Parameters:
    ///   - authorization: what the client's `Proxy-Authorization` must be.
    ///   - refused: told why the proxy did not connect.
    init(authorization: String, proxy: EgressProxy, refused: @escaping @Sendable (String) -> Void) {
        self.authorization = authorization
        self.proxy = proxy
        self.refused = refused
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        guard !isConnecting else { return }
        let text = String(decoding: received.readableBytesView.prefix(Self.longestHead), as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else {
            if received.readableBytes >= Self.longestHead { answer("431 Request Header Fields Too Large", context) }
            return
        }
        let head = text[..<end.lowerBound]
        received.moveReaderIndex(forwardBy: head.utf8.count + 4)
        let lines = head.split(separator: "\r\n")
        let isAllowed = lines.dropFirst().contains { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return line[..<colon].lowercased() == "proxy-authorization"
                && line[colon...].dropFirst().drop { $0 == " " } == authorization
        }
        guard isAllowed else { return answer("407 Proxy Authentication Required", context) }
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3, words[0] == "CONNECT", let colon = words[1].lastIndex(of: ":"),
            let port = Int(words[1][words[1].index(after: colon)...]), (1...65535).contains(port)
        else { return answer("400 Bad Request", context) }
        let host = words[1][..<colon].trimmingPrefix("[")
        connect(context, host: String(host.hasSuffix("]") ? host.dropLast() : host), port: port)
    }

    private func connect(_ context: ChannelHandlerContext, host: String, port: Int) {
        isConnecting = true
        let (loop, proxy) = (context.eventLoop, proxy)
        let this = NIOLoopBound((handler: self, context: context), eventLoop: loop)
        // On the same event loop, so that the two connections can talk to each other directly.
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .connect(host: proxy.host, port: proxy.port)
            .flatMap { channel in
                this.value.handler.far = channel
                let opened = loop.makePromise(of: Void.self)
                let tunnel = ProxyTunnelHandler(
                    proxy.handshake(to: host, port: port), name: "\(proxy.host):\(proxy.port)", opened: opened)
                do {
                    try channel.pipeline.syncOperations.addHandler(tunnel)
                } catch {
                    opened.fail(error)
                }
                let bound = NIOLoopBound(tunnel, eventLoop: loop)
                return opened.futureResult.map {
                    let (handler, context) = this.value
                    handler.join(context, channel, bound.value)
                }
            }
            .whenFailure { error in
                let (handler, context) = this.value
                handler.refused("\(error)")
                handler.answer("502 Bad Gateway", context)
            }
    }

    func channelInactive(context: ChannelHandlerContext) {
        far?.close(promise: nil)
        context.fireChannelInactive()
    }

    /// The two connections become one.
    private func join(_ context: ChannelHandlerContext, _ far: any Channel, _ tunnel: ProxyTunnelHandler) {
        guard context.channel.isActive else { return far.close(promise: nil) }
        let near = context.channel
        do {
            try near.pipeline.syncOperations.addHandler(GlueHandler(to: far))
            try far.pipeline.syncOperations.addHandler(GlueHandler(to: near))
            far.pipeline.syncOperations.removeHandler(tunnel, promise: nil)
            write("200 OK", context)
            // What came after the CONNECT belongs to the far side.
            let early = received
            received.clear()
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            if early.readableBytes > 0 { far.writeAndFlush(early, promise: nil) }
        } catch {
            far.close(promise: nil)
            answer("502 Bad Gateway", context)
        }
    }

    private func answer(_ status: String, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        isConnecting = true
        write(status, context)
        context.close(promise: nil)
    }

    private func write(_ status: String, _ context: ChannelHandlerContext) {
        let length = status.hasPrefix("200") ? "" : "Content-Length: 0\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 \(status)\r\n\(length)\r\n")), promise: nil)
    }
}
