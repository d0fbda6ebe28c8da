import NIOCore
import NIOPosix
import TestSupport

/// A plain TCP connection that keeps what it is told.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let heard: Watched<String>

    private init(channel: any Channel, heard: Watched<String>) {
        self.channel = channel
        self.heard = heard
    }

    /// Connects and sends `text`.
    static func open(port: Int, _ text: String) async throws -> RawConnection {
        let heard = Watched("")
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(heard: heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        return RawConnection(channel: channel, heard: heard)
    }

    /// Returns once `text` was received.
    func read(until text: String) async throws { try await heard.wait { $0.contains(text) } }

    deinit { channel.close(promise: nil) }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: Watched<String>

        init(heard: Watched<String>) {
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            heard.update { $0 += text }
        }
    }
}
