import CZlib
import NIOCore

/// gzip, for answers that clients want compressed and logs that they send so.
enum Gzip {
    /// What is wrong with something that was to be unpacked.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// - Returns: `nil` when zlib has no memory left.
    static func packed(_ plain: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = Array(plain.readableBytesView)
        var output = ByteBuffer()
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            // The bound holds for all at once, so that one call is enough.
            let bound = Int(deflateBound(&stream, uLong(input.count)))
            var status = Z_OK
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
                stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = uInt(room.count)
                status = deflate(&stream, Z_FINISH)
                return room.count - Int(stream.avail_out)
            }
            return status == Z_STREAM_END ? output : nil
        }
    }

    /// - Parameter limit: the most that may come out, in bytes.
    /// - Throws: ``Damage``.
    static func unpacked(_ packed: ByteBuffer, limit: Int) throws(Damage) -> ByteBuffer {
        var stream = z_stream()
        guard lamplighter_inflateInit(&stream) == Z_OK else { throw Damage(description: "no memory left") }
        defer { inflateEnd(&stream) }
        var input = Array(packed.readableBytesView)
        var output = ByteBuffer()
        let status = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            var status = Z_OK
            while status == Z_OK, output.readableBytes <= limit {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: 16_384) { room in
                    stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                    stream.avail_out = uInt(room.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    return room.count - Int(stream.avail_out)
                }
            }
            return status
        }
        guard output.readableBytes <= limit else { throw Damage(description: "it unpacks to more than \(limit) bytes") }
        guard status == Z_STREAM_END else { throw Damage(description: "it is cut off or damaged") }
        return output
    }
}
