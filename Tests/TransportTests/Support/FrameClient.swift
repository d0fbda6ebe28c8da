import NIOCore
import NIOHPACK

/// A client that writes and reads HTTP/2 frames by hand.
final class FrameClient {
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int
        let payload: [UInt8]
    }

    static let (data, headers, reset, settings, goAway, continuation) =
        (0, 1, 3, 4, 7, 9)
        as (
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
        )

    let raw: RawClient
    private var offset = 0
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    init(port: Int) async throws {
        raw = try await RawClient(port: port, protocols: ["h2"])
        try await raw.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        try await send(Self.settings, 0, 0, [])
    }

    func send(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) async throws {
        try await raw.send(Self.frame(type, flags, stream, payload))
    }

    static func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        let length = [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        let identifier = [
            UInt8(stream >> 24 & 0x7F), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF),
        ]
        return length + [type, flags] + identifier + payload
    }

    /// A header block without dynamic entries, so that it may be sent on any stream.
    static func block(_ method: String, _ path: String, _ more: [(String, String)] = []) -> [UInt8] {
        var block: [UInt8] = []
        let fields = [(":method", method), (":scheme", "https"), (":authority", "h"), (":path", path)] + more
        for (name, value) in fields {
            block.append(0)
            for text in [name, value] {
                precondition(text.utf8.count < 127 + 128)
                block += text.utf8.count < 127 ? [UInt8(text.utf8.count)] : [127, UInt8(text.utf8.count - 127)]
                block += Array(text.utf8)
            }
        }
        return block
    }

    func get(_ path: String, stream: Int) async throws {
        try await send(Self.headers, 0x5, stream, Self.block("GET", path))
    }

    /// The next frame; nil when the server has closed.
    func next() async -> Frame? {
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

    /// The next frame of that type; nil when the server has closed.
    func next(_ type: UInt8) async -> Frame? {
        while let frame = await next() {
            if frame.type == type { return frame }
        }
        return nil
    }

    func decode(_ frame: Frame) throws -> HPACKHeaders {
        var buffer = ByteBuffer(bytes: frame.payload)
        return try decoder.decodeHeaders(from: &buffer)
    }
}
