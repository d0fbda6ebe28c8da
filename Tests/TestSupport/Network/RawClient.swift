public import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends bytes unchanged and stores the received bytes.
public final class RawClient {
    public let channel: any Channel
    private var incoming: AsyncStream<ByteBuffer>.Iterator
    public private(set) var received: [UInt8] = []

    /// Connects to a port on this machine.
    ///
    /// - Parameters:
    ///   - protocols: the protocols to offer over TLS; `nil` for a plain connection.
    ///   - receiveBuffer: the size of the system's receive buffer, in bytes; `nil` for the system's default.
    ///   - staysHalfOpen: whether the client can still send after the server has ended its side; never over TLS.
    public init(
        port: Int, protocols: [String]? = nil, receiveBuffer: Int? = nil, staysHalfOpen: Bool = true
    ) async throws {
        let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
        let context = try protocols.map { protocols in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            configuration.applicationProtocols = protocols
            return try NIOSSLContext(configuration: configuration)
        }
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let receiveBuffer {
            // The segments have the size of Ethernet (TCP_MAXSEG); those of the loopback device are larger than such a buffer.
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
                .channelOption(.tcpOption(.init(rawValue: 2)), value: 1400)
        }
        channel =
            try await bootstrap
            // NIOSSL takes five seconds to close a channel that may be closed by halves.
            .channelOption(.allowRemoteHalfClosure, value: staysHalfOpen && protocols == nil)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        incoming = stream.makeAsyncIterator()
    }

    public func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    public func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Pauses or resumes the reading of data.
    public func setReading(_ isOn: Bool) async throws {
        try await channel.setOption(.autoRead, value: isOn).get()
    }

    public func endSending() async throws { try await channel.close(mode: .output) }

    /// Waits for data and adds it to ``received``.
    ///
    /// - Returns: false when the server has closed.
    public func receive() async -> Bool {
        guard let buffer = await incoming.next() else { return false }
        received += Array(buffer.readableBytesView)
        return true
    }

    public var text: String { String(decoding: received, as: UTF8.self) }

    /// Reads until the data contains a string, or until the server closes. Returns the data, and clears ``received``.
    public func read(until end: String) async -> String {
        while !text.contains(end), await receive() {}
        let result = text
        received = []
        return result
    }

    /// Reads until the server closes, and returns all data.
    public func readToEnd() async -> String {
        while await receive() {}
        return text
    }

    /// Sends a string, reads until the server closes, and closes the connection. Returns all data.
    public func exchange(_ text: String) async -> String { await exchange(Array(text.utf8)) }

    public func exchange(_ bytes: [UInt8]) async -> String {
        // The server may have responded and closed the connection already.
        try? await send(bytes)
        let answer = await readToEnd()
        await close()
        return answer
    }

    public func close() async { try? await channel.close() }
}

private final class Collector: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ continuation: AsyncStream<ByteBuffer>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { continuation.finish() }
    }

    /// Closes the channel after an error, such as a reset.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
