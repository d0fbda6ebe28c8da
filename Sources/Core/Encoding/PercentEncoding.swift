/// Percent-encoding of paths, queries and forms (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Encodes a string as UTF-8. All bytes become `%XX`, except those that `isKept` accepts.
    package static func encode(
        _ text: String, keeping isKept: (UInt8) -> Bool = PercentEncoding.isUnreserved
    ) -> String {
        String(decoding: encode(bytes: text.utf8, keeping: isKept), as: UTF8.self)
    }

    /// Encodes bytes. All become `%XX`, except those that `isKept` accepts.
    package static func encode(bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return encoded
    }

    /// Returns whether a byte is a letter or digit of ASCII.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Returns whether a byte is unreserved: a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~".utf8.contains(byte) }

    /// Returns whether a byte is visible ASCII. A request line can hold no others.
    package static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    /// Decodes a string.
    ///
    /// - Parameter plusIsBlank: whether `+` becomes a blank, as in queries and forms.
    /// - Returns: nil when a percent sign is not followed by two hexadecimal digits, or the result is not UTF-8.
    package static func decode(_ text: Substring, plusIsBlank: Bool) -> String? {
        var text = text
        return text.withUTF8 { decode($0[...], plusIsBlank: plusIsBlank) }
    }

    /// Like ``decode(_:plusIsBlank:)-(Substring,_)``, for UTF-8 bytes.
    package static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsBlank: Bool) -> String? {
        let needsWork = text.contains { $0 == UInt8(ascii: "%") || plusIsBlank && $0 == UInt8(ascii: "+") }
        guard needsWork else { return String(decoding: text, as: UTF8.self) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { bytes in
            var count = 0
            var rest = text.makeIterator()
            while let byte = rest.next() {
                switch byte {
                case UInt8(ascii: "%"):
                    guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                        return nil
                    }
                    bytes[count] = high << 4 | low
                case UInt8(ascii: "+") where plusIsBlank: bytes[count] = 0x20
                default: bytes[count] = byte
                }
                count += 1
            }
            return String(validating: bytes[..<count], as: UTF8.self)
        }
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
