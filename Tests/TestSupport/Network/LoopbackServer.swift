import NIOCore
import NIOPosix
public import NIOSSL

/// A server on a loopback socket that responds to HTTP/1.1 requests with any bytes that a test sets, also invalid ones.
public final class LoopbackServer: Sendable {
    public struct Request: Sendable {
        /// The number of the request, from 0, over all connections.
        public let number: Int
        /// The request line and the headers, with the empty line after them.
        public let head: String
        public let bodyBytes: [UInt8]

        public var line: String { String(head.prefix { $0 != "\r\n" }) }
        public var method: String { String(head.prefix { $0 != " " }) }
        /// The path and the query, as received.
        public var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
        public var body: String { String(decoding: bodyBytes, as: UTF8.self) }

        /// Returns all values of a header.
        public func headers(_ name: String) -> [String] {
            head.split(separator: "\r\n").dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                    return nil
                }
                return String(line[line.index(after: colon)...].drop { $0 == " " })
            }
        }

        public func header(_ name: String) -> String? { headers(name).first }
    }

    public enum Reply: Sendable {
        /// Sends the bytes and keeps the connection open.
        case keep([UInt8])
        /// Sends the bytes and closes the connection.
        case close([UInt8])
        /// Sends the head, and then the chunk again and again, as long as the client takes it.
        case flood(head: [UInt8], chunk: [UInt8])
        /// Responds as a proxy does, and passes all later bytes on to and from another port.
        case tunnel(to: Int)
        /// Sends the closure's reply once the closure returns.
        case later(@Sendable () async -> Reply)

        /// Sends nothing and keeps the connection open.
        public static let nothing = Reply.keep([])

        /// Sends an HTTP/1.1 response with a `Content-Length`.
        ///
        /// - Parameters:
        ///   - status: the code and the reason.
        ///   - headers: lines, each with its end.
        public static func ok(
            _ body: String, type: String? = "text/plain", status: String = "200 OK", headers: String = ""
        ) -> Reply {
            bytes(Array(body.utf8), type: type, status: status, headers: headers)
        }

        public static func bytes(
            _ body: [UInt8], type: String?, status: String = "200 OK", headers: String = ""
        ) -> Reply {
            let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
            let head = "HTTP/1.1 \(status)\r\n\(type)Content-Length: \(body.count)\r\n\(headers)\r\n"
            return .keep(Array(head.utf8) + body)
        }

        /// Sends an HTTP/1.1 response without a `Content-Type`, unless `headers` has one.
        public static func status(_ status: Int, headers: [String: String] = [:], _ body: String = "") -> Reply {
            ok(
                body, type: nil, status: "\(status) X",
                headers: headers.map { "\($0.key): \($0.value)\r\n" }.joined())
        }
    }

    public let port: Int
    public let requests: AwaitableValue<[Request]>
    private let channel: any Channel
    private let accepted: AwaitableValue<[any Channel]>
    private let flooded: AwaitableValue<Int>

    /// Starts a server. `answer` returns the reply to each request; it is called on the connection's event loop.
    ///
    /// - Parameter port: the port; any free one when 0.
    public init(
        host: String = "127.0.0.1", port: Int = 0, tls: TLSConfiguration? = nil,
        _ answer: @escaping @Sendable (Request) -> Reply
    ) throws {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let (requests, accepted, flooded) = (
            AwaitableValue<[Request]>([]), AwaitableValue<[any Channel]>([]), AwaitableValue(0)
        )
        channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                accepted.update { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(requests, flooded, answer))
                }
            }
            .bind(host: host, port: port).wait()
        self.port = channel.localAddress?.port ?? 0
        (self.requests, self.accepted, self.flooded) = (requests, accepted, flooded)
    }

    /// Starts a server whose replies wait for `gate`.
    public convenience init(behind gate: Gate, _ reply: Reply = .ok("done")) throws {
        try self.init { _ in
            .later {
                try? await gate.pass()
                return reply
            }
        }
    }

    deinit { channel.close(promise: nil) }

    /// The connectivity of an adapter whose back end this server is.
    public var connectivity: String { httpConnectivity(port: port) }
    /// The number of connections that the server has accepted.
    public var connections: Int { accepted.value.count }
    /// The number of bytes that clients' systems took of a ``Reply/flood(head:chunk:)``, without the head.
    public var bytesFlooded: Int { flooded.value }

    /// Stops listening. Open connections stay open.
    public func stop() async { try? await channel.close() }

    /// Closes the open connections, and returns once they are closed.
    public func closeConnections() async {
        for channel in accepted.value { try? await channel.close() }
    }

    /// Returns once the client has closed all connections.
    public func waitUntilClosed() async {
        for channel in accepted.value { try? await channel.closeFuture.get() }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let requests: AwaitableValue<[Request]>
        private let flooded: AwaitableValue<Int>
        private let answer: @Sendable (Request) -> Reply
        private var received: [UInt8] = []
        private var peer: (any Channel)?

        init(
            _ requests: AwaitableValue<[Request]>, _ flooded: AwaitableValue<Int>,
            _ answer: @escaping @Sendable (Request) -> Reply
        ) {
            self.requests = requests
            self.flooded = flooded
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if let peer {
                peer.writeAndFlush(bytes, promise: nil)
                return
            }
            received += bytes.readableBytesView
            // HTTP servers respond to a TLS handshake, too.
            if received.first == 0x16 { return send(.close(Array("HTTP/1.1 400 X\r\n\r\n".utf8)), on: context.channel) }
            while let request = takeRequest() { send(answer(request), on: context.channel) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func takeRequest() -> Request? {
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            let head = String(decoding: received[..<end], as: UTF8.self)
            let length = Request(number: 0, head: head, bodyBytes: []).header("Content-Length").flatMap { Int($0) } ?? 0
            guard received.count >= end + length else { return nil }
            let body = Array(received[end..<(end + length)])
            received.removeFirst(end + length)
            return requests.update { requests in
                let request = Request(number: requests.count, head: head, bodyBytes: body)
                requests.append(request)
                return request
            }
        }

        private func send(_ reply: Reply, on channel: any Channel) {
            let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
            switch reply {
            case .keep(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .close(let bytes):
                channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
            case .flood(let head, let chunk):
                channel.writeAndFlush(ByteBuffer(bytes: head), promise: nil)
                Self.flood(ByteBuffer(bytes: chunk), on: channel, counting: flooded)
            case .tunnel(let port):
                ClientBootstrap(group: channel.eventLoop).channelInitializer { peer in
                    peer.eventLoop.makeCompletedFuture {
                        try peer.pipeline.syncOperations.addHandler(Forwarder(channel))
                    }
                }
                .connect(host: "127.0.0.1", port: port).whenSuccess { peer in
                    handler.value.peer = peer
                    channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"), promise: nil)
                }
            case .later(let makeReply):
                Task {
                    let reply = await makeReply()
                    channel.eventLoop.execute { handler.value.send(reply, on: channel) }
                }
            }
        }

        private static func flood(_ chunk: ByteBuffer, on channel: any Channel, counting flooded: AwaitableValue<Int>) {
            channel.writeAndFlush(chunk).whenSuccess {
                flooded.update { $0 += chunk.readableBytes }
                flood(chunk, on: channel, counting: flooded)
            }
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

/// A barrier that holds requests until the test opens it, and counts them.
public struct Gate: Sendable {
    private struct State {
        var arrivals = 0
        var isOpen = false
    }

    private let state = AwaitableValue(State())

    public init() {}

    public func pass() async throws {
        state.update { $0.arrivals += 1 }
        try await state.wait { $0.isOpen }
    }

    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Returns once this number of requests has arrived.
    public func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }
}
