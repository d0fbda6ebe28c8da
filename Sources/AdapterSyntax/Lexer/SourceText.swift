/// A piece of a script: offsets in UTF-8 from the script's start, the end not included.
public struct SourceRange: Sendable, Hashable {
    public var start: Int
    public var end: Int

    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    public func contains(_ other: SourceRange) -> Bool { start <= other.start && other.end <= end }
}

/// A position in a script, for users.
public struct SourcePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Counted from 1. Lines end as JavaScript has it: LF, CR, CR LF, U+2028 or U+2029.
    public let line: Int
    /// Counted from 1, in UTF-16 code units, as the engine and editors count.
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (one: SourcePosition, other: SourcePosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }

    public var description: String { "\(line):\(column)" }
}

/// A script's source, and the beginnings of its lines.
public struct SourceText: Sendable {
    /// The file name in problems.
    public let file: String
    /// The source in UTF-8.
    public let bytes: [UInt8]
    /// The beginning of each line, in UTF-8 from the start.
    let lineStarts: [Int]
    /// The number of UTF-16 code units before every 256th byte: lines can be as long as the script.
    private let utf16Counts: [Int]

    public init(_ text: String, file: String) {
        self.init(bytes: Array(text.utf8), file: file)
    }

    init(bytes: [UInt8], file: String) {
        self.file = file
        self.bytes = bytes
        lineStarts = Self.lineStarts(in: bytes)
        var counts: [Int] = []
        var count = 0
        for (index, byte) in bytes.enumerated() {
            if index & 255 == 0 { counts.append(count) }
            count += Self.utf16Width(startingWith: byte)
        }
        if bytes.count & 255 == 0 { counts.append(count) }
        utf16Counts = counts
    }

    /// Returns the number of UTF-16 code units before `offset`.
    private func utf16Count(before offset: Int) -> Int {
        var count = utf16Counts[offset >> 8]
        for byte in bytes[(offset & ~255)..<offset] { count += Self.utf16Width(startingWith: byte) }
        return count
    }

    private static func lineStarts(in bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            if let width = lineTerminatorWidth(in: bytes, at: index) {
                index += width
                starts.append(index)
            } else {
                index += 1
            }
        }
        return starts
    }

    /// Returns the length of the end of line at `index`: 1, 2 for CR LF, 3 for U+2028 and U+2029; `nil` when there is none.
    static func lineTerminatorWidth(in bytes: [UInt8], at index: Int) -> Int? {
        switch bytes[index] {
        case 0x0A: return 1
        case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
        case 0xE2:
            guard index + 2 < bytes.count, bytes[index + 1] == 0x80 else { return nil }
            return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? 3 : nil
        default: return nil
        }
    }

    /// Returns the number of the line that holds the byte at `offset`, counted from 1.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    public func position(at offset: Int) -> SourcePosition {
        let offset = min(max(0, offset), bytes.count)
        let line = line(at: offset)
        let column = utf16Count(before: offset) - utf16Count(before: lineStarts[line - 1]) + 1
        return SourcePosition(line: line, column: column)
    }

    /// Returns the byte at a position; the end of the line when the column is beyond it.
    func offset(of position: SourcePosition) -> Int {
        guard position.line >= 1 else { return 0 }
        guard position.line <= lineStarts.count else { return bytes.count }
        let end = position.line < lineStarts.count ? lineStarts[position.line] : bytes.count
        var offset = lineStarts[position.line - 1]
        var column = 1
        while offset < end, column < position.column {
            column += Self.utf16Width(startingWith: bytes[offset])
            offset += 1
            while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// Returns the number of UTF-16 code units of the character whose UTF-8 starts with `byte`; 0 inside a character.
    private static func utf16Width(startingWith byte: UInt8) -> Int {
        byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
    }

    public func text(in range: SourceRange) -> String {
        String(decoding: bytes[range.start..<max(range.start, range.end)], as: UTF8.self)
    }

    /// Returns whether a line ends within `range`.
    func hasLineBreak(in range: SourceRange) -> Bool {
        range.start < range.end && line(at: range.start) != line(at: range.end)
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
