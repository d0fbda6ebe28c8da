import Core
import Logging
import NIOCore
import NIOHTTP2

/// Ends an HTTP/2 connection where NIOHTTP2 leaves it open. The client always gets the data that was written before:
/// - a while after the server has sent GOAWAY, also when the client does not react to it;
/// - when the client has closed its side, after the responses to its requests; incomplete requests then end at once;
/// - when a frame or a header block does not arrive in time, or too many frames do nothing;
/// - when the client broke a rule of the connection or a limit. An error of one stream ends only that stream
///   (RFC 9113, 5.4.2); NIOHTTP2 has already reset it.
final class HTTP2ConnectionCloser: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let goAwayGracePeriod: TimeAmount
    private let log: LogLimiter
    /// Returns true if NIOHTTP2 has ended the connection with an error.
    private let isConnectionBroken: () -> Bool
    private var closing: Scheduled<Void>?
    private var streams: [ObjectIdentifier: HTTP2StreamGuard] = [:]
    /// The parts of responses that may be read once the client has read others.
    private var waiting = CircularBuffer<(reserve: () -> Void, promise: EventLoopPromise<Void>)>()
    /// True if the client has closed its side, and all its earlier data has been passed to the streams.
    private(set) var hasAllInput = false
    private var isInputClosed = false
    private var hasFinished = false
    private var context: ChannelHandlerContext?

    init(goAwayGracePeriod: Duration, log: LogLimiter, isConnectionBroken: @escaping () -> Bool) {
        self.goAwayGracePeriod = TimeAmount(goAwayGracePeriod)
        self.log = log
        self.isConnectionBroken = isConnectionBroken
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        closing?.cancel()
        closing = nil
        self.context = nil
        while let (_, promise) = waiting.popFirst() { promise.fail(ChannelError.ioOnClosedChannel) }
    }

    // MARK: What its streams and its frames report

    func opened(_ stream: HTTP2StreamGuard) { streams[ObjectIdentifier(stream)] = stream }

    func closed(_ stream: HTTP2StreamGuard) {
        streams[ObjectIdentifier(stream)] = nil
        hasMoreRoom()
        guard isInputClosed, streams.isEmpty, let context else { return }
        // The frame that has ended the stream is not flushed yet.
        context.eventLoop.assumeIsolated().execute { self.finish(context) }
    }

    /// The room for a part of a response that is read from a file.
    static let part = 65_536
    /// The most bytes of such responses that one client leaves unread, over all its streams.
    private static let mostUnread = 1 << 20

    private var hasRoom: Bool { streams.values.reduce(0) { $0 + $1.unreadBytes } + Self.part <= Self.mostUnread }

    /// Waits for the client to read other responses, in the order of the calls.
    ///
    /// - Parameter reserve: counts the part; called once there is room.
    /// - Returns: `nil` if there is room now.
    func room(for eventLoop: any EventLoop, reserve: @escaping () -> Void) -> EventLoopFuture<Void>? {
        guard !waiting.isEmpty || !hasRoom else {
            reserve()
            return nil
        }
        let promise = eventLoop.makePromise(of: Void.self)
        waiting.append((reserve, promise))
        return promise.futureResult
    }

    /// Lets those go on for which there is room.
    func hasMoreRoom() {
        while !waiting.isEmpty, hasRoom {
            let (reserve, promise) = waiting.removeFirst()
            reserve()
            promise.succeed()
        }
    }

    /// The reason why the frames of a client end its connection.
    enum Reason {
        /// A frame or a header block has not arrived in time.
        case late
        /// Too many frames do nothing.
        case idleFrames

        fileprivate var limit: String {
            self == .late ? "limits.headerTime" : "HTTP/2 WINDOW_UPDATE, PRIORITY and unknown frames"
        }

        fileprivate var text: String {
            self == .late ? "a frame did not arrive in time" : "too many frames that do nothing"
        }
    }

    func end(_ reason: Reason) {
        guard let context else { return }
        log.reached(reason.limit, by: context.remoteAddress?.ipAddress, "ended an HTTP/2 connection")
        let text = ByteBuffer(string: reason.text)
        let frame = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: .maxID, errorCode: .enhanceYourCalm, opaqueData: text))
        context.write(wrapOutboundOut(frame), promise: nil)
        finish(context)
    }

    // MARK: Handler

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .goAway = unwrapOutboundIn(data).payload { finishLater(context) }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else {
            context.close(mode: mode, promise: promise)
            return
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        warnOfUnfinished(context)
        finish(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case ChannelEvent.inputClosed = event else { return }
        isInputClosed = true
        guard !streams.isEmpty else {
            finish(context)
            return
        }
        finishLater(context)
        // Data from before the end reaches the streams when this read is complete.
        context.eventLoop.assumeIsolated().execute { [self] in
            hasAllInput = true
            for stream in Array(streams.values) { stream.inputClosed() }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isConnectionBroken() || !(error is any NIOHTTP2Error) else { return }
        if let limit = Self.limit(of: error) {
            log.reached(limit, by: context.remoteAddress?.ipAddress, "ended an HTTP/2 connection")
        }
        context.fireErrorCaught(error)
        finish(context)
    }

    /// The limit that a client has broken; `nil` for other errors.
    private static func limit(of error: any Error) -> String? {
        switch error {
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock: "size of a request's headers"
        case is NIOHTTP2Errors.ExcessiveContinuationFrames: "HTTP/2 CONTINUATION frames"
        case is NIOHTTP2Errors.ExcessiveRSTFrames: "HTTP/2 stream resets"
        case is NIOHTTP2Errors.ExcessiveStreamErrors: "HTTP/2 stream errors"
        case is NIOHTTP2Errors.ExcessiveControlFrames: "HTTP/2 control frames"
        case is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering: "HTTP/2 frames that wait for the client"
        case is NIOHTTP2Errors.ExcessiveEmptyDataFrames: "HTTP/2 empty DATA frames"
        default: nil
        }
    }

    private func finishLater(_ context: ChannelHandlerContext) {
        guard closing == nil else { return }
        closing = context.eventLoop.assumeIsolated().scheduleTask(in: goAwayGracePeriod) { [self] in
            warnOfUnfinished(context)
            finish(context)
        }
    }

    /// Logs the responses that end with the connection: they are incomplete, and their handlers do not notice it.
    private func warnOfUnfinished(_ context: ChannelHandlerContext) {
        guard !streams.isEmpty, !hasFinished, context.channel.isActive else { return }
        let responses = "\(streams.count) response\(streams.count == 1 ? "" : "s")"
        let peer = context.remoteAddress?.ipAddress ?? "an unknown address"
        log.log(
            "response cut off", at: .warning,
            "cut off \(responses) to \(peer): not finished in time after the connection's GOAWAY")
    }

    private func finish(_ context: ChannelHandlerContext) {
        hasFinished = true
        context.flush()
        context.close(mode: .output, promise: nil)
    }
}
