import Core
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2

extension APNsConnection {
    /// A request with its stream, its number, and the fault that applies to it.
    private struct Case {
        let request: APNsRequest
        let stream: HTTP2StreamID
        let sequence: Int
        let fault: SandboxFault?
    }

    func decide(_ request: APNsRequest, on stream: HTTP2StreamID, context: ChannelHandlerContext) {
        let sequence = core.journal.nextSequence(.apns)
        let fault = core.fault(
            for: .apns, connection: number, sequence: sequence, method: request.method, path: request.path,
            token: request.token, headers: request.headerList)
        let examined = Case(request: request, stream: stream, sequence: sequence, fault: fault)
        switch fault {
        case .status(let status, let reason, let timestamp, let retryAfter):
            let answer = SandboxAPNsAnswer(status: status, reason: reason, timestamp: timestamp, retryAfter: retryAfter)
            finish(examined, with: answer, context: context)
        case .expiredToken:
            credential.expectUpdate()
            finish(examined, with: SandboxAPNsAnswer(.expiredProviderToken), context: context)
        case .never: record(examined, nil, reason: "never", isAccepted: false)
        case .reset:
            record(examined, nil, reason: "reset", isAccepted: false)
            reset(stream, context: context)
        case .closeConnection:
            record(examined, nil, reason: "closeConnection", isAccepted: false)
            context.close(promise: nil)
        case .goAway(let reason):
            record(examined, nil, reason: "goAway \(reason)", isAccepted: false)
            goAway(reason, below: stream, context: context)
        case .slow, .resetAfterAccepting, nil:
            lastDecided = max(lastDecided, stream)
            check(examined, context: context)
        }
    }

    private func check(_ examined: Case, context: ChannelHandlerContext) {
        do throws(APNsRefusalError) {
            try examined.request.checkFrame()
            if credential.certificateTopic != nil {
                try examined.request.checkContents(certificateTopic: credential.certificateTopic)
                finish(examined, with: .delivered, context: context)
                return
            }
            guard let token = examined.request.providerToken else {
                throw examined.request.authorization == nil ? .missingProviderToken : .invalidProviderToken
            }
            if let issued = core.providerTokens.known(token) {
                try check(examined, token: token, issued: issued, context: context)
                return
            }
            let promise = context.eventLoop.makePromise(of: Date?.self)
            promise.completeWithTask { [core] in await core.providerTokens.issued(token) }
            promise.futureResult.assumeIsolated().whenSuccess { issued in
                do throws(APNsRefusalError) {
                    guard let issued else { throw .invalidProviderToken }
                    try self.check(examined, token: token, issued: issued, context: context)
                } catch {
                    self.finish(examined, with: SandboxAPNsAnswer(error), context: context)
                }
            }
        } catch {
            finish(examined, with: SandboxAPNsAnswer(error), context: context)
        }
    }

    private func check(
        _ examined: Case, token: String, issued: Date, context: ChannelHandlerContext
    ) throws(APNsRefusalError) {
        let now = core.settings.now()
        do throws(APNsRefusalError) {
            try ProviderTokens.checkAge(issued: issued, now: now)
        } catch {
            if error == .expiredProviderToken { credential.expectUpdate() }
            throw error
        }
        try credential.use(token, now: now)
        announceStreams(context: context)
        try examined.request.checkContents(certificateTopic: nil)
        finish(examined, with: .delivered, context: context)
    }

    /// Records the decision, and responds unless a fault prevents it.
    private func finish(_ examined: Case, with answer: SandboxAPNsAnswer, context: ChannelHandlerContext) {
        let isAccepted = answer.status == 200
        switch examined.fault {
        case .resetAfterAccepting:
            record(examined, nil, reason: answer.reason ?? "resetAfterAccepting", isAccepted: isAccepted)
            reset(examined.stream, context: context)
        case .slow(let duration):
            let id = record(examined, answer.status, reason: answer.reason, isAccepted: isAccepted)
            context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                self.send(answer, id: id, on: examined.stream, context: context)
            }
        default:
            let id = record(examined, answer.status, reason: answer.reason, isAccepted: isAccepted)
            send(answer, id: id, on: examined.stream, context: context)
        }
    }

    /// - Returns: the request's own `apns-id`, or a new one when it has none that will do.
    @discardableResult
    private func record(_ examined: Case, _ status: Int?, reason: String?, isAccepted: Bool) -> String {
        let request = examined.request
        let id = request.id.flatMap { APNsRequest.isUUID($0) ? $0 : nil } ?? UUID().uuidString
        core.journal.record(.apns) {
            Arrival(
                service: .apns, sequence: examined.sequence, connection: number, date: Date(), method: request.method,
                path: request.path, headers: request.headerList, body: Array(request.body.readableBytesView),
                token: request.token, status: status, reason: reason, id: id, isAccepted: isAccepted)
        }
        return id
    }

    private func send(_ answer: SandboxAPNsAnswer, id: String, on stream: HTTP2StreamID, context: ChannelHandlerContext)
    {
        guard unanswered.remove(stream) != nil else { return }
        var headers = HPACKHeaders()
        headers.reserveCapacity(4)
        headers.add(name: ":status", value: String(answer.status))
        headers.add(name: "apns-id", value: id)
        headers.add(name: "apns-unique-id", value: UUID().uuidString, indexing: .nonIndexable)
        if let seconds = answer.retryAfter { headers.add(name: "retry-after", value: String(seconds)) }
        let body = answer.body
        write(.headers(.init(headers: headers, endStream: body == nil)), to: stream, context: context)
        if let body {
            write(
                .data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)), to: stream, context: context
            )
        }
    }

    private func reset(_ stream: HTTP2StreamID, context: ChannelHandlerContext) {
        guard unanswered.remove(stream) != nil else { return }
        write(.rstStream(.internalError), to: stream, context: context)
    }

    /// A later stream that was already decided on cannot be taken back, so then this one alone is refused.
    private func goAway(_ reason: String, below stream: HTTP2StreamID, context: ChannelHandlerContext) {
        unanswered.remove(stream)
        if lastDecided > stream { write(.rstStream(.refusedStream), to: stream, context: context) }
        let last = lastDecided > stream ? lastDecided : Int(stream) > 2 ? HTTP2StreamID(Int(stream) - 2) : .rootStream
        if let lastStream, lastStream <= last { return }
        lastStream = last
        let text = JSONValue.object(["reason": .string(reason)]).text
        write(
            .goAway(lastStreamID: last, errorCode: .noError, opaqueData: ByteBuffer(string: text)), to: .rootStream,
            context: context)
    }

    private func announceStreams(context: ChannelHandlerContext) {
        guard !hasAnnouncedStreams else { return }
        hasAnnouncedStreams = true
        let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: core.settings.maximumConcurrentStreams)
        write(.settings(.settings([setting])), to: .rootStream, context: context)
    }
}
