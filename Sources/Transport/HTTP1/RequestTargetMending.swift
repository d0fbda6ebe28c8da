import NIOCore

/// Percent-encodes the bytes that old tools send raw in a request's target and that the HTTP parser refuses: those from
/// 0x80 on. The brackets, quotes and braces of a raw `parameters=['a',{"b":1}]` pass the parser as they are.
///
/// CR, LF, NUL and blanks are never touched, nor is anything inserted but `%` and hexadecimal digits, so the message's
/// structure stays what the parser makes of it.
enum RequestTargetMending {
    /// - Returns: a copy of the line with such bytes encoded.
    static func mend(_ bytes: UnsafeRawBufferPointer, allocator: ByteBufferAllocator) -> ByteBuffer {
        var result = allocator.buffer(capacity: bytes.count + bytes.count / 4 + 16)
        for byte in bytes {
            if byte < 0x80 {
                result.writeInteger(byte)
            } else {
                result.writeMultipleIntegers(UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0x0F))
            }
        }
        return result
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
