import Core
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes

@testable import HTTPServer

/// An HTTP/1 connection without a socket, whose clock the test sets.
final class EmbeddedConnection {
    let channel: EmbeddedChannel
    private let closes = HalfCloseRecorder()
    private let bytes = PieceRecorder()
    private let flushes = FlushGate()

    /// True while written data is held back.
    var holdFlushes: Bool {
        get { flushes.isShut }
        set { flushes.set(newValue) }
    }

    init(settings: HTTPServerSettings = HTTPServerSettings()) throws {
        channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(closes)
        try channel.pipeline.syncOperations.addHandler(flushes)
        let log = LogLimiter(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, time: SystemTime())
        try channel.pipeline.syncOperations.addHandler(LingeringClose(settings: settings, log: log))
        try HTTP1Pipeline.add(to: channel.pipeline.syncOperations, isSecure: false, settings: settings)
        let sniffed = try channel.pipeline.syncOperations.context(handlerType: RequestLineSanitizer.self).handler
        try channel.pipeline.syncOperations.addHandler(bytes, position: .after(sniffed))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Errors stay in ``errors()``.
    func send(_ bytes: [UInt8]) {
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
        channel.pipeline.fireChannelReadComplete()
        // Automatic reading does this after each read.
        channel.pipeline.read()
    }

    /// The requests that have come, as `METHOD target body` and `…` for a body without its end.
    func requests() throws -> [String] {
        var result: [(head: String, body: ByteBuffer, isWhole: Bool)] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head): result.append(("\(head.method) \(head.path ?? "")", ByteBuffer(), false))
            case .body(let body): result[result.count - 1].body.writeImmutableBuffer(body)
            case .end: result[result.count - 1].isWhole = true
            }
        }
        return result.map { request in
            let body = request.body.readableBytes > 0 ? " " + String(buffer: request.body) : ""
            return request.head + body + (request.isWhole ? "" : "…")
        }
    }

    func answer(_ body: String = "x", close: Bool = false) {
        let fields: [HTTPResponsePart] = [
            .head(
                .init(
                    status: .ok,
                    headerFields: close
                        ? [.contentLength: "\(body.utf8.count)", .connection: "close"]
                        : [.contentLength: "\(body.utf8.count)"])), .body(ByteBuffer(string: body)), .end(nil),
        ]
        for part in fields { channel.write(part, promise: nil) }
        channel.flush()
    }

    /// Returns the client's input since the last call.
    func output() throws -> String {
        var result = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { result += String(buffer: buffer) }
        return result
    }

    /// Makes the client stop reading in the middle of a response: later writes wait.
    func fill() {
        send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
    }

    /// Simulates that the system takes one more byte of the written data.
    func takeByte() {
        let lowest = try? channel.pipeline.syncOperations.context(handlerType: RequestLineSanitizer.self)
        lowest?.writeAndFlush(NIOAny(ByteBuffer(string: "x")), promise: nil)
    }

    func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    var isOpen: Bool { channel.isActive }
    var isOutputClosed: Bool { closes.isOutputClosed }

    /// The pieces in which bytes went to the parser.
    var pieces: [ByteBuffer] { bytes.pieces }

    /// Ends the connection at once, below the handler that waits for the client: no time passes here any more.
    func finish() {
        try? channel.pipeline.syncOperations.context(handlerType: LingeringClose.self).close(promise: nil)
        channel.embeddedEventLoop.run()
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}

/// Keeps the embedded channel from closing wholly when only its output is closed.
private final class HalfCloseRecorder: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var isOutputClosed = false

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else {
            context.close(mode: mode, promise: promise)
            return
        }
        isOutputClosed = true
        promise?.succeed()
    }
}

/// Holds flushes, as a system does whose buffers are full.
private final class FlushGate: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var isShut = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func flush(context: ChannelHandlerContext) {
        if !isShut { context.flush() }
    }

    func set(_ isShut: Bool) {
        self.isShut = isShut
        if !isShut { context?.flush() }
    }
}

private final class PieceRecorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var pieces: [ByteBuffer] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pieces.append(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }
}
