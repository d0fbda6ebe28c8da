import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport

/// A Web Push service on this machine, of which a test says how it answers: real TLS, real HTTP/1.1.
final class LocalPushService: Sendable {
    struct Received: Sendable {
        let method: String
        let path: String
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    struct Answer: Sendable {
        var status = 201
        var headers: [(String, String)] = []
        var body = ""
    }

    /// - Returns: nil when it never answers.
    typealias Behaviour = @Sendable (_ number: Int, _ request: Received) -> Answer?

    let received = Watched<[Received]>([])
    let port: Int
    private let channel: any Channel

    /// Runs `body` with a service that listens.
    static func run<Value>(
        at host: String = "127.0.0.1", port: Int = 0, _ behaviour: @escaping Behaviour = { _, _ in Answer() },
        _ body: (LocalPushService) async throws -> Value
    ) async throws -> Value {
        let service = try await LocalPushService(host: host, port: port, behaviour)
        do {
            let value = try await body(service)
            try await service.channel.close()
            return value
        } catch {
            try? await service.channel.close()
            throw error
        }
    }

    private init(host: String, port: Int, _ behaviour: @escaping Behaviour) async throws {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(WebPushServiceCertificate.certificate.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(WebPushServiceCertificate.key.utf8), format: .pem)))
        let context = try NIOSSLContext(configuration: configuration)
        let received = received
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(received, behaviour))
                }
            }
            .bind(host: host, port: port).get()
        self.port = channel.localAddress?.port ?? 0
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let received: Watched<[Received]>
        private let behaviour: Behaviour
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ received: Watched<[Received]>, _ behaviour: @escaping Behaviour) {
            self.received = received
            self.behaviour = behaviour
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, [])
            case .body(let part): body += part.readableBytesView
            case .end:
                guard let head else { return }
                let request = Received(
                    method: head.method.rawValue, path: head.uri, headers: head.headers, body: body)
                let number = received.update { received in
                    received.append(request)
                    return received.count
                }
                guard let answer = behaviour(number, request) else { return }
                var headers = HTTPHeaders(answer.headers)
                headers.add(name: "Content-Length", value: String(answer.body.utf8.count))
                let response = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
