import CZlib

/// Compression with zlib.
package enum Zlib {
    /// The frame around compressed data. The value is zlib's `windowBits` for the widest window.
    package enum Frame: Int32, Sendable {
        /// RFC 1952.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// Bare DEFLATE (RFC 1951).
        case bare = -15
        case gzipOrZlib = 47
    }

    /// Compresses bytes to a gzip member.
    ///
    /// - Returns: nil when no memory is left.
    package static func gzip(_ plain: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // The bound holds for all at once, so that one call is enough.
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(plain.count))))
        let status = plain.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        return status == Z_STREAM_END ? Array(output.dropLast(Int(stream.avail_out))) : nil
    }

    /// Decompresses one stream; bytes after it are ignored.
    ///
    /// - Parameter limit: the most bytes that may come out.
    package static func decompress(_ packed: [UInt8], _ frame: Frame, limit: Int) throws(ZlibError) -> [UInt8] {
        var plain: [UInt8] = []
        _ = try decompress(packed[...], frame, into: &plain, limit: limit)
        return plain
    }

    /// Decompresses one stream and appends what comes out to `output`.
    ///
    /// - Parameter limit: the most bytes that `output` may have.
    /// - Returns: the bytes after the stream.
    package static func decompress(
        _ packed: ArraySlice<UInt8>, _ frame: Frame, into output: inout [UInt8], limit: Int
    ) throws(ZlibError) -> ArraySlice<UInt8> {
        var stream = z_stream()
        guard lamplighter_inflateInit(&stream, frame.rawValue) == Z_OK else { throw .noMemory }
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
                    return inflate(&stream, Z_NO_FLUSH)
                }
            }
            rest = rest.dropFirst(piece.count - Int(stream.avail_in))
            let count = room.count - Int(stream.avail_out)
            guard output.count + count <= limit else { throw .tooLarge(limit: limit) }
            output.append(contentsOf: room[..<count])
            switch status {
            case Z_STREAM_END: return rest
            case Z_OK: continue
            case Z_BUF_ERROR: throw .cutOff
            default: throw .damaged
            }
        }
    }
}

/// The reason why ``Zlib`` cannot decompress.
package enum ZlibError: Error, Equatable, CustomStringConvertible {
    case noMemory
    case cutOff
    case damaged
    case tooLarge(limit: Int)

    package var description: String {
        switch self {
        case .noMemory: "no memory is left"
        case .cutOff: "it is cut off"
        case .damaged: "it is damaged"
        case .tooLarge(let limit): "it is larger than the limit of \(limit) bytes once decompressed"
        }
    }
}
