public import NIOCore
public import NIOHTTP1

/// Answers given without Hummingbird in between: for the few kinds of requests of which there are very many.
///
/// Hummingbird streams the parts of requests and answers, which short ones have no use for. Who answers directly gets the whole
/// request and gives the whole answer; `benchmarks/query-over-http` is where it shows.
public struct DirectAnswers: Sendable {
    /// Whether a request is answered directly. It must have a body of a known length, or none.
    public let accepts: @Sendable (_ head: HTTPRequestHead) -> Bool
    /// The longest body, in bytes; longer ones go to Hummingbird.
    public let longestBody: Int
    /// Answers. Runs on the connection's event loop, and must not block it.
    public let answer: @Sendable (HTTPRequestHead, ByteBuffer, any Channel) async -> (HTTPResponseHead, ByteBuffer)

    public init(
        longestBody: Int, accepts: @escaping @Sendable (HTTPRequestHead) -> Bool,
        answer: @escaping @Sendable (HTTPRequestHead, ByteBuffer, any Channel) async -> (HTTPResponseHead, ByteBuffer)
    ) {
        self.longestBody = longestBody
        self.accepts = accepts
        self.answer = answer
    }
}

/// Takes out of a connection's requests those that are answered directly, one after the other in their order.
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
        /// A request for a direct answer is coming in.
        case collecting(HTTPRequestHead, ByteBuffer)
        /// Its answer is being made.
        case answering
        /// A request is Hummingbird's, up to the end of its answer.
        case passing(isRequestOver: Bool, isAnswerOver: Bool)
    }

    /// In parts of requests.
    private static let mostWaiting = 64

    private let answers: DirectAnswers
    private var state = State.idle
    /// What came while an answer is being made.
    private var waiting = CircularBuffer<Incoming>()
    private var isReadWanted = false
    /// Hummingbird's task, which sees no direct request, has ended and wants to close the connection.
    private var isCloseWanted = false

    init(_ answers: DirectAnswers) {
        self.answers = answers
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

    /// A client that sends on and on while its answers are being made has to wait. One that does not, as nearly all, costs no
    /// change of what the system watches for.
    func read(context: ChannelHandlerContext) {
        if case .answering = state, waiting.count > Self.mostWaiting {
            isReadWanted = true
        } else {
            context.read()
        }
    }

    private func takeWaiting(_ context: ChannelHandlerContext) {
        while let first = waiting.first {
            switch (state, first) {
            case (.answering, _), (.passing(isRequestOver: true, _), .part): return
            case (.idle, .part(.head(let head))) where isDirect(head):
                state = .collecting(head, ByteBuffer())
            case (.idle, .part(let part)):
                state = .passing(isRequestOver: false, isAnswerOver: false)
                context.fireChannelRead(wrapInboundOut(part))
            case (.collecting(let head, var body), .part(.body(var bytes))):
                state = .idle
                if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
                state = .collecting(head, body)
            case (.collecting(let head, let body), .part(.end)):
                waiting.removeFirst()
                answer(head, body, context)
                return
            case (.collecting, .part(.head)): return
            case (.passing(_, let isAnswerOver), .part(let part)):
                if case .end = part {
                    state = isAnswerOver ? .idle : .passing(isRequestOver: true, isAnswerOver: false)
                }
                context.fireChannelRead(wrapInboundOut(part))
            case (_, .error(let error)):
                // Hummingbird answers a broken request.
                if case .collecting = state { state = .passing(isRequestOver: true, isAnswerOver: false) }
                context.fireErrorCaught(error)
            case (_, .inputClosed):
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
            waiting.removeFirst()
        }
    }

    private func isDirect(_ head: HTTPRequestHead) -> Bool {
        guard head.headers[canonicalForm: "transfer-encoding"].isEmpty, head.headers["expect"].isEmpty else {
            return false
        }
        let length = head.headers.first(name: "content-length").map { Int($0) ?? Int.max } ?? 0
        return length <= answers.longestBody && answers.accepts(head)
    }

    private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        state = .answering
        let executor = EventLoopExecutor.executor(of: context.eventLoop)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let channel = context.channel
        Task(executorPreference: executor) { [answers] in
            let (head, body) = await answers.answer(head, body, channel)
            let (handler, context) = bound.value
            handler.send(head, body, context)
        }
    }

    private func send(_ head: HTTPResponseHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        state = .idle
        takeMore(context)
        if case .answering = state { return }
        if isCloseWanted {
            context.close(promise: nil)
        } else if isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        guard case .end = part, case .passing(let isRequestOver, _) = state else { return }
        state = isRequestOver ? .idle : .passing(isRequestOver: false, isAnswerOver: true)
        takeMore(context)
    }

    /// Takes what has come meanwhile. Hummingbird looks at it only when it hears that reading is over for now.
    private func takeMore(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty else { return }
        takeWaiting(context)
        context.fireChannelReadComplete()
    }
}
