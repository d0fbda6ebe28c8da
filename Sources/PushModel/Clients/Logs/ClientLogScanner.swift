import Core

/// Finds the JSON objects in a string that should hold objects with commas between them, but may be damaged anywhere.
///
/// After damage it goes on at the next brace behind a comma. The number of bytes that are read without finding an object is limited, so that no input
/// keeps a thread busy for long; the rest of the input beyond that limit is damage.
struct ClientLogScanner {
    enum Piece {
        case object(JSONValue)
        /// A part that is not an object, up to the next brace behind a comma.
        case damage
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The number of bytes that may still be read without finding an object.
    private var budget: Int

    init(_ text: String) {
        bytes = Array(text.utf8)
        budget = max(bytes.count * 16, 32 << 20)
    }

    /// Returns the next piece, or `nil` at the end of the input.
    mutating func next() -> Piece? {
        while position < bytes.count, Self.isSeparator(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let (end, isClosed) = endOfObject(from: position)
        if isClosed, let object = try? JSONValue(parsing: bytes[position..<end]) {
            position = end
            return .object(object)
        }
        budget -= end - position
        position = budget > 0 ? nextStart(after: position) : bytes.count
        return .damage
    }

    /// Returns the end of the object that begins at `start`, by its braces outside strings, and whether it is closed.
    private func endOfObject(from start: Int) -> (end: Int, isClosed: Bool) {
        guard bytes[start] == UInt8(ascii: "{") else { return (start, false) }
        var depth = 0
        var isInString = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isInString: index += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString:
                depth -= 1
                if depth == 0 { return (index + 1, true) }
            default: break
            }
            index += 1
        }
        return (bytes.count, false)
    }

    /// The next brace behind a comma, with nothing but blanks between them, or the end.
    private func nextStart(after start: Int) -> Int {
        var isBehindComma = false
        for index in start + 1..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","): isBehindComma = true
            case UInt8(ascii: "{") where isBehindComma: return index
            case let byte where Self.isSeparator(byte): break
            default: isBehindComma = false
            }
        }
        return bytes.count
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
