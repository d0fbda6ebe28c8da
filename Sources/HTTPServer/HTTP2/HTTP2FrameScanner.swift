import NIOCore

/// Follows the frames in one direction of an HTTP/2 connection (RFC 9113, 4.1). It reads frame headers only, and the error code of
/// GOAWAY.
struct HTTP2FrameScanner {
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: UInt32

        /// True if the frame is the last of its stream in its direction.
        var endsStream: Bool {
            (type == FrameType.data || type == FrameType.headers) && flags & HTTP2FrameScanner.endStream != 0
        }

        var isReset: Bool { type == FrameType.reset }

        /// True if the frame has no effect by itself: PRIORITY, WINDOW_UPDATE, or an unknown type.
        var isIdle: Bool {
            type == FrameType.priority || type == FrameType.windowUpdate || type > FrameType.continuation
        }
    }

    enum FrameType {
        static let data: UInt8 = 0x0
        static let headers: UInt8 = 0x1
        static let priority: UInt8 = 0x2
        static let reset: UInt8 = 0x3
        static let goAway: UInt8 = 0x7
        static let windowUpdate: UInt8 = 0x8
        static let continuation: UInt8 = 0x9
    }

    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    private static let headerLength = 9
    /// `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`
    private static let prefaceLength = 24

    /// Bytes of the client's preface, or of the current frame's payload, that are still to come.
    private var left: Int
    private var header: [UInt8] = []
    private var current: Frame?
    /// The error code of a GOAWAY is in bytes 4 to 7 of its payload.
    private var goAwayStart: [UInt8] = []

    /// True if a GOAWAY with an error has passed.
    private(set) var hasSeenGoAwayError = false

    /// - Parameter hasPreface: whether the direction begins with the client's connection preface.
    init(hasPreface: Bool) { left = hasPreface ? Self.prefaceLength : 0 }

    /// True if a frame, or the preface, has begun and not ended.
    var isInside: Bool { left > 0 || !header.isEmpty }

    /// The frame that has begun and not ended, once its header has arrived.
    var unfinished: Frame? { current }

    /// - Parameter ended: called for each frame that ends.
    mutating func scan(_ buffer: ByteBuffer, ended: (Frame) -> Void = { _ in }) {
        var rest = buffer.readableBytesView[...]
        while !rest.isEmpty {
            if left > 0 {
                let part = rest.prefix(left)
                if current?.type == FrameType.goAway { goAwayStart += part.prefix(8 - min(8, goAwayStart.count)) }
                left -= part.count
                rest = rest.dropFirst(part.count)
            } else {
                let part = rest.prefix(Self.headerLength - header.count)
                header += part
                rest = rest.dropFirst(part.count)
                guard header.count == Self.headerLength else { return }
                left = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
                // The first bit of a stream's number is reserved.
                let stream = header[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
                current = Frame(type: header[3], flags: header[4], stream: stream)
                header.removeAll(keepingCapacity: true)
            }
            guard left == 0, let frame = current else { continue }
            current = nil
            if frame.type == FrameType.goAway {
                hasSeenGoAwayError = hasSeenGoAwayError || goAwayStart.dropFirst(4).contains { $0 != 0 }
                goAwayStart = []
            }
            ended(frame)
        }
    }
}
