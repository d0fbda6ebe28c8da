import Core
import HTTPTypes
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// Enforces the timeouts of one HTTP/2 stream and ends it when the response is complete before the request is: then the server asks the client to
/// stop sending (RST_STREAM with NO_ERROR; RFC 9113, 8.1).
final class HTTP2StreamGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// The most bytes of a DATA frame, and so the step in which the client's progress is seen.
    private static let frameSize = 16 * 1024

    private let settings: HTTPServerSettings
    private let connection: HTTP2ConnectionCloser
    private let bodies: BodyAllowance?
    private let log: LogLimiter
    private var request = HPACKHeaders()
    private(set) var account: BodyAccount?
    private var isRequestComplete = false
    private var isResponseBegun = false
    private var isFinished = false
    private var body: BodyTimer
    private var response: ResponseTimer
    /// The number of frames of the response that wait for the client's window, or for the system.
    private var pendingFrames = 0
    /// The bytes of the response that wait for the client's window, or that are being read from a file.
    private(set) var unreadBytes = 0
    private var reservedBytes = 0
    /// The bytes of the response's declared length that were not written yet; `nil` without one.
    private var bodyLeft: Int?
    /// The last bytes of the response, which wait for its end.
    private var lastBytes: HTTP2Frame.FramePayload.Data?
    private var isCounted = false
    private var alarm: MovableDeadline?
    private var context: ChannelHandlerContext?

    init(
        settings: HTTPServerSettings, connection: HTTP2ConnectionCloser, bodies: BodyAllowance?, log: LogLimiter
    ) {
        self.settings = settings
        self.log = log
        self.connection = connection
        self.bodies = bodies
        body = BodyTimer(settings: settings)
        response = ResponseTimer(settings: settings)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        alarm = MovableDeadline(eventLoop: context.eventLoop) { [weak self] in self?.handleTimeout() }
        isCounted = true
        connection.opened(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ended()
        alarm = nil
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    private func ended() {
        alarm?.cancel()
        account = nil
        guard isCounted else { return }
        isCounted = false
        connection.closed(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFinished else { return }
        var data = data
        switch unwrapInboundIn(data) {
        case .headers(var headers):
            isRequestComplete = headers.endStream
            // Trailers have no method.
            let isRequest = headers.headers.contains(name: ":method")
            if isRequest { request = headers.headers }
            if let refusal = refusal(of: headers.headers, isRequest: isRequest) {
                if isRequest { answer(refusal, context) } else { breakOff(refusal, context) }
                return
            }
            if isRequest, !headers.headers.contains(name: ":authority") {
                headers.headers = RequestHost.withAuthority(headers.headers)
                data = wrapInboundOut(.headers(headers))
            }
        case .data(let data):
            let bytes = data.data.readableBytes
            body.received(bytes, at: context.eventLoop.now)
            isRequestComplete = data.endStream
            if let refusal = count(bytes, context) {
                breakOff(refusal, context)
                return
            }
        default: break
        }
        context.fireChannelRead(data)
    }

    private func refusal(of headers: HPACKHeaders, isRequest: Bool) -> RejectionReason? {
        let isLong = headers.contains { $0.name.utf8.count + $0.value.utf8.count > settings.maximumHeaderLine }
        guard headers.count <= settings.maximumHeaderCount, !isLong else { return .headerTooLarge }
        guard isRequest else { return nil }
        guard RequestHost.isValid(headers) else { return .malformed }
        if let bodies, let length = headers.first(name: "content-length").flatMap({ Int($0) }),
            length > bodies.rules.longestBody
        {
            return .bodyTooLong
        }
        return nil
    }

    /// Counts bytes of the request's body.
    private func count(_ bytes: Int, _ context: ChannelHandlerContext) -> RejectionReason? {
        guard let bodies else { return nil }
        let account = account ?? BodyAccount(bodies)
        self.account = account
        return account.receive(bytes, peer: context.channel.parent?.remoteAddress) {
            var fields = HTTPFields()
            for field in request {
                if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
            }
            return fields
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        updateAlarm()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        body.readRequested(at: context.eventLoop.now)
        updateAlarm()
        context.read()
        if connection.hasAllInput { inputClosed() }
    }

    /// Ends a request of which a part is missing, when the connection has brought all that it ever will.
    func inputClosed() {
        // Without a read under way, the rest may only wait to be read.
        guard let context, !isRequestComplete, !isFinished, body.deadline != nil else { return }
        breakOff(.malformed, context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isFinished else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .headers(var headers):
            if !isResponseBegun, let value = settings.strictTransportSecurityValue {
                headers.headers.replaceOrAdd(name: "strict-transport-security", value: value)
            }
            isResponseBegun = true
            bodyLeft = headers.headers.first(name: "content-length").flatMap { Int($0) }
            sendLastBytes(context)
            send(.headers(headers), bytes: 0, isEnd: headers.endStream, context, promise)
        case .data(var data):
            bodyLeft = bodyLeft.map { $0 - data.data.readableBytes }
            if let last = lastBytes, data.data.readableBytes == 0, data.endStream {
                (data.data, lastBytes) = (last.data, nil)
            } else if bodyLeft == 0, !data.endStream, data.data.readableBytes > 0 {
                // The end of the stream, which follows, goes into the same frame: libcurl resets a stream that is still open when it
                // has all bytes, and many resets end a connection.
                lastBytes = data
                promise?.succeed()
                return
            }
            sendLastBytes(context)
            sendInFrames(data, context, promise)
        default:
            sendLastBytes(context)
            context.write(data, promise: promise)
        }
    }

    /// Sends the last bytes when something else than the stream's end follows them.
    private func sendLastBytes(_ context: ChannelHandlerContext) {
        guard let last = lastBytes else { return }
        lastBytes = nil
        sendInFrames(last, context, nil)
    }

    /// Reserves room for the next part of a response.
    ///
    /// - Returns: completes when there is room on the connection; `nil` if there is.
    func reserveRoom() -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        return connection.room(for: context.eventLoop) { [weak self] in
            self?.reservedBytes = HTTP2ConnectionCloser.part
            self?.unreadBytes += HTTP2ConnectionCloser.part
        }
    }

    private func sendInFrames(
        _ data: HTTP2Frame.FramePayload.Data, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        unreadBytes -= reservedBytes
        reservedBytes = 0
        var last = data
        if case .byteBuffer(var buffer) = data.data {
            while buffer.readableBytes > Self.frameSize, let piece = buffer.readSlice(length: Self.frameSize) {
                send(.data(.init(data: .byteBuffer(piece))), bytes: Self.frameSize, isEnd: false, context, nil)
            }
            last.data = .byteBuffer(buffer)
        }
        send(.data(last), bytes: last.data.readableBytes, isEnd: data.endStream, context, promise)
    }

    /// Sends a frame and watches how long the client lets it wait.
    private func send(
        _ frame: HTTP2Frame.FramePayload, bytes: Int, isEnd: Bool, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let isEarly = isEnd && !isRequestComplete
        if isEarly { isFinished = true }
        pendingFrames += 1
        unreadBytes += bytes
        response.begin(at: context.eventLoop.now)
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [weak self] result in
            self?.sent(bytes, isEarlyEnd: isEarly, isSuccess: (try? result.get()) != nil)
        }
        context.write(wrapOutboundOut(frame), promise: written)
        updateAlarm()
    }

    private func sent(_ bytes: Int, isEarlyEnd: Bool, isSuccess: Bool) {
        guard let context else { return }
        pendingFrames -= 1
        unreadBytes -= bytes
        connection.hasMoreRoom()
        response.took(bytes, at: context.eventLoop.now)
        if pendingFrames == 0 { response.end() }
        updateAlarm()
        if isEarlyEnd, isSuccess { stopClient() }
    }

    /// Resets the stream. Call this after the end of the response was written: an earlier reset would overtake data that flow control still holds.
    private func stopClient() {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }

    private func answer(_ reason: RejectionReason, _ context: ChannelHandlerContext) {
        log.refused(reason, context.channel.parent?.remoteAddress)
        let path = request.first(name: ":path") ?? ""
        let (fields, body) = reason.answer(path: path, rules: bodies?.rules)
        var headers: HPACKHeaders = [":status": String(reason.status.code)]
        for field in fields { headers.add(name: field.name.canonicalName, value: field.value) }
        write(context: context, data: wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
        let end = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(body), endStream: true))
        write(context: context, data: wrapOutboundOut(end), promise: nil)
        isFinished = true
        context.flush()
    }

    /// Reads no more of the request's body. The handler learns from the body that it is broken.
    private func breakOff(_ reason: RejectionReason, _ context: ChannelHandlerContext) {
        if isResponseBegun {
            context.close(promise: nil)
        } else {
            answer(reason, context)
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
        }
    }

    private func updateAlarm() {
        let waiting = isRequestComplete || isFinished ? nil : body.deadline
        alarm?.set([response.deadline, waiting].compactMap(\.self).min())
    }

    private func handleTimeout() {
        guard let context else { return }
        if let deadline = response.deadline, deadline <= context.eventLoop.now {
            let peer = context.channel.parent?.remoteAddress?.ipAddress
            log.reached("time to read a response", by: peer, "cut off a response")
        }
        breakOff(.bodyTooSlow, context)
    }
}
