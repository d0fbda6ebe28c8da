/// Reads bits out of characters of 6 bits each: `A-Za-z0-9-_`, the high bits first.
struct SixBitReader {
    /// In characters: 11 of 5 bits each hold what a `Double` can count to.
    private static let longestNumber = 11

    /// The characters that are left, in UTF-16.
    private(set) var rest: ArraySlice<UInt16>
    private var pending = 0
    private var pendingBits = 0

    init(_ text: ArraySlice<UInt16>) {
        rest = text
    }

    /// - Parameter count: at most 32.
    mutating func bits(_ count: Int) throws(DeviceContextError) -> Int {
        while pendingBits < count {
            guard let unit = rest.popFirst() else { throw DeviceContextError("it is cut off") }
            guard let value = Self.value(of: unit) else {
                throw DeviceContextError("a character is none of A-Z, a-z, 0-9, '-' and '_'")
            }
            pending = pending << 6 | value
            pendingBits += 6
        }
        pendingBits -= count
        defer { pending &= 1 << pendingBits - 1 }
        return pending >> pendingBits
    }

    mutating func flag() throws(DeviceContextError) -> Bool { try bits(1) == 1 }

    /// Reads a number that is not negative. Each 6 bits have 5 bits of it, the low ones first; the sixth is set if more follow.
    mutating func number() throws(DeviceContextError) -> Int {
        var number = 0
        for index in 0..<Self.longestNumber {
            let part = try bits(6)
            number |= (part & 31) << (5 * index)
            if part & 32 == 0 {
                guard number <= 1 << 53 else { break }
                return number
            }
        }
        throw DeviceContextError("a number is too large")
    }

    /// Returns the next characters unchanged. The remaining bits of the character before them are padding.
    mutating func characters(_ count: Int) throws(DeviceContextError) -> ArraySlice<UInt16> {
        (pending, pendingBits) = (0, 0)
        guard count <= rest.count else { throw DeviceContextError("it is cut off") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func value(of unit: UInt16) -> Int? {
        switch unit {
        case 0x41...0x5A: Int(unit) - 0x41
        case 0x61...0x7A: Int(unit) - 0x61 + 26
        case 0x30...0x39: Int(unit) - 0x30 + 52
        case 0x2D: 62
        case 0x5F: 63
        default: nil
        }
    }
}

/// An error in a device context.
struct DeviceContextError: Error, CustomStringConvertible {
    let description: String
    /// The limit that the context exceeds, if it does.
    let limit: String?

    init(_ description: String, limit: String? = nil) {
        self.description = description
        self.limit = limit
    }
}
