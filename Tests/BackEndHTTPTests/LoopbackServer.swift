import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server on a loopback socket that answers with the very bytes that a test gives it.
final class LoopbackServer: Sendable {
    /// A request as it came.
    struct Request: Sendable {
        let text: String
        var line: String { String(text.prefix { $0 != "\r\n" }) }
        var body: String { text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

        func header(_ name: String) -> String? {
            for line in text.components(separatedBy: "\r\n").dropFirst() {
                if line.isEmpty { return nil }
                if line.lowercased().hasPrefix(name.lowercased() + ":") {
                    return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
                }
            }
            return nil
        }
    }

    /// What becomes of the connection after the bytes were written.
    enum Reply: Sendable {
        case keep([UInt8])
        case close([UInt8])
        /// The bytes again and again, as long as they are taken.
        case flood(head: [UInt8], chunk: [UInt8])
        /// From here on, `to` gets all that comes.
        case tunnel(to: Int)

        static func ok(_ body: String, type: String = "text/plain", status: String = "200 OK", headers: String = "")
            -> Reply
        {
            bytes(Array(body.utf8), type: type, status: status, headers: headers)
        }

        static func bytes(_ body: [UInt8], type: String, status: String = "200 OK", headers: String = "") -> Reply {
            .keep(
                Array(
                    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\(headers)\r\n"
                        .utf8)
                    + body)
        }
    }

    let port: Int
    private let channel: any Channel
    private let group = MultiThreadedEventLoopGroup.singleton
    private let log = Mutex<(requests: [Request], accepted: [any Channel])>(([], []))

    var requests: [Request] { log.withLock { $0.requests } }
    /// How many connections there have been.
    var connections: Int { log.withLock { $0.accepted.count } }

    /// Closes the connections that are open, and returns once they are closed.
    func closeConnections() async {
        for channel in log.withLock({ $0.accepted }) { try? await channel.close() }
    }

    init(tls: TLSConfiguration? = nil, answer: @escaping @Sendable (Request) -> Reply) throws {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let sink = Sink()
        channel = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(answer: answer, sink: sink))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        port = channel.localAddress?.port ?? 0
        sink.server.withLock { $0 = Weak(self) }
    }

    /// Returns once the client has closed the connections that there are.
    func waitUntilClosed() async {
        for channel in log.withLock({ $0.accepted }) { try? await channel.closeFuture.get() }
    }

    func close() { _ = channel.close() }

    deinit { _ = channel.close() }

    private func note(_ request: Request) { log.withLock { $0.requests.append(request) } }
    private func note(_ connection: any Channel) { log.withLock { $0.accepted.append(connection) } }

    private struct Weak: Sendable {
        weak let server: LoopbackServer?
        init(_ server: LoopbackServer) { self.server = server }
    }

    private final class Sink: Sendable {
        let server = Mutex<Weak?>(nil)
        func get() -> LoopbackServer? { server.withLock { $0?.server } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: @Sendable (Request) -> Reply
        private let sink: Sink
        private var received = ByteBuffer()
        private var peer: (any Channel)?

        init(answer: @escaping @Sendable (Request) -> Reply, sink: Sink) {
            self.answer = answer
            self.sink = sink
        }

        func channelActive(context: ChannelHandlerContext) {
            sink.get()?.note(context.channel)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var buffer = unwrapInboundIn(data)
            if let peer {
                peer.writeAndFlush(buffer, promise: nil)
                return
            }
            received.writeBuffer(&buffer)
            while let request = takeRequest() {
                sink.get()?.note(request)
                reply(answer(request), context: context)
            }
        }

        private func takeRequest() -> Request? {
            let bytes = Array(received.readableBytesView)
            guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
                return nil
            }
            let head = Request(text: String(decoding: bytes[..<(end + 4)], as: UTF8.self))
            let length = head.header("Content-Length").flatMap { Int($0) } ?? 0
            guard bytes.count >= end + 4 + length else { return nil }
            received.moveReaderIndex(forwardBy: end + 4 + length)
            return Request(text: String(decoding: bytes[..<(end + 4 + length)], as: UTF8.self))
        }

        private func reply(_ reply: Reply, context: ChannelHandlerContext) {
            switch reply {
            case .keep(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .close(let bytes):
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
                    channel.close(promise: nil)
                }
            case .flood(let head, let chunk):
                context.write(wrapOutboundOut(ByteBuffer(bytes: head)), promise: nil)
                Self.flood(context.channel, ByteBuffer(bytes: chunk))
            case .tunnel(let port):
                let client = context.channel
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                ClientBootstrap(group: context.eventLoop).channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Forwarder(client))
                    }
                }
                .connect(host: "127.0.0.1", port: port).whenSuccess { peer in
                    bound.value.0.peer = peer
                    client.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"), promise: nil)
                }
            }
        }

        private static func flood(_ channel: any Channel, _ chunk: ByteBuffer) {
            channel.writeAndFlush(chunk).whenSuccess { flood(channel, chunk) }
        }
    }

    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let target: any Channel
        init(_ target: any Channel) { self.target = target }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            target.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }
    }
}
