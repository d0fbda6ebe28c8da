import CBrotli
import Core

/// Decodes a body from its content codings (RFC 9110, 8.4): gzip, deflate and br, with the deviations of real servers.
///
/// - `gzip` and `x-gzip`: any number of members; bytes after the last one are ignored. A body that does not begin as gzip
///   is passed through: proxies unpack bodies and leave the header.
/// - `deflate`: with zlib's frame, as RFC 9110 wants it, or without.
/// - `br`: brotli (RFC 7932).
/// - `zstd` and `compress` are refused. Every other name, such as `identity` or `utf-8`, counts as no coding.
enum ContentCoding {
    /// The value of `Accept-Encoding`, unless the adapter sends its own.
    static let offered = "gzip, deflate, br"
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
            let name = coding.trimmed.lowercased()
            guard !unsupported.contains(name) else {
                throw .coding(
                    "its content coding is '\(coding.trimmed)'; supported are gzip, deflate and br; ask for one of them in "
                        + "'Accept-Encoding'")
            }
            do throws(ZlibError) {
                switch name {
                case "gzip", "x-gzip": body = try gunzip(body, limit: limit)
                case "deflate": body = try inflate(body, limit: limit)
                case "br": body = try decodeBrotli(body, limit: limit)
                default: break
                }
            } catch {
                throw ConversionError.coding(error.description)
            }
        }
        return body
    }

    private static let unsupported = ["zstd", "compress", "x-compress"]
    private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

    private static func gunzip(_ body: [UInt8], limit: Int) throws(ZlibError) -> [UInt8] {
        guard body.starts(with: gzipMagic) else { return body }
        var unpacked: [UInt8] = []
        var rest = body[...]
        repeat {
            rest = try Zlib.decompress(rest, .gzip, into: &unpacked, limit: limit)
        } while rest.starts(with: gzipMagic)
        return unpacked
    }

    private static func decodeBrotli(_ body: [UInt8], limit: Int) throws(ZlibError) -> [UInt8] {
        guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw .noMemory
        }
        defer { BrotliDecoderDestroyInstance(decoder) }
        var (unpacked, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        var used = 0
        while true {
            var (rest, room) = (body.count - used, piece.count)
            let result = body.withUnsafeBufferPointer { body in
                piece.withUnsafeMutableBufferPointer { piece in
                    var (input, output) = (body.baseAddress.map { $0 + used }, piece.baseAddress)
                    return BrotliDecoderDecompressStream(decoder, &rest, &input, &room, &output, nil)
                }
            }
            used = body.count - rest
            unpacked += piece[..<(piece.count - room)]
            guard unpacked.count <= limit else { throw .tooLarge(limit: limit) }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: return unpacked
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: throw .cutOff
            default: throw .damaged
            }
        }
    }

    private static func inflate(_ body: [UInt8], limit: Int) throws(ZlibError) -> [UInt8] {
        // RFC 1950, 2.2: method 8, and the first two bytes are a multiple of 31.
        let hasFrame = body.count >= 2 && body[0] & 0x0F == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
        return try Zlib.decompress(body, hasFrame ? .zlib : .bare, limit: limit)
    }
}
