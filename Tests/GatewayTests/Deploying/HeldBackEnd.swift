import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport

/// A back end whose answers a test holds back, and that knows how many requests have come.
final class HeldBackEnd: Sendable {
    private struct State {
        var arrivals = 0
        var isOpen = false
    }

    private let state: Watched<State>
    private let channel: any Channel

    init() async throws {
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
    }

    deinit { channel.close(promise: nil) }

    /// For an adapter's XML.
    var connectivity: String {
        """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
        <domain>127.0.0.1</domain><port>\(channel.localAddress?.port ?? 0)</port></connectionPolicy></connectivity>
        """
    }

    /// Answers what has come and what comes.
    func open() {
        state.update { $0.isOpen = true }
    }

    /// Returns once so many requests have come.
    func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        let state: Watched<State>

        init(state: Watched<State>) {
            self.state = state
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let channel = context.channel
            Task { [state] in
                state.update { $0.arrivals += 1 }
                try await state.wait { $0.isOpen }
                let headers: HTTPHeaders = ["Content-Type": "text/plain", "Content-Length": "4"]
                try await channel.writeAndFlush(
                    HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)))
                try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "done"))))
                try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            }
        }
    }
}
