import NIOCore
import NIOHTTP1
import NIOPosix

/// An OpenID Connect provider on a loopback socket, which answers as a test wants.
public final class LoopbackProvider: Sendable {
    public enum Answer: Sendable {
        case document(String, headers: [String: String] = [:])
        case status(Int, headers: [String: String] = [:])
        /// Nothing, ever.
        case silence
        /// A head and a beginning, and nothing more.
        case stall(String)
        /// The same byte, this often, as long as it is taken.
        case flood(bytes: Int)
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [String] = []
        var bytesSent = 0
    }

    public let port: Int
    private let state: Watched<State>
    private let channel: any Channel

    public init() async throws {
        let state = Watched(State())
        self.state = state
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(state: state))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    public var issuer: String { "http://127.0.0.1:\(port)" }
    public var requests: [String] { state.value.requests }
    public var bytesSent: Int { state.value.bytesSent }

    public func answer(_ path: String, with answer: Answer) {
        state.update { $0.answers[path] = answer }
    }

    /// Returns once so many requests have come.
    public func waitForRequests(_ count: Int) async throws {
        try await state.wait { $0.requests.count >= count }
    }

    /// Publishes a discovery document and the keys.
    public func publish(jwks keys: [String], headers: [String: String] = [:]) {
        answer(
            "/.well-known/openid-configuration",
            with: .document(#"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/keys"}"#))
        publishKeys(keys, headers: headers)
    }

    public func publishKeys(_ keys: [String], headers: [String: String] = [:]) {
        answer("/keys", with: .document(#"{"keys":[\#(keys.joined(separator: ","))]}"#, headers: headers))
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let state: Watched<State>

        init(state: Watched<State>) { self.state = state }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            state.update { $0.requests.append(head.uri) }
            switch state.value.answers[head.uri] ?? .status(404) {
            case .document(let text, let headers): send(.ok, headers, text, context)
            case .status(let code, let headers): send(.init(statusCode: code), headers, "", context)
            case .silence: break
            case .stall(let text):
                write(.head(.init(version: .http1_1, status: .ok, headers: ["content-length": "1000"])), context)
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            case .flood(let bytes):
                write(.head(.init(version: .http1_1, status: .ok, headers: ["content-length": "\(bytes)"])), context)
                flood(bytes, context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
            context.write(wrapOutboundOut(part), promise: nil)
        }

        private func send(
            _ status: HTTPResponseStatus, _ headers: [String: String], _ text: String, _ context: ChannelHandlerContext
        ) {
            var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
            fields.add(name: "content-length", value: "\(text.utf8.count)")
            write(.head(.init(version: .http1_1, status: status, headers: fields)), context)
            write(.body(.byteBuffer(ByteBuffer(string: text))), context)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func flood(_ bytes: Int, _ context: ChannelHandlerContext) {
            guard bytes > 0, context.channel.isActive else { return }
            let size = min(bytes, 65_536)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: size)))))
                .whenSuccess {
                    let (handler, context) = bound.value
                    handler.state.update { $0.bytesSent += size }
                    handler.flood(bytes - size, context)
                }
        }
    }
}
