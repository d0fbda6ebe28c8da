import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// Keeps the times of one HTTP/2 stream and ends it when the answer is complete before the request is: then the client is
/// told to stop sending (RST_STREAM with NO_ERROR; RFC 9113, 8.1).
final class HTTP2StreamGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let settings: TransportSettings
    private var isRequestComplete = false
    private var isResponseBegun = false
    private var isFinished = false
    private var body: BodyClock
    private var stalledSince: NIODeadline?
    /// Since when the answer's end waits for the client's window. A short answer never makes the channel unwritable.
    private var endWaitsSince: NIODeadline?
    private var alarm: Alarm?
    private var context: ChannelHandlerContext?

    init(settings: TransportSettings) {
        self.settings = settings
        body = BodyClock(settings: settings)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        alarm = Alarm(eventLoop: context.eventLoop) { [weak self] in self?.timeIsUp() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFinished else { return }
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            isRequestComplete = headers.endStream
            if headers.headers.count > settings.maximumHeaderCount {
                answer("431", context)
                return
            }
        case .data(let data):
            body.received(data.data.readableBytes, at: context.eventLoop.now)
            isRequestComplete = data.endStream
        default: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        updateAlarm()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        body.readRequested(at: context.eventLoop.now)
        updateAlarm()
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isFinished else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let isEnd: Bool
        switch unwrapOutboundIn(data) {
        case .headers(let headers):
            isResponseBegun = true
            isEnd = headers.endStream
        case .data(let data): isEnd = data.endStream
        default: isEnd = false
        }
        guard isEnd else {
            context.write(data, promise: promise)
            return
        }
        let isEarly = !isRequestComplete
        isFinished = isEarly
        endWaitsSince = context.eventLoop.now
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [weak self] result in
            guard let self else { return }
            endWaitsSince = nil
            updateAlarm()
            if isEarly, case .success = result { stopClient() }
        }
        context.write(data, promise: written)
        updateAlarm()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalledSince = context.channel.isWritable ? nil : context.eventLoop.now
        updateAlarm()
        context.fireChannelWritabilityChanged()
    }

    /// The answer's end is on its way: a reset before that would overtake what flow control still holds.
    private func stopClient() {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }

    private func answer(_ status: String, _ context: ChannelHandlerContext) {
        let headers: HPACKHeaders = [":status": status, "content-length": "0"]
        let end = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true))
        write(context: context, data: wrapOutboundOut(end), promise: nil)
        isFinished = true
        context.flush()
    }

    private func updateAlarm() {
        let stalled = (stalledSince ?? endWaitsSince).map { $0 + TimeAmount(settings.stalledResponseTime) }
        let waiting = isRequestComplete || isFinished ? nil : body.deadline
        alarm?.set([stalled, waiting].compactMap(\.self).min())
    }

    private func timeIsUp() {
        guard let context else { return }
        if stalledSince == nil, endWaitsSince == nil, !isResponseBegun {
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
            answer("408", context)
        } else {
            context.close(promise: nil)
        }
    }
}
