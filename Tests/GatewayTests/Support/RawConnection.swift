import NIOCore
import NIOPosix

/// A connection on which a test sends the bytes that it likes, right or wrong.
struct RawConnection: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    init(to server: RunningServer) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }

    /// Sends a text and reads until the server closes, or until `enough`.
    ///
    /// - Parameter flood: what is sent after the text, again and again, so many times.
    /// - Returns: what came, and how many bytes of the flood the system took before the server stopped reading.
    func exchange(
        _ text: String, flood: ByteBuffer? = nil, times: Int = 0, until enough: String? = nil
    ) async throws -> (answer: String, flooded: Int) {
        try await channel.executeThenClose { inbound, outbound in
            // The server may have closed already; then nothing comes.
            try? await outbound.write(ByteBuffer(string: text))
            let writer = Task {
                var sent = 0
                for _ in 0..<times {
                    // Done when the system has taken it.
                    guard let flood, (try? await channel.channel.writeAndFlush(flood).get()) != nil else { break }
                    sent += flood.readableBytes
                }
                return sent
            }
            var received = ""
            do {
                for try await bytes in inbound {
                    received += String(buffer: bytes)
                    if let enough, received.contains(enough) { break }
                }
            } catch {
                // A reset ends the connection as well.
            }
            writer.cancel()
            return (received, await writer.value)
        }
    }
}
