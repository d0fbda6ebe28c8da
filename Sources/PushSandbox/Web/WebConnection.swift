import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// Responds to the requests of an HTTP/1.1 connection, or of one HTTP/2 stream.
final class WebConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    typealias Responder = @Sendable (WebRequest) async -> WebOutcome

    private static let mostBodyBytes = 1 << 20

    private let number: Int
    private let respond: Responder
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var work: Task<Void, Never>?

    private init(number: Int, respond: @escaping Responder) {
        self.number = number
        self.respond = respond
    }

    /// HTTP/1.1 or HTTP/2, as TLS agreed.
    static func add(
        to channel: any Channel, negotiated: String?, core: SandboxCore, respond: @escaping Responder
    ) throws {
        let number = core.nextConnection()
        let pipeline = channel.pipeline.syncOperations
        guard negotiated == "h2" else {
            try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
            try pipeline.addHandler(WebConnection(number: number, respond: respond))
            return
        }
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.controlFrameRateLimit.maximumCount = .max
        configuration.stream.streamResetFrameRateLimit.maximumCount = .max
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: configuration.connection, streamConfiguration: configuration.stream
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try stream.pipeline.syncOperations.addHandler(WebConnection(number: number, respond: respond))
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= Self.mostBodyBytes else {
                context.close(promise: nil)
                return
            }
            body.append(contentsOf: bytes.readableBytesView)
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context: context)
        }
    }

    private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        let request = WebRequest(
            connection: number, method: head.method.rawValue, target: head.uri,
            headers: head.headers.map { ($0.name, $0.value) }, body: body)
        let promise = context.eventLoop.makePromise(of: WebOutcome.self)
        promise.completeWithTask { [respond] in await respond(request) }
        promise.futureResult.assumeIsolated().whenSuccess { outcome in
            guard context.channel.isActive else { return }
            switch outcome {
            case .reply(let reply): self.write(reply, to: head, context: context)
            case .silence: break
            case .close(resets: true): context.close(promise: nil)
            case .close(resets: false): (context.channel.parent ?? context.channel).close(promise: nil)
            case .events(let reply, let first, let arrivals):
                self.write(reply, first, arrivals, to: head, context: context)
            }
        }
    }

    private func write(_ reply: WebReply, to head: HTTPRequestHead, context: ChannelHandlerContext) {
        writeHead(reply, to: head, length: reply.body.count, context: context)
        if !reply.body.isEmpty, head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: reply.body)))), promise: nil)
        }
        // Once it is written: a close drops what the client has not taken yet.
        let written = head.isKeepAlive ? nil : context.eventLoop.makePromise(of: Void.self)
        written?.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// - Parameter length: nil when it is not known.
    private func writeHead(_ reply: WebReply, to head: HTTPRequestHead, length: Int?, context: ChannelHandlerContext) {
        var headers = HTTPHeaders(reply.headers.map { ($0.name, $0.value) })
        if let length { headers.replaceOrAdd(name: "Content-Length", value: String(length)) }
        let status = HTTPResponseStatus(statusCode: reply.status)
        let response = HTTPResponseHead(version: head.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
    }

    /// Writes the journal's events until the client closes the connection.
    private func write(
        _ reply: WebReply, _ first: String, _ arrivals: AsyncStream<Journal.Event>, to head: HTTPRequestHead,
        context: ChannelHandlerContext
    ) {
        writeHead(reply, to: head, length: nil, context: context)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: first)))), promise: nil)
        let channel = context.channel
        work = Task {
            for await event in arrivals {
                let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: PageEvent.text(event))))
                guard (try? await channel.writeAndFlush(part)) != nil else { return }
            }
            try? await channel.close()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        work?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
