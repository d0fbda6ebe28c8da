public import NIOHPACK

/// Complete requests that follow the rules of HTTP/2.
extension FrameClient {
    public struct Answer: Sendable {
        public let headers: HPACKHeaders
        public var body: [UInt8] = []
        /// The number of bytes of the request's body that had been sent when the response began.
        public let sent: Int

        public var status: String { headers.first(name: ":status") ?? "" }
    }

    /// Sends a request on the first stream and reads the response.
    ///
    /// - Returns: the response; `nil` when the server resets the stream or closes the connection before it.
    public func exchange(
        _ method: String, _ path: String, _ headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> Answer? {
        try await sendHeaders(Self.block(method, path, headers), ends: body.isEmpty)
        var rest = body[...]
        var (streamWindow, connectionWindow) = (65_535, 65_535)
        var answer: Answer?
        while true {
            while !rest.isEmpty, min(streamWindow, connectionWindow) > 0 {
                let part = rest.prefix(min(16_384, streamWindow, connectionWindow))
                rest = rest.dropFirst(part.count)
                streamWindow -= part.count
                connectionWindow -= part.count
                // The server may have responded and closed the connection already.
                try? await send(Self.data, rest.isEmpty ? 1 : 0, 1, Array(part))
            }
            guard let frame = await next() else { return answer }
            switch frame.type {
            case Self.windowUpdate:
                let size = frame.payload.reduce(0) { $0 << 8 | Int($1) }
                if frame.stream == 0 { connectionWindow += size } else { streamWindow += size }
            case Self.headers:
                answer = Answer(headers: try decode(frame), sent: body.count - rest.count)
                if frame.flags & 1 != 0 { return answer }
            case Self.data:
                answer?.body += frame.payload
                if frame.flags & 1 != 0 { return answer }
                let size = frame.payload.count
                guard size > 0 else { continue }
                let increment = [
                    UInt8(size >> 24 & 0x7F), UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF),
                ]
                for stream in [0, 1] { try await send(Self.windowUpdate, 0, stream, increment) }
            case Self.reset where frame.stream == 1: return answer
            default: break
            }
        }
    }

    /// Sends a header block in as many frames as it needs.
    public func sendHeaders(_ block: [UInt8], stream: Int = 1, ends: Bool = true) async throws {
        var frames: [UInt8] = []
        for start in stride(from: 0, to: block.count, by: 16_384) {
            let end = min(start + 16_384, block.count)
            let flags: UInt8 = (start == 0 && ends ? 0x1 : 0) | (end == block.count ? 0x4 : 0)
            frames += Self.frame(
                start == 0 ? Self.headers : Self.continuation, flags, stream, Array(block[start..<end]))
        }
        try await raw.send(frames)
    }
}
