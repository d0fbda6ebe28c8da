import CZlib

/// gzip, for the logs that clients send.
enum Gzip {
    /// - Returns: `nil` when zlib has no memory left.
    static func packed(_ plain: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = plain
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(plain.count))))
        let room = output.count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(room - Int(stream.avail_out)))
    }
}
