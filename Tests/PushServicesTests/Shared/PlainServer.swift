import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport

/// An HTTP/1.1 server on 127.0.0.1 that keeps what it is asked and answers what it is told to: for what push-sandbox never
/// sees, such as a request to a proxy, or never does.
final class PlainServer: Sendable {
    struct Request: Sendable, Hashable {
        let method: String
        let target: String
        let headers: [[String]]

        func header(_ name: String) -> String? { headers.first { $0[0].lowercased() == name.lowercased() }?[1] }
    }

    struct Answer: Sendable {
        var status = HTTPResponseStatus.ok
        var headers: HTTPHeaders = [:]
        var body = ""
        /// The length that is announced; the body's own when nil.
        var length: Int?
    }

    let requests: Watched<[Request]>
    private let server: any Channel

    /// - Parameter answer: nil = none, ever.
    static func start(answering answer: @escaping @Sendable (Request) -> Answer?) async throws -> PlainServer {
        let requests = Watched<[Request]>([])
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(requests: requests, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return PlainServer(requests: requests, server: server)
    }

    private init(requests: Watched<[Request]>, server: any Channel) {
        self.requests = requests
        self.server = server
    }

    var port: Int { server.localAddress?.port ?? 0 }

    func stop() async {
        try? await server.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let requests: Watched<[Request]>
        private let answer: @Sendable (Request) -> Answer?
        private var request: Request?

        init(requests: Watched<[Request]>, answer: @escaping @Sendable (Request) -> Answer?) {
            self.requests = requests
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                request = Request(
                    method: head.method.rawValue, target: head.uri, headers: head.headers.map { [$0.name, $0.value] })
            case .body: break
            case .end:
                guard let request else { return }
                requests.update { $0.append(request) }
                guard let answer = answer(request) else { return }
                var headers = answer.headers
                headers.add(name: "Content-Length", value: String(answer.length ?? answer.body.utf8.count))
                let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
                if answer.length == nil {
                    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                } else {
                    context.flush()
                    context.close(promise: nil)
                }
            }
        }
    }
}
