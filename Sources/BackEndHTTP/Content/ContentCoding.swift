import CZlib

/// Decodes a body from its content codings (RFC 9110, 8.4): gzip and deflate, each as it is found in the field.
///
/// - `gzip` and `x-gzip`: any number of members, whatever follows the last one is ignored. A body that does not begin as gzip
///   is passed through: proxies unpack bodies and leave the header.
/// - `deflate`: with zlib's frame, as RFC 9110 wants it, or without.
/// - `br`, `zstd` and `compress` are refused. Every other name, such as `identity` or `utf-8`, stands for no coding.
enum ContentCoding {
    /// The value of `Accept-Encoding`, unless the adapter sends its own.
    static let offered = "gzip, deflate"
    /// More codings on one body are refused.
    static let maximumCount = 5

    /// - Parameters:
    ///   - codings: the elements of `Content-Encoding`, in the order in which they were applied.
    ///   - limit: bytes of the decoded body, and of the body between two codings.
    /// - Throws: ``ConversionError``.
    static func decode(
        _ body: [UInt8], from codings: [some StringProtocol], limit: Int
    ) throws(ConversionError) -> [UInt8] {
        guard !body.isEmpty else { return body }
        guard codings.count <= maximumCount else {
            throw .coding("it has \(codings.count) content codings; expected \(maximumCount) at most")
        }
        var body = body
        for coding in codings.reversed() {
            switch coding.trimmed.lowercased() {
            case "gzip", "x-gzip": body = try gunzip(body, limit: limit)
            case "deflate": body = try inflate(body, limit: limit)
            case "br", "zstd", "compress", "x-compress":
                throw .coding(
                    "its content coding is '\(coding.trimmed)'; supported are gzip and deflate; ask for one of them in "
                        + "'Accept-Encoding'")
            default: break
            }
        }
        return body
    }

    private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

    private static func gunzip(_ body: [UInt8], limit: Int) throws(ConversionError) -> [UInt8] {
        guard body.starts(with: gzipMagic) else { return body }
        var unpacked: [UInt8] = []
        var rest = body[...]
        repeat {
            rest = try unpack(rest, windowBits: 15 + 16, into: &unpacked, limit: limit)
        } while rest.starts(with: gzipMagic)
        return unpacked
    }

    private static func inflate(_ body: [UInt8], limit: Int) throws(ConversionError) -> [UInt8] {
        var unpacked: [UInt8] = []
        // RFC 1950, 2.2: method 8, and the first two bytes are a multiple of 31.
        let hasFrame = body.count >= 2 && body[0] & 0x0F == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
        if hasFrame {
            _ = try unpack(body[...], windowBits: 15, into: &unpacked, limit: limit)
        } else {
            _ = try unpack(body[...], windowBits: -15, into: &unpacked, limit: limit)
        }
        return unpacked
    }

    /// Unpacks one compressed stream.
    ///
    /// - Returns: what follows the stream.
    private static func unpack(
        _ packed: ArraySlice<UInt8>, windowBits: Int32, into output: inout [UInt8], limit: Int
    ) throws(ConversionError) -> ArraySlice<UInt8> {
        var stream = z_stream()
        guard lamplighter_inflateInitWithBits(&stream, windowBits) == Z_OK else { throw .coding("no memory is left") }
        defer { inflateEnd(&stream) }
        var room = [UInt8](repeating: 0, count: 65_536)
        var rest = packed
        while true {
            // zlib counts in 32 bits.
            let piece = rest.prefix(1 << 30)
            let status = piece.withUnsafeBufferPointer { input in
                room.withUnsafeMutableBufferPointer { output in
                    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                    stream.avail_in = uInt(input.count)
                    stream.next_out = output.baseAddress
                    stream.avail_out = uInt(output.count)
                    return CZlib.inflate(&stream, Z_NO_FLUSH)
                }
            }
            rest = rest.dropFirst(piece.count - Int(stream.avail_in))
            let count = room.count - Int(stream.avail_out)
            guard output.count + count <= limit else {
                throw .coding("it is larger than the limit of \(limit) bytes once decompressed")
            }
            output.append(contentsOf: room[..<count])
            switch status {
            case Z_STREAM_END: return rest
            case Z_OK: continue
            case Z_BUF_ERROR: throw .coding("it is cut off")
            default: throw .coding("it is damaged")
            }
        }
    }
}
