import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL

/// Responses that bypass Hummingbird: for the most frequent kinds of requests.
///
/// Hummingbird streams the parts of requests and responses, which short ones do not need. A direct action gets the whole request and returns the
/// whole response; `benchmarks/query-over-http` measures the difference. ``RequestBodyRules`` limit the size of one body and of all together.
public struct DirectAnswers: Sendable {
    /// Responds to a request. Runs on the connection's event loop, and must not block it.
    public typealias Action = @Sendable (Request) async -> Response

    let action: @Sendable (_ path: Substring) -> Action?
    /// True if requests have ``Request/clientCertificate``.
    let readsClientCertificates: Bool

    /// - Parameter action: finds the action for requests to a path, percent-encoded as in the request; `nil` for Hummingbird's.
    public init(
        readsClientCertificates: Bool = false, _ action: @escaping @Sendable (_ path: Substring) -> Action?
    ) {
        self.readsClientCertificates = readsClientCertificates
        self.action = action
    }
}

/// Takes the requests with direct responses out of a connection of HTTP/1 or a stream of HTTP/2. It processes them one after the other, in their
/// order.
final class DirectAnswerHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Incoming {
        case part(HTTPServerRequestPart)
        case error(any Error)
        case inputClosed
    }

    private enum State {
        case idle
        /// A request for a direct response is being received.
        case collecting(HTTPRequestHead, ByteBuffer, DirectAnswers.Action)
        /// Its response is being made.
        case answering
        /// A request is Hummingbird's, up to the end of its response.
        case passing(isRequestOver: Bool, isAnswerOver: Bool)
    }

    /// The number of parts of requests beyond which no more are read.
    private static let mostWaiting = 64

    private let answers: DirectAnswers
    /// Writes responses on HTTP/1; `nil` on HTTP/2.
    private let http1: HTTP1Guard?
    /// The stream on HTTP/2; `nil` on HTTP/1.
    private let http2: HTTP2StreamGuard?
    /// Counts the body of the request that is being processed.
    private let account: () -> BodyAccount?
    private var peer: String?
    private var local: String?
    private var state = State.idle
    /// The input that arrived while a response is being made.
    private var waiting = CircularBuffer<Incoming>()
    private var isReadWanted = false
    /// Hummingbird's task, which sees no direct request, has ended and wants to close the connection.
    private var isCloseWanted = false

    init(_ answers: DirectAnswers, http1: HTTP1Guard) {
        self.answers = answers
        self.http1 = http1
        http2 = nil
        account = { http1.unanswered.first?.body }
    }

    init(_ answers: DirectAnswers, http2: HTTP2StreamGuard) {
        self.answers = answers
        http1 = nil
        self.http2 = http2
        account = { http2.account }
    }

    /// A channel that is closed no longer knows its addresses.
    func handlerAdded(context: ChannelHandlerContext) {
        peer = context.channel.remoteAddress?.ipAddress
        local = context.channel.localAddress?.ipAddress
    }

    func handlerRemoved(context: ChannelHandlerContext) { waiting.removeAll() }

    /// Drops queued requests, since the client would not get the responses.
    func channelInactive(context: ChannelHandlerContext) {
        waiting.removeAll()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { take(.error(error), context) }

    /// The end of the client's data stays behind the requests before it: Hummingbird ends its task when it sees it.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        take(.inputClosed, context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .answering = state, mode != .input else {
            context.close(mode: mode, promise: promise)
            return
        }
        isCloseWanted = true
        if let promise { context.channel.closeFuture.cascade(to: promise) }
    }

    private func take(_ incoming: Incoming, _ context: ChannelHandlerContext) {
        waiting.append(incoming)
        takeWaiting(context)
    }

    /// Reads more, unless the client has sent too much while its responses are being made. A client that waits for its responses, as nearly all do,
    /// costs no change of the events that the system watches.
    func read(context: ChannelHandlerContext) {
        if waiting.count > Self.mostWaiting {
            isReadWanted = true
        } else {
            context.read()
        }
    }

    private func takeWaiting(_ context: ChannelHandlerContext) {
        while let first = waiting.first {
            switch (state, first) {
            case (.answering, _), (.passing(isRequestOver: true, _), .part): return
            // A client that reads no responses gets no more of them.
            case (.idle, .part) where http1 != nil && !context.channel.isWritable: return
            case (.idle, .part(let part)):
                if case .head(let head) = part, let action = answers.action(Request.path(of: head.uri)) {
                    state = .collecting(head, ByteBuffer(), action)
                } else {
                    state = .passing(isRequestOver: false, isAnswerOver: false)
                    context.fireChannelRead(wrapInboundOut(part))
                }
            case (.collecting(let head, var body, let action), .part(.body(var bytes))):
                state = .idle
                if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
                state = .collecting(head, body, action)
            case (.collecting(let head, let body, let action), .part(.end)):
                waiting.removeFirst()
                answer(head, body, action, context)
                return
            case (.collecting, .part(.head)): return
            case (.passing(_, let isAnswerOver), .part(let part)):
                if case .end = part {
                    state = isAnswerOver ? .idle : .passing(isRequestOver: true, isAnswerOver: false)
                }
                context.fireChannelRead(wrapInboundOut(part))
            case (_, .error(let error)):
                // Hummingbird responds to a broken request.
                if case .collecting = state { state = .passing(isRequestOver: true, isAnswerOver: false) }
                context.fireErrorCaught(error)
            case (_, .inputClosed):
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
            waiting.removeFirst()
        }
    }

    /// The client's certificate, from the TLS handler of the connection. It does not change: renegotiation is off.
    private func certificate(_ context: ChannelHandlerContext) -> [UInt8]? {
        // A stream of HTTP/2 has the connection's channel as its parent, on the same event loop.
        let channel = http1 == nil ? context.channel.parent : context.channel
        let handler = try? channel?.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        return handler?.peerCertificate.flatMap { try? $0.toDERBytes() }
    }

    private func answer(
        _ head: HTTPRequestHead, _ body: ByteBuffer, _ action: @escaping DirectAnswers.Action,
        _ context: ChannelHandlerContext
    ) {
        state = .answering
        let executor = EventLoopExecutor.executor(of: context.eventLoop)
        // The body counts as long as the action may hold it, even if the connection ends before.
        let bound = NIOLoopBound((self, context, account()), eventLoop: context.eventLoop)
        let request = Request(
            head, body, peer: peer, local: local,
            clientCertificate: answers.readsClientCertificates ? certificate(context) : nil)
        Task(executorPreference: executor) {
            let response = await action(request)
            let (handler, context, _) = bound.value
            let hasBody = request.method != .head
            if hasBody, let rest = response.rest {
                await handler.send(response, rest, bound)
            } else if let http1 = handler.http1 {
                http1.send(response, hasBody: hasBody)
                handler.state = .idle
                handler.goOn(context)
            } else {
                handler.sendInParts(response, hasBody: hasBody, context)
                handler.sendEnd(context)
            }
        }
    }

    /// Sends a response whose body is read while it is sent.
    private func send(
        _ response: Response, _ rest: StreamedBody,
        _ bound: NIOLoopBound<(DirectAnswerHandler, ChannelHandlerContext, BodyAccount?)>
    ) async {
        if let http1 {
            http1.sendStart(response, hasBody: true)
        } else {
            sendInParts(response, hasBody: true, bound.value.1)
        }
        do {
            try await rest.send {
                // With HTTP/1 the system's buffer is the room: a connection has one response at a time.
                let (handler, context, _) = bound.value
                guard let wait = handler.http2?.reserveRoom() else { return }
                context.flush()
                try await wait.get()
            } _: { part in
                let (handler, context, _) = bound.value
                guard let http1 = handler.http1 else {
                    let taken = context.eventLoop.makePromise(of: Void.self)
                    context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(part))), promise: taken)
                    return try await taken.futureResult.get()
                }
                guard let taken = http1.sendPart(part) else { throw ChannelError.ioOnClosedChannel }
                try await taken.get()
            }
        } catch {
            state = .idle
            bound.value.1.close(promise: nil)
            return
        }
        guard let http1 else { return sendEnd(bound.value.1) }
        http1.sendEnd()
        state = .idle
        goOn(bound.value.1)
    }

    /// Sends the start of a response on HTTP/2.
    private func sendInParts(_ response: Response, hasBody: Bool, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        if let length = response.length { headers.replaceOrAdd(name: "content-length", value: String(length)) }
        let head = HTTPResponseHead(
            version: .http2, status: .init(statusCode: response.status.code), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if hasBody, response.length != nil, response.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
    }

    /// Ends a response on HTTP/2. A stream ends with its response, so it must not be closed before the response is written.
    private func sendEnd(_ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            state = .idle
            goOn(context)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        guard case .end = part, case .passing(let isRequestOver, _) = state else { return }
        state = isRequestOver ? .idle : .passing(isRequestOver: false, isAnswerOver: true)
        goOn(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { goOn(context) }
        context.fireChannelWritabilityChanged()
    }

    /// Processes queued input, then resumes reading or closes. Hummingbird processes its input only at the event for a complete read.
    private func goOn(_ context: ChannelHandlerContext) {
        if !waiting.isEmpty {
            takeWaiting(context)
            context.fireChannelReadComplete()
        }
        if isReadWanted, waiting.count <= Self.mostWaiting {
            isReadWanted = false
            context.read()
        }
        guard isCloseWanted else { return }
        if case .answering = state { return }
        isCloseWanted = false
        context.close(promise: nil)
    }
}
