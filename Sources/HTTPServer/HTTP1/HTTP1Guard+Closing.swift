import HTTPTypes
import NIOCore
import NIOHTTP1

/// Times, refusals and the end of a connection.
extension HTTP1Guard {
    /// Sends the refusal after the earlier responses, and closes.
    ///
    /// - Parameter path: the request's target, if it is known.
    func refuse(_ reason: RejectionReason, path: String = "") {
        guard let context, !isFinished, refusal == nil else { return }
        reading = .done
        if unanswered.isEmpty {
            answer(reason, path: path, context)
        } else {
            refusal = (reason, path)
        }
    }

    func answer(_ reason: RejectionReason, path: String, _ context: ChannelHandlerContext) {
        refusal = nil
        log?.refused(reason, context.remoteAddress)
        let (fields, body) = reason.answer(path: path, rules: bodies?.rules)
        var headers: HTTPHeaders = ["Connection": "close"]
        for field in fields { headers.add(name: field.name.rawName, value: field.value) }
        if let strictTransportSecurity {
            headers.add(name: "Strict-Transport-Security", value: strictTransportSecurity)
        }
        let status = HTTPResponseStatus(statusCode: reason.status.code, reasonPhrase: reason.status.reasonPhrase)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        finish(context)
    }

    /// Reads no more of the last request's body. The requests before it get their responses first.
    func breakOff(_ reason: RejectionReason, _ context: ChannelHandlerContext) {
        if unanswered.count == 1, !isResponseBegun {
            answer(reason, path: unanswered[unanswered.startIndex].path, context)
        } else {
            log?.refused(reason, context.remoteAddress)
            // The handler learns from the body that it is broken.
            reading = .done
            updateAlarm()
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
        }
    }

    /// Signals the end of the input to the handler's task, and closes the server's side after the written data.
    func finish(_ context: ChannelHandlerContext) {
        guard !isFinished else { return }
        let isBodyCut = reading == .body
        reading = .done
        isFinished = true
        unanswered.removeAll()
        updateAlarm()
        if isBodyCut { context.fireErrorCaught(HTTPParserError.invalidEOFState) }
        if !isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.flush()
        context.close(mode: .output, promise: nil)
    }

    func updateAlarm() {
        alarm?.set(deadline)
    }

    private var deadline: NIODeadline? {
        guard !isFinished else { return nil }
        switch reading {
        case .nothing where unanswered.isEmpty:
            return phaseSince + TimeAmount(isFirstRequest ? settings.headerTime : settings.keepAliveTime)
        case .header where unanswered.isEmpty: return phaseSince + TimeAmount(settings.headerTime)
        case .body: return body.deadline
        case .nothing, .header, .done: return nil
        }
    }

    func handleTimeout() {
        guard let context else { return }
        switch reading {
        case .header: refuse(.tooSlow)
        case .body where !unanswered.isEmpty: breakOff(.bodyTooSlow, context)
        case .nothing, .body, .done: finish(context)
        }
    }
}
