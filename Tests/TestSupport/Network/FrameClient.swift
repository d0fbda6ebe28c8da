import NIOCore
public import NIOHPACK

/// A client that writes and reads single HTTP/2 frames, without a library.
public final class FrameClient {
    public struct Frame: Sendable {
        public let type: UInt8
        public let flags: UInt8
        public let stream: Int
        public let payload: [UInt8]
    }

    /// Six bytes of a SETTINGS frame.
    public static func setting(_ number: UInt8, _ value: UInt32) -> [UInt8] {
        [0, number] + (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
    }

    /// The setting of each stream's window at its start.
    public static let initialWindow: UInt8 = 4

    public static let data: UInt8 = 0
    public static let headers: UInt8 = 1
    public static let reset: UInt8 = 3
    public static let settings: UInt8 = 4
    public static let ping: UInt8 = 6
    public static let goAway: UInt8 = 7
    public static let windowUpdate: UInt8 = 8
    public static let continuation: UInt8 = 9

    public let raw: RawClient
    private var offset = 0
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    /// Connects to a port on this machine over TLS, and sends the preface with a SETTINGS frame.
    ///
    /// - Parameters:
    ///   - settings: the settings of the client's first frame, six bytes each.
    ///   - receiveBuffer: the size of the system's receive buffer; see ``RawClient``.
    public init(port: Int, settings: [UInt8] = [], receiveBuffer: Int? = nil) async throws {
        raw = try await RawClient(port: port, protocols: ["h2"], receiveBuffer: receiveBuffer)
        // If the server has closed already, its last frames can still be read.
        try? await raw.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(Self.settings, 0, 0, settings))
    }

    public func send(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) async throws {
        try await raw.send(Self.frame(type, flags, stream, payload))
    }

    public static func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        let length = [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        let identifier = [
            UInt8(stream >> 24 & 0x7F), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF),
        ]
        return length + [type, flags] + identifier + payload
    }

    /// A header block without dynamic entries, so that it may be sent on any stream.
    public static func block(_ method: String, _ path: String, _ more: [(String, String)] = []) -> [UInt8] {
        var block: [UInt8] = []
        let fields = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)] + more
        for (name, value) in fields {
            block.append(0)
            for text in [name, value] {
                block += length(text.utf8.count)
                block += Array(text.utf8)
            }
        }
        return block
    }

    /// Returns the length of a string in HPACK (RFC 7541, 5.1).
    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 127 else { return [UInt8(count)] }
        var (bytes, rest) = ([UInt8(127)], count - 127)
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    public func get(_ path: String, stream: Int) async throws {
        try await send(Self.headers, 0x5, stream, Self.block("GET", path))
    }

    /// Returns the next frame; `nil` when the server has closed.
    public func next() async -> Frame? {
        while true {
            let rest = raw.received[offset...]
            if rest.count >= 9 {
                let head = Array(rest.prefix(9))
                let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                if rest.count >= 9 + length {
                    offset += 9 + length
                    let stream = head[5...8].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
                    return Frame(
                        type: head[3], flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(length)))
                }
            }
            guard await raw.receive() else { return nil }
        }
    }

    /// Returns the next frame with this type; `nil` when the server has closed.
    public func next(_ type: UInt8) async -> Frame? {
        while let frame = await next() {
            if frame.type == type { return frame }
        }
        return nil
    }

    public func decode(_ frame: Frame) throws -> HPACKHeaders {
        var buffer = ByteBuffer(bytes: frame.payload)
        return try decoder.decodeHeaders(from: &buffer)
    }
}
