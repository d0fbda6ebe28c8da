import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// One connection to the sandbox's APNs side, frame by frame.
final class APNsClient: Sendable {
    enum Reply: Equatable {
        case answer(status: Int, headers: [String: String], body: String)
        case reset(HTTP2ErrorCode)
        case connectionClosed

        var status: Int? {
            if case .answer(let status, _, _) = self { status } else { nil }
        }

        var body: String? {
            if case .answer(_, _, let body) = self { body } else { nil }
        }

        func header(_ name: String) -> String? {
            if case .answer(_, let headers, _) = self { headers[name] } else { nil }
        }
    }

    struct GoAway: Equatable {
        let lastStream: Int
        let text: String
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<Frames>

    private init(channel: any Channel, handler: NIOLoopBound<Frames>) {
        self.channel = channel
        self.handler = handler
    }

    /// - Parameter certificate: PEM of a certificate and its key, to show to the server.
    static func connect(
        port: Int, trusting root: String, protocols: [String] = ["h2"],
        certificate: (certificate: String, key: String)? = nil
    ) async throws -> APNsClient {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(root.utf8), format: .pem)])
        if let certificate {
            configuration.certificateChain = [
                .certificate(try NIOSSLCertificate(bytes: Array(certificate.certificate.utf8), format: .pem))
            ]
            configuration.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(certificate.key.utf8), format: .pem))
        }
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .client))
                    try pipeline.addHandler(Frames())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let handler = try await channel.eventLoop.submit {
            NIOLoopBound(try channel.pipeline.syncOperations.handler(type: Frames.self), eventLoop: channel.eventLoop)
        }.get()
        try await handler.eventLoop.flatSubmit { handler.value.ready(on: channel.eventLoop) }.get()
        return APNsClient(channel: channel, handler: handler)
    }

    func send(
        _ method: String = "POST", _ path: String, _ headers: [(String, String)], _ body: String
    ) async throws -> Reply {
        let reply = channel.eventLoop.flatSubmit { [handler, channel] in
            handler.value.send(method, path, headers, body, on: channel)
        }
        return try await reply.get()
    }

    /// Sends requests in one piece, so that the server reads all of them at once: first the header fields of all, then the
    /// first frame of each body, then the second of each.
    func send(together bodies: [[String]], _ path: String, _ headers: [(String, String)]) async throws -> [Reply] {
        let replies = channel.eventLoop.flatSubmit { [handler, channel] in
            let replies = bodies.map { handler.value.write("POST", path, headers, $0, on: channel) }
            channel.pipeline.syncOperations.flush()
            return EventLoopFuture.whenAllSucceed(replies, on: channel.eventLoop)
        }
        return try await replies.get()
    }

    /// The stream limits that the server has announced so far.
    func streamLimits() async throws -> [Int] {
        try await channel.eventLoop.submit { [handler] in handler.value.streamLimits }.get()
    }

    func goAways() async throws -> [GoAway] {
        try await channel.eventLoop.submit { [handler] in handler.value.goAways }.get()
    }

    func close() async { try? await channel.close() }
}

private final class Frames: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private struct Exchange {
        let promise: EventLoopPromise<APNsClient.Reply>
        var headers: [String: String] = [:]
        var body = ""
    }

    private var exchanges: [HTTP2StreamID: Exchange] = [:]
    private var nextStream = HTTP2StreamID(1)
    private(set) var goAways: [APNsClient.GoAway] = []
    private(set) var streamLimits: [Int] = []
    private var ready: EventLoopPromise<Void>?
    private var isReady = false
    private var isClosed = false

    /// Waits for the server's settings.
    func ready(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        if isReady { promise.succeed() } else if isClosed { promise.fail(ChannelError.eof) } else { ready = promise }
        return promise.futureResult
    }

    func send(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: String, on channel: any Channel
    ) -> EventLoopFuture<APNsClient.Reply> {
        defer { channel.pipeline.syncOperations.flush() }
        return write(method, path, headers, body.isEmpty ? [] : [body], on: channel)
    }

    /// - Parameter body: what comes in each of its frames.
    func write(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: [String], on channel: any Channel
    ) -> EventLoopFuture<APNsClient.Reply> {
        let promise = channel.eventLoop.makePromise(of: APNsClient.Reply.self)
        guard !isClosed else {
            promise.succeed(.connectionClosed)
            return promise.futureResult
        }
        let stream = nextStream
        nextStream = nextStream.advanced(by: 2)
        exchanges[stream] = Exchange(promise: promise)
        let frame: [(String, String)] = [
            (":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path),
        ]
        let outgoing = channel.pipeline
        let head = HTTP2Frame(
            streamID: stream, payload: .headers(.init(headers: HPACKHeaders(frame + headers), endStream: body.isEmpty)))
        outgoing.syncOperations.write(NIOAny(head), promise: nil)
        for (index, text) in body.enumerated() {
            let data = HTTP2Frame.FramePayload.Data(
                data: .byteBuffer(ByteBuffer(string: text)), endStream: index == body.count - 1)
            outgoing.syncOperations.write(NIOAny(HTTP2Frame(streamID: stream, payload: .data(data))), promise: nil)
        }
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            for (name, value, _) in headers.headers { exchanges[frame.streamID]?.headers[name] = value }
            if headers.endStream { finish(frame.streamID) }
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data { exchanges[frame.streamID]?.body += String(buffer: bytes) }
            if data.endStream { finish(frame.streamID) }
        case .rstStream(let code): exchanges.removeValue(forKey: frame.streamID)?.promise.succeed(.reset(code))
        case .goAway(let last, _, let text):
            goAways.append(.init(lastStream: Int(last), text: text.map { String(buffer: $0) } ?? ""))
            for (stream, exchange) in exchanges where stream > last {
                exchanges[stream] = nil
                exchange.promise.succeed(.reset(.refusedStream))
            }
        case .settings(.settings(let settings)):
            streamLimits += settings.filter { $0.parameter == .maxConcurrentStreams }.map(\.value)
            isReady = true
            ready?.succeed()
            ready = nil
        default: break
        }
    }

    private func finish(_ stream: HTTP2StreamID) {
        guard let exchange = exchanges.removeValue(forKey: stream) else { return }
        let status = exchange.headers[":status"].flatMap { Int($0) } ?? 0
        exchange.promise.succeed(.answer(status: status, headers: exchange.headers, body: exchange.body))
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        ready?.fail(ChannelError.eof)
        ready = nil
        for exchange in exchanges.values { exchange.promise.succeed(.connectionClosed) }
        exchanges = [:]
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
