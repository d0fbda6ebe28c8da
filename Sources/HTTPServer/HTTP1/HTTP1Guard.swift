import Core
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOSSL

/// The handler behind the HTTP/1 parser, which controls one connection: its timeouts, its end, and the responses that need no handler
/// (``RejectionReason``: 400, 408, 413, 414, 429, 431, 503).
///
/// - A response closes the connection when the request asks for that, when the server is stopping, and when the request's body has not been read to
///   its end: the rest of a refused upload is not read.
/// - The connection is closed by halves (RFC 9112, 9.6), so that a client still sending sees the response.
/// - A body that ends too early reaches the handler as an error, never as a complete one.
final class HTTP1Guard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    enum Reading {
        /// Between requests.
        case nothing
        case header
        case body
        /// No further request is taken.
        case done
    }

    let settings: HTTPServerSettings
    let bodies: BodyAllowance?
    let log: LogLimiter?
    /// The header value for all responses over TLS.
    let strictTransportSecurity: String?
    var reading = Reading.nothing
    var unanswered = CircularBuffer<PendingRequest>(initialCapacity: 2)
    var isResponseBegun = false
    var closesAfterResponse = false
    var isStopping = false
    /// The refusal that follows the responses to the earlier requests.
    var refusal: (reason: RejectionReason, path: String)?
    /// True if the last response has been written, or there is none; the connection is being closed.
    var isFinished = false
    /// The client has closed its side.
    var isInputClosed = false

    var phaseSince = NIODeadline.uptimeNanoseconds(0)
    var isFirstRequest = true
    var body: BodyTimer
    var alarm: MovableDeadline?
    var context: ChannelHandlerContext?
    /// The context of ``RequestLineSanitizer``, where bytes are written.
    var output: ChannelHandlerContext?

    /// The heads, ends and body framing that the parser has reported so far, for ``RequestLineSanitizer``.
    private(set) var heads = 0
    private(set) var ends = 0
    private(set) var framing = BodyFraming.length(0)
    /// The bytes around the chunks of the last request's body.
    private var chunkOverhead = 0

    init(settings: HTTPServerSettings, isSecure: Bool, bodies: BodyBudget? = nil, log: LogLimiter? = nil) {
        self.settings = settings
        self.log = log
        strictTransportSecurity = isSecure ? settings.strictTransportSecurityValue : nil
        self.bodies = bodies.map { BodyAllowance($0) }
        body = BodyTimer(settings: settings)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        phaseSince = context.eventLoop.now
        alarm = MovableDeadline(eventLoop: context.eventLoop) { [weak self] in self?.handleTimeout() }
        updateAlarm()
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

    /// True if bytes still go to the parser.
    var acceptsBytes: Bool { reading != .done }

    /// The first byte of a request line has come.
    func requestBegins() {
        guard reading == .nothing, let context else { return }
        reading = .header
        // The first request's time runs from the connection's start.
        if !isFirstRequest { phaseSince = context.eventLoop.now }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .done else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(let received):
            heads += 1
            isFirstRequest = false
            reading = .body
            body = BodyTimer(settings: settings)
            chunkOverhead = 0
            let head = RequestHost.resolved(received)
            let exchange = PendingRequest(head ?? received)
            framing = exchange.framing
            guard let head, !isTooLong(exchange) else {
                refuse(head == nil ? .malformed : .bodyTooLong, path: exchange.path)
                return
            }
            part = .head(head)
            unanswered.append(exchange)
            if exchange.expectsContinue, exchange.framing != .length(0), unanswered.count == 1 {
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            }
        case .body(let bytes):
            chunkOverhead -= bytes.readableBytes
            body.received(bytes.readableBytes, at: context.eventLoop.now)
            if let refusal = count(bytes.readableBytes, context) {
                breakOff(refusal, context)
                return
            }
        case .end(let trailers):
            if let trailers, hasLongLine(trailers) {
                breakOff(.headerTooLarge, context)
                return
            }
            if isChunkOverheadTooLong {
                breakOff(.bodyTooLong, context)
                return
            }
            ends += 1
            reading = isStopping || unanswered.last?.keepsAlive == false ? .done : .nothing
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func isTooLong(_ exchange: PendingRequest) -> Bool {
        guard let bodies, case .length(let length) = exchange.framing else { return false }
        return length > bodies.rules.longestBody
    }

    /// Returns true if a line of a trailer is too long. ``RequestLineSanitizer`` has measured those of the header.
    private func hasLongLine(_ trailers: HTTPHeaders) -> Bool {
        let most = settings.maximumHeaderLine - ": \r\n".utf8.count
        return trailers.contains { $0.name.utf8.count + $0.value.utf8.count > most }
    }

    /// Counts bytes of the last request's body.
    private func count(_ bytes: Int, _ context: ChannelHandlerContext) -> RejectionReason? {
        guard let bodies, !unanswered.isEmpty else { return nil }
        let last = unanswered.index(before: unanswered.endIndex)
        let account = unanswered[last].body ?? BodyAccount(bodies)
        unanswered[last].body = account
        return account.receive(bytes, peer: context.remoteAddress) { unanswered[last].fields }
    }

    /// Counts the bytes that ``RequestLineSanitizer`` passes to the parser next.
    func willParse(_ bytes: Int) { chunkOverhead += bytes }

    /// In a chunked body, the lines of chunks with their extensions and the trailers may have as many bytes as a body.
    private var isChunkOverheadTooLong: Bool {
        if case .length = framing { return false }
        guard let bodies else { return false }
        return chunkOverhead > bodies.rules.longestBody
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if reading == .body, isChunkOverheadTooLong { breakOff(.bodyTooLong, context) }
        updateAlarm()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputClosed = true
            reading = .done
            if unanswered.isEmpty { finish(context) }
        case is ChannelShouldQuiesceEvent:
            isStopping = true
            if reading == .nothing { reading = .done }
            if unanswered.isEmpty, reading == .done { finish(context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that ends TLS without a goodbye has closed its side; the event says so next. Its requests have their own end.
        if case NIOSSLError.uncleanShutdown = error { return }
        guard let parserError = error as? HTTPParserError else {
            // The channel is broken, and nothing more can be said on it.
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return
        }
        switch reading {
        case .done: return
        case .body: breakOff(RejectionReason(parserError), context)
        case .nothing, .header:
            if parserError == .invalidEOFState {
                reading = .done
                if unanswered.isEmpty { finish(context) }
            } else {
                refuse(RejectionReason(parserError))
            }
        }
    }
}

/// The handlers of an HTTP/1 connection, from the bytes to the parts that Hummingbird handles.
enum HTTP1Pipeline {
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, isSecure: Bool, settings: HTTPServerSettings,
        direct: DirectAnswers? = nil, bodies: BodyBudget? = nil, log: LogLimiter? = nil
    ) throws {
        let guardian = HTTP1Guard(settings: settings, isSecure: isSecure, bodies: bodies, log: log)
        var limits = NIOHTTPDecoderLimitConfiguration()
        // RequestLineSanitizer counts the received bytes; this limit leaves room for a line that percent-encoding has made three times as long.
        limits.maxHeaderListSize = settings.maximumHeaderBytes + 3 * settings.maximumRequestLine
        limits.maxHeaderFieldSize = limits.maxHeaderListSize
        limits.maxHeaderFieldCount = settings.maximumHeaderCount
        try pipeline.addHandler(RequestLineSanitizer(guardian: guardian, settings: settings))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: true,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(guardian)
        if let direct { try pipeline.addHandler(DirectAnswerHandler(direct, http1: guardian)) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
    }
}
