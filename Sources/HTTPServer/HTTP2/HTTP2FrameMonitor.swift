import NIOCore
import NIOSSL

/// The handler below NIOHTTP2. It detects, from the frames' bytes, what NIOHTTP2 does not report:
///
/// - A frame or a header block that does not arrive in time. NIOHTTP2 counts a connection as idle until a HEADERS frame and
///   its CONTINUATION frames have arrived whole, and an idle client has much longer.
/// - Frames that do nothing by themselves: WINDOW_UPDATE, PRIORITY and unknown types. NIOHTTP2 limits the others.
/// - An error of the connection. NIOHTTP2 reports errors of a stream and of the connection alike, but sends a GOAWAY for the latter only.
final class HTTP2FrameMonitor: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let headerTime: TimeAmount
    private let end: (HTTP2ConnectionCloser.Reason) -> Void
    /// The number of further frames without effect that the client may send.
    private var idleFrames = 1_000
    private var hasEnded = false
    private var incoming = HTTP2FrameScanner(hasPreface: true)
    private var outgoing = HTTP2FrameScanner(hasPreface: false)
    /// A header block whose last frame has not ended.
    private var isHeaderOpen = false
    private var hasFrame = false
    /// The streams whose request bodies have begun and not ended. Their own clocks measure their DATA frames.
    private var openBodies: Set<UInt32> = []
    private var lastStream: UInt32 = 0
    private var alarm: MovableDeadline?
    private var waitingSince: NIODeadline?

    /// - Parameters:
    ///   - headerTime: the time from the first byte to the last of the preface, a header block or another frame, except DATA of
    ///     an open request body.
    ///   - end: called on the event loop when one of them takes longer, or when there are too many frames that do nothing: more than 1,000
    ///     on a connection, 10 for each request and 2 for each DATA frame that the server has sent, since a client reacts to DATA with
    ///     WINDOW_UPDATE for the stream and for the connection.
    init(headerTime: Duration, end: @escaping (HTTP2ConnectionCloser.Reason) -> Void) {
        self.headerTime = TimeAmount(headerTime)
        self.end = end
    }

    /// True if NIOHTTP2 has reported to the client that the connection is broken.
    var isConnectionBroken: Bool { outgoing.hasSeenGoAwayError }

    func handlerAdded(context: ChannelHandlerContext) {
        alarm = MovableDeadline(eventLoop: context.eventLoop) { [weak self] in self?.end(.late) }
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        incoming.scan(unwrapInboundIn(data)) { [self] frame in
            hasFrame = true
            if frame.isIdle { idleFrames -= 1 }
            if frame.type == HTTP2FrameScanner.FrameType.headers { idleFrames += 10 }
            if !isHeaderOpen { waitingSince = nil }
            noteBody(frame)
            guard frame.type == HTTP2FrameScanner.FrameType.headers || isHeaderOpen else { return }
            isHeaderOpen = frame.flags & HTTP2FrameScanner.endHeaders == 0
            if !isHeaderOpen { waitingSince = nil }
        }
        guard idleFrames >= 0 else {
            hasEnded = true
            alarm?.cancel()
            return end(.idleFrames)
        }
        watch(context)
        context.fireChannelRead(data)
    }

    /// Notes whether a frame of the client begins or ends a request's body.
    private func noteBody(_ frame: HTTP2FrameScanner.Frame) {
        if frame.endsStream || frame.isReset {
            openBodies.remove(frame.stream)
        } else if frame.type == HTTP2FrameScanner.FrameType.headers, frame.stream > lastStream {
            // A stream that has ended does not begin again.
            openBodies.insert(frame.stream)
        }
        if frame.type == HTTP2FrameScanner.FrameType.headers { lastStream = max(lastStream, frame.stream) }
    }

    private func watch(_ context: ChannelHandlerContext) {
        if !hasFrame || isHeaderOpen || incoming.isInside && !isInsideBody {
            waitingSince = waitingSince ?? context.eventLoop.now
        } else {
            waitingSince = nil
        }
        alarm?.set(waitingSince.map { $0 + headerTime })
    }

    /// True if the unfinished frame is a part of a body that a stream still waits for.
    private var isInsideBody: Bool {
        guard let frame = incoming.unfinished, frame.type == HTTP2FrameScanner.FrameType.data else { return false }
        return openBodies.contains(frame.stream)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data) {
            let wasInsideBody = isInsideBody
            outgoing.scan(buffer) { [self] frame in
                if frame.type == HTTP2FrameScanner.FrameType.data { idleFrames += 2 }
                // A stream that the server ends takes no more of the body.
                if frame.endsStream || frame.isReset {
                    openBodies.remove(frame.stream)
                }
            }
            if isInsideBody != wasInsideBody { watch(context) }
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that ends TLS without a goodbye has closed its side; the event says so next.
        if case NIOSSLError.uncleanShutdown = error { return }
        context.fireErrorCaught(error)
    }
}
