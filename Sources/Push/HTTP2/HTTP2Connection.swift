import Core
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOTLS

/// One connection with its streams: the last handler of the channel, right behind `NIOHTTP2Handler`.
///
/// There is no channel per stream, as NIO's own multiplexer makes them: requests to push services are one block of header
/// fields and one of data, so a dictionary of open requests is enough, at a fraction of the cost.
///
/// Everything here happens on the channel's event loop.
final class HTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The received part of the response to one request.
    struct Stream {
        let exchange: HTTP2Exchange
        var status: Int?
        var headers = HPACKHeaders()
        var body = ByteBuffer()
    }

    /// Counts the client's connections from 1.
    let number: Int
    let settings: HTTP2ClientSettings
    /// Succeeds when the service has sent its settings, fails when it never comes to that.
    let ready: EventLoopPromise<Void>
    /// Is notified of free streams and of the end. `nil` once the connection has ended.
    var pool: HTTP2Pool?

    private(set) var context: ChannelHandlerContext?
    var streams: [HTTP2StreamID: Stream] = [:]
    private var nextStream: Int32 = 1
    /// The last stream that NIO has opened. NIO queues the frames of later ones while the socket is full.
    private(set) var lastOpened = HTTP2StreamID.rootStream
    private var needsFlush = false

    /// The number of concurrent streams that the service allows; RFC 9113 recommends at least 100, and NIO assumes 100 until it receives the
    /// settings.
    var peerLimit = 100
    var isReady = false
    /// True if the connection takes no more requests and closes after its last response.
    private(set) var isDraining = false
    /// The service's reason for ending the connection.
    var goAway: String?
    /// The reason why it was closed, where that is known.
    var closeReason: String?
    private(set) var hasEnded = false
    /// True if any request has had a response.
    var hasAnswered = false

    /// The time of the last data from the service, in uptime.
    private var lastHeard: Duration
    private var isHearing = false
    private var pingSent: Duration?
    private var pings: UInt64 = 0
    /// Bytes of bodies that the service has not been allowed to send again.
    var unacknowledgedBytes = 0

    init(number: Int, settings: HTTP2ClientSettings, ready: EventLoopPromise<Void>, now: Duration) {
        self.number = number
        self.settings = settings
        self.ready = ready
        lastHeard = now
    }

    /// The number of requests that may still be started.
    var room: Int {
        guard isReady, !isDraining, !hasEnded else { return 0 }
        return min(peerLimit, settings.maximumStreams) - streams.count
    }

    // MARK: Requests

    /// Writes a request. It leaves with the next ``flush()``.
    func start(_ exchange: HTTP2Exchange) {
        guard let context else {
            exchange.fail(.connectionLost, "the connection is gone", mayHaveArrived: false)
            return
        }
        let id = HTTP2StreamID(Int(nextStream))
        nextStream += 2
        // After 2^30 requests a connection has no more streams.
        if nextStream >= Int32.max - 2 { drain() }
        streams[id] = Stream(exchange: exchange)
        exchange.stream = (self, id)
        let body = exchange.request.body
        let hasBody = body.readableBytes > 0
        context.write(
            wrapOutboundOut(
                HTTP2Frame(
                    streamID: id, payload: .headers(.init(headers: exchange.request.headers, endStream: !hasBody)))),
            promise: nil)
        if hasBody {
            context.write(
                wrapOutboundOut(
                    HTTP2Frame(streamID: id, payload: .data(.init(data: .byteBuffer(body), endStream: true)))),
                promise: nil)
        }
        needsFlush = true
    }

    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    /// Resets the stream: the response is no longer needed.
    func reset(_ id: HTTP2StreamID) {
        guard streams.removeValue(forKey: id) != nil else { return }
        write(HTTP2Frame(streamID: id, payload: .rstStream(.cancel)))
        closeIfDrained()
    }

    /// Takes no more requests, and closes after the last response.
    func drain() {
        isDraining = true
        closeIfDrained()
    }

    func closeIfDrained() {
        if isDraining, streams.isEmpty { context?.close(promise: nil) }
    }

    /// Closes the connection at once, without waiting for the GOAWAY of a service that may be down.
    func close(reason: String) {
        closeReason = closeReason ?? reason
        end()
        context?.close(promise: nil)
    }

    func write(_ frame: HTTP2Frame) {
        context?.write(wrapOutboundOut(frame), promise: nil)
        needsFlush = true
    }

    // MARK: Time

    /// Cancels the requests whose deadline has passed, and checks whether the service still responds.
    ///
    /// - Returns: the time of the next call.
    func tick(now: Duration) -> Duration {
        var next = Duration.seconds(Int64.max / 4)
        for (id, stream) in streams {
            if stream.exchange.deadline <= now {
                stream.exchange.fail(
                    .timedOut, "there was no response within \(settings.requestTimeout.inSeconds) s",
                    mayHaveArrived: true)
                reset(id)
            } else {
                next = min(next, stream.exchange.deadline)
            }
        }
        if let pingSent {
            let end = pingSent + settings.pingTimeout
            if end <= now {
                close(reason: "the service did not acknowledge a PING within \(settings.pingTimeout.inSeconds) s")
            } else {
                next = min(next, end)
            }
        } else if lastHeard + settings.pingAfter <= now {
            pings += 1
            pingSent = now
            write(HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: pings), ack: false)))
            next = min(next, now + settings.pingTimeout)
        } else {
            next = min(next, lastHeard + settings.pingAfter)
        }
        flush()
        return next
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isHearing { hear() }
        receive(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isHearing = false
        // Responses make room for queued requests, which leave in one flush.
        pool?.dispatch()
        flush()
        context.fireChannelReadComplete()
    }

    /// Records that the service has sent data. The clock is read once for all frames that came together.
    private func hear() {
        isHearing = true
        if let pool { lastHeard = pool.time.uptime }
        pingSent = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2StreamCreatedEvent:
            lastOpened = max(lastOpened, event.streamID)
        case let event as StreamClosedEvent:
            // Ended whole, by a reset or by a GOAWAY: then it is not in the dictionary any more.
            if let stream = streams.removeValue(forKey: event.streamID), !stands(stream) {
                stream.exchange.fail(
                    .reset, "the stream was closed (\(event.reason.map { "\($0)" } ?? "without a reason"))",
                    mayHaveArrived: true, connection: number)
            }
        case TLSUserEvent.handshakeCompleted(let negotiated):
            if negotiated != "h2" {
                close(
                    reason: "expected a server that speaks HTTP/2, found one that "
                        + (negotiated.map { "chose \($0)" } ?? "does not negotiate a protocol"))
            }
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOHTTP2Errors.StreamError {
            guard let stream = streams.removeValue(forKey: error.streamID) else { return }
            stream.exchange.fail(
                .badAnswer, "the stream broke the protocol: \(error.baseError)", mayHaveArrived: true)
            closeIfDrained()
        } else {
            close(reason: "\(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Ends a request with its status if the service has accepted it, also when the body is incomplete; returns true then.
    func stands(_ stream: Stream) -> Bool {
        guard let status = stream.status, (200..<300).contains(status) else { return false }
        stream.exchange.end(
            .success(
                HTTP2Response(status: status, headers: stream.headers, body: ByteBuffer(), connection: number)))
        return true
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        let reason =
            closeReason ?? (goAway.map { "the service closed the connection: \($0)" } ?? "the connection was closed")
        ready.fail(HTTP2ConnectionError(description: reason))
        let lost = streams.values
        streams = [:]
        // First, so that a caller that sends again at once finds another connection, or a pause.
        pool?.ended(self)
        pool = nil
        for stream in lost {
            guard !stands(stream) else { continue }
            stream.exchange.fail(
                .connectionLost, "\(reason) before the response arrived", mayHaveArrived: true, connection: number,
                goAway: goAway)
        }
    }
}

/// The reason why a connection ended before it could be used.
struct HTTP2ConnectionError: Error, CustomStringConvertible {
    let description: String
}

/// Makes one write of all writes between two flushes, so that TLS makes one record of many small frames and encrypts once.
final class WriteCoalescer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var buffer = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func handlerAdded(context: ChannelHandlerContext) {
        buffer = context.channel.allocator.buffer(capacity: 16 * 1024)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var data = unwrapOutboundIn(data)
        buffer.writeBuffer(&data)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        pass(context: context)
        context.flush()
        // The buffer's contents have been encrypted by now, so its memory can be reused.
        buffer.clear()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { pass(context: context) }
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func pass(context: ChannelHandlerContext) {
        guard buffer.readableBytes > 0 else { return }
        let promise = promises.isEmpty ? nil : context.eventLoop.makePromise(of: Void.self)
        if let promise {
            let waiting = promises
            promises = []
            promise.futureResult.whenComplete { result in
                for promise in waiting { promise.completeWith(result) }
            }
        }
        context.write(wrapOutboundOut(buffer), promise: promise)
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }
}
