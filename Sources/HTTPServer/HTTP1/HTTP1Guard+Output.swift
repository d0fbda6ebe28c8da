import HTTPTypes
import NIOCore
import NIOHTTP1

/// Outbound data: writes responses, and decides whether the connection stays open after them.
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
        case .head(var head) where head.status.code >= 200:
            if let strictTransportSecurity {
                head.headers.replaceOrAdd(name: "Strict-Transport-Security", value: strictTransportSecurity)
            }
            let hasLength = head.headers.contains(name: "content-length")
            // Nothing but the connection's end can end this body.
            if exchange.isOld, !hasLength { head.version = .http1_0 }
            let isCloseWanted = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
            if let connection = begin(exchange, isCloseWanted: isCloseWanted, hasLength: hasLength) {
                head.headers.replaceOrAdd(name: "Connection", value: connection)
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            end(context)
        }
    }

    /// Sends the complete response to the first request that waits for one.
    func send(_ response: Response, hasBody: Bool) {
        sendStart(response, hasBody: hasBody)
        sendEnd()
    }

    /// Sends the head of the response, and the first part of its body.
    func sendStart(_ response: Response, hasBody: Bool) {
        guard !isFinished, let exchange = unanswered.first, let context, let output else { return }
        let isCloseWanted = response.headers[.connection]?.lowercased() == "close"
        let connection = begin(exchange, isCloseWanted: isCloseWanted, hasLength: true)
        let head = ResponseHead.bytes(
            response, connection: connection, strictTransportSecurity: strictTransportSecurity,
            allocator: context.channel.allocator)
        // Below the encoder, for which nothing is left to do.
        output.write(NIOAny(head), promise: nil)
        if hasBody, response.length != nil, response.body.readableBytes > 0 {
            output.write(NIOAny(response.body), promise: nil)
        }
    }

    /// Sends a further part of the body.
    ///
    /// - Returns: succeeds when the system has taken it.
    func sendPart(_ bytes: ByteBuffer) -> EventLoopFuture<Void>? {
        guard !isFinished, let context, let output else { return nil }
        let taken = context.eventLoop.makePromise(of: Void.self)
        output.write(NIOAny(bytes), promise: taken)
        context.flush()
        return taken.futureResult
    }

    func sendEnd() {
        guard !isFinished, !unanswered.isEmpty, let context, output != nil else { return }
        end(context)
        context.flush()
    }

    /// Begins a response, and decides whether the connection stays open after it.
    ///
    /// - Returns: the value of the header `Connection`; `nil` for no header.
    private func begin(_ exchange: PendingRequest, isCloseWanted: Bool, hasLength: Bool) -> String? {
        isResponseBegun = true
        let isUnread = unanswered.count == 1 && reading == .body
        closesAfterResponse =
            !exchange.keepsAlive || isUnread || isLast && refusal == nil || isStopping && unanswered.count == 1
            || isCloseWanted || exchange.isOld && !hasLength
        return closesAfterResponse ? "close" : exchange.isOld ? "keep-alive" : nil
    }

    /// Ends a response.
    private func end(_ context: ChannelHandlerContext) {
        unanswered.removeFirst()
        isResponseBegun = false
        phaseSince = context.eventLoop.now
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
    }

    /// True if no request follows the one that is being processed.
    private var isLast: Bool { unanswered.count == 1 && reading == .done }

    /// Closes the connection when the handler's task has ended: after the last response, or with an error before it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else {
            context.close(mode: mode, promise: promise)
            return
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        finish(context)
    }
}

/// The head of a response over HTTP/1, as bytes. Fields hold nothing that could end a line early: `HTTPField` ensures that.
enum ResponseHead {
    static func bytes(
        _ response: Response, connection: String?, strictTransportSecurity: String?, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: 512)
        buffer.writeString("HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n")
        for field in response.headers
        where field.name != .contentLength && field.name != .connection
            && (field.name != .strictTransportSecurity || strictTransportSecurity == nil)
        {
            write(field.name.rawName, field.value, to: &buffer)
        }
        if let length = response.length { write("Content-Length", String(length), to: &buffer) }
        if let connection { write("Connection", connection, to: &buffer) }
        if let strictTransportSecurity { write("Strict-Transport-Security", strictTransportSecurity, to: &buffer) }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    private static func write(_ name: String, _ value: String, to buffer: inout ByteBuffer) {
        buffer.writeString(name)
        buffer.writeStaticString(": ")
        buffer.writeString(value)
        buffer.writeStaticString("\r\n")
    }
}
