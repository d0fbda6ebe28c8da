/// A response's status line and fields.
public struct AnswerHead: Sendable {
    /// `1.1`, `2`.
    public let version: String
    public let status: Int
    public let reason: String
    public private(set) var headers: [(name: String, value: String)]
    /// True if a line is neither a field nor the rest of one.
    public private(set) var isMalformed = false

    init?(statusLine: String) {
        let parts = statusLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count >= 2, let status = Int(Self.text(parts[1].utf8)) else { return nil }
        version = String(parts[0].dropFirst("HTTP/".count))
        self.status = status
        reason = parts.count > 2 ? Self.text(parts[2].utf8) : ""
        headers = []
    }

    /// The first value of a field; its name's case does not matter.
    public func first(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
    }

    /// Adds a field. A line that is none continues the one before it (RFC 9112, 5.2).
    mutating func add(line: Slice<UnsafeRawBufferPointer>) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t"), !headers.isEmpty {
            headers[headers.count - 1].value += " " + Self.text(line)
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
            isMalformed = true
            return
        }
        headers.append((String(decoding: line[..<colon], as: UTF8.self), Self.text(line[(colon + 1)...])))
    }

    /// Returns true if the bytes can be a field's name (RFC 9110, 5.6.2).
    private static func isToken(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Without blanks at either end.
    private static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[start...end], as: UTF8.self)
    }
}
