import CZlib
import NIOCore
import TestSupport

/// Blanks, packed to a thousandth.
enum GzipBomb {
    /// The unpacked size.
    private static let megabytes = TestExtent.size(64, full: 1024)

    static let blanks: ByteBuffer = {
        var stream = z_stream()
        var output = ByteBuffer()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return output }
        defer { deflateEnd(&stream) }
        var blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        for round in 1...megabytes {
            blanks.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                repeat {
                    output.writeWithUnsafeMutableBytes(minimumWritableBytes: 65_536) { room in
                        stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                        stream.avail_out = uInt(room.count)
                        deflate(&stream, round == 1024 ? Z_FINISH : Z_NO_FLUSH)
                        return room.count - Int(stream.avail_out)
                    }
                } while stream.avail_out == 0
            }
        }
        return output
    }()
}
