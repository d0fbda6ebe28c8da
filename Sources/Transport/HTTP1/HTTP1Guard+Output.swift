import NIOCore
import NIOHTTP1

/// What goes out: answers, and whether the connection goes on after them.
extension HTTP1Guard {
    func read(context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        if reading == .body {
            body.readRequested(at: now)
            updateAlarm()
        }
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isFinished, let exchange = unanswered.first else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard head.status.code >= 200 else { break }
            isResponseBegun = true
            if let strictTransportSecurity {
                head.headers.replaceOrAdd(name: "Strict-Transport-Security", value: strictTransportSecurity)
            }
            let isUnread = unanswered.count == 1 && reading == .body
            closesAfterResponse =
                !exchange.keepsAlive || isUnread || isLast && refusal == nil || isStopping && unanswered.count == 1
                || head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
            if exchange.isOld, !head.headers.contains(name: "content-length") {
                // Nothing but the connection's end can end this body.
                head.version = .http1_0
                closesAfterResponse = true
            }
            if closesAfterResponse {
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            } else if exchange.isOld {
                head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        case .body: break
        case .end:
            unanswered.removeFirst()
            isResponseBegun = false
            phaseSince = context.eventLoop.now
            context.write(data, promise: promise)
            // A head that was sent before the body's error came does not say so, but the end has to come.
            if closesAfterResponse || unanswered.isEmpty && reading == .done && refusal == nil {
                finish(context)
            } else if unanswered.isEmpty, let refusal {
                answer(refusal.reason, path: refusal.path, context)
            } else if reading == .header {
                // A pipelined header that has not come whole: its time begins now.
                phaseSince = context.eventLoop.now
            }
            updateAlarm()
            return
        }
        context.write(data, promise: promise)
    }

    /// Whether no request follows the one that is being answered.
    private var isLast: Bool { unanswered.count == 1 && reading == .done }

    /// The handler's task has ended: after the last answer, or with an error before it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else {
            context.close(mode: mode, promise: promise)
            return
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        finish(context)
    }
}
