import NIOCore
import NIOHTTP1

/// Times, refusals and the end of a connection.
extension HTTP1Guard {
    /// Answers with the refusal after what is to be answered before it, and closes.
    func refuse(_ refusal: Refusal) {
        guard let context, !isLingering, self.refusal == nil else { return }
        reading = .done
        if unanswered.isEmpty {
            answer(refusal, context)
        } else {
            self.refusal = refusal
        }
    }

    func answer(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        self.refusal = nil
        let text = ByteBuffer(string: "\(refusal.status.code) \(refusal.status.reasonPhrase)\n")
        let headers: HTTPHeaders = [
            "Connection": "close", "Content-Type": "text/plain", "Content-Length": "\(text.readableBytes)",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(text))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        lastWrite = written.futureResult
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        closeByHalves(context)
    }

    /// Tells the handler's task that nothing more comes; then, when all answers are with the system, closes the server's
    /// side and waits a little for the client to close its own.
    func closeByHalves(_ context: ChannelHandlerContext) {
        guard !isLingering else { return finishClosing() }
        let isBodyCut = reading == .body
        reading = .done
        isLingering = true
        unanswered.removeAll()
        updateAlarm()
        if isBodyCut { context.fireErrorCaught(HTTPParserError.invalidEOFState) }
        if !closesWholly { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        guard let lastWrite else { return finishClosing() }
        lastWrite.assumeIsolated().whenComplete { [weak self] _ in self?.finishClosing() }
    }

    private func finishClosing() {
        guard let context else { return }
        guard !closesWholly else {
            // Else NIOSSL would not look at the client's own goodbye, and wait five seconds for it.
            try? context.channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            context.close(promise: nil)
            return
        }
        guard lingerSince == nil else { return }
        lingerSince = context.eventLoop.now
        context.close(mode: .output, promise: nil)
        updateAlarm()
        context.read()
    }

    /// Bytes that came and that nobody will look at.
    func discarded(_ bytes: Int) {
        guard isLingering else { return }
        lingerBytesLeft -= bytes
    }

    func updateAlarm() {
        alarm?.set(deadline)
    }

    private var deadline: NIODeadline? {
        if let lingerSince { return lingerSince + TimeAmount(settings.lingerTime) }
        let stalled = stalledSince.map { $0 + TimeAmount(settings.stalledResponseTime) }
        let waiting: NIODeadline? =
            switch reading {
            case .nothing where unanswered.isEmpty:
                phaseSince + TimeAmount(isFirstRequest ? settings.headerTime : settings.keepAliveTime)
            case .header where unanswered.isEmpty: phaseSince + TimeAmount(settings.headerTime)
            case .body: body.deadline
            case .nothing, .header, .done: nil
            }
        return [stalled, waiting].compactMap(\.self).min()
    }

    func timeIsUp() {
        guard let context else { return }
        if isLingering || stalledSince != nil {
            context.close(promise: nil)
            return
        }
        switch reading {
        case .header: refuse(.tooSlow)
        case .body where unanswered.count == 1 && !isResponseBegun: answer(.tooSlow, context)
        case .nothing, .body, .done: context.close(promise: nil)
        }
    }
}
