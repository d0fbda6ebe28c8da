/// The encoding of paths, queries and forms.
enum PercentEncoding {
    /// - Returns: `nil` when a percent sign is not followed by two hexadecimal digits, or what comes out is no UTF-8.
    static func decode(_ text: Substring, plusIsBlank: Bool) -> String? {
        let utf8 = text.utf8
        let needsWork = utf8.contains { $0 == UInt8(ascii: "%") || plusIsBlank && $0 == UInt8(ascii: "+") }
        guard needsWork else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
