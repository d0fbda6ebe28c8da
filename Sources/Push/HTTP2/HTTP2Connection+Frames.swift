import NIOCore
import NIOHPACK
import NIOHTTP2

/// The handling of received frames.
extension HTTP2Connection {
    func receive(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .headers(let headers): receive(headers, on: frame.streamID)
        case .data(let data): receive(data, on: frame.streamID)
        case .rstStream(let code): receiveReset(code, on: frame.streamID)
        case .settings(.settings(let changes)): receive(changes)
        case .goAway(let last, let code, let data): receiveGoAway(last: last, code, data)
        case .ping(_, ack: true): pool?.pong(self)
        case .ping, .settings(.ack), .windowUpdate, .priority, .pushPromise, .alternativeService, .origin: break
        }
    }

    private func receive(_ headers: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID) {
        guard streams[id] != nil else { return }
        if streams[id]?.status == nil {
            guard let status = headers.headers.first(name: ":status").flatMap({ Int($0) }) else {
                return fail(id, "the response has no status")
            }
            // Informational responses before the final one are ignored.
            if (100..<200).contains(status) { return }
            streams[id]?.status = status
            streams[id]?.headers = headers.headers
        }
        if headers.endStream { finish(id) }
    }

    private func receive(_ data: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID) {
        // Runs last: the write in it triggers the notification that the stream has ended.
        defer { allowMore(data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)) }
        guard let stream = streams[id], case .byteBuffer(var bytes) = data.data else { return }
        guard stream.body.readableBytes + bytes.readableBytes <= settings.maximumBody else {
            // The status remains valid, and for some statuses it is all that counts.
            stream.exchange.end(
                .success(
                    HTTP2Response(
                        status: stream.status ?? 0, headers: stream.headers, body: ByteBuffer(), connection: number)))
            return reset(id)
        }
        streams[id]?.body.writeBuffer(&bytes)
        if data.endStream { finish(id) }
    }

    /// Lets the service send as much again on the connection. The initial window suffices for each stream: a response may not be larger.
    private func allowMore(_ bytes: Int) {
        unacknowledgedBytes += bytes
        guard unacknowledgedBytes >= 32 * 1024 else { return }
        write(HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: unacknowledgedBytes)))
        unacknowledgedBytes = 0
    }

    private func finish(_ id: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        guard let status = stream.status else {
            stream.exchange.fail(.badAnswer, "the response has no status", mayHaveArrived: true)
            return
        }
        hasAnswered = true
        pool?.answered(self)
        stream.exchange.end(
            .success(HTTP2Response(status: status, headers: stream.headers, body: stream.body, connection: number)))
        closeIfDrained()
    }

    private func fail(_ id: HTTP2StreamID, _ reason: String) {
        streams[id]?.exchange.fail(.badAnswer, reason, mayHaveArrived: true)
        reset(id)
    }

    private func receiveReset(_ code: HTTP2ErrorCode, on id: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        if code == .refusedStream {
            // RFC 9113, 8.7: sent before anything is processed.
            pool?.takeBack([stream.exchange], reason: "the service refuses more requests on a connection", from: self)
        } else if !stands(stream) {
            stream.exchange.fail(
                .reset, "the service ended the stream without a response (\(code))", mayHaveArrived: true)
        }
        closeIfDrained()
    }

    private func receive(_ changes: HTTP2Settings) {
        for change in changes where change.parameter == .maxConcurrentStreams { peerLimit = change.value }
        guard !isReady else { return }
        isReady = true
        ready.succeed()
    }

    /// Handles the end of the connection by the service: repeats elsewhere the requests that it has not begun, waits for the others.
    private func receiveGoAway(last: HTTP2StreamID, _ code: HTTP2ErrorCode, _ data: ByteBuffer?) {
        let text = data.map { String(decoding: $0.readableBytesView.prefix(200), as: UTF8.self) } ?? ""
        goAway = text.isEmpty ? "\(code)" : text
        let unprocessed = streams.keys.filter { $0 > last || $0 > lastOpened }.sorted()
        let exchanges = unprocessed.compactMap { streams.removeValue(forKey: $0)?.exchange }
        // NIO would send its queued frames as soon as there is room, and then close the connection because that is too late. A reset makes it discard
        // them, and is not sent.
        for id in unprocessed where id > lastOpened { write(HTTP2Frame(streamID: id, payload: .rstStream(.cancel))) }
        pool?.leaving(self)
        pool?.takeBack(exchanges, reason: "the service ended the connection", from: self)
        drain()
    }
}
