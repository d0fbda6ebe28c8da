import CZlib
import NIOCore

/// A gigabyte of blanks, packed to about a megabyte.
enum GzipBomb {
    static let ofGigabyte: ByteBuffer = {
        var stream = z_stream()
        var output = ByteBuffer()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return output }
        defer { deflateEnd(&stream) }
        var blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        for round in 1...1024 {
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
