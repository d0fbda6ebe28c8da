/// `server/conf/worklight.properties`: what `WL.Server.configuration` holds (server-api 5.4).
public struct WorklightProperties: Sendable, Hashable {
    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        public let key: String
        public let value: String
    }

    /// In the file's order; of a key that occurs twice only the last.
    public let entries: [Entry]

    /// The value of a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    public static let path = "server/conf/worklight.properties"

    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Reads the format of Java's `Properties.load`: `key=value`, `key: value` or `key value`, `#` and `!` for comments, a
    /// backslash before a line's end to go on, escapes.
    public init(parsing text: String) {
        var entries: [Entry] = []
        var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).makeIterator()
        while let first = lines.next() {
            var line = String(first.drop(while: \.isPropertySpace))
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("!") { continue }
            while line.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 {
                line.removeLast()
                line += lines.next()?.drop(while: \.isPropertySpace) ?? ""
            }
            let entry = Self.entry(line)
            entries.removeAll { $0.key == entry.key }
            entries.append(entry)
        }
        self.init(entries: entries)
    }

    private static func entry(_ line: String) -> Entry {
        var key = ""
        var rest = Substring(line)
        while let character = rest.first, !"=:".contains(character), !character.isPropertySpace {
            rest.removeFirst()
            key.append(character)
            if character == "\\", let escaped = rest.popFirst() { key.append(escaped) }
        }
        rest = rest.drop(while: \.isPropertySpace)
        if let separator = rest.first, "=:".contains(separator) {
            rest = rest.dropFirst().drop(while: \.isPropertySpace)
        }
        return Entry(key: unescape(key[...]), value: unescape(rest))
    }

    private static func unescape(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            guard character == "\\", let escaped = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escaped {
            case "t": result.append("\t")
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "f": result.append("\u{0C}")
            case "u":
                let scalar = UInt32(rest.prefix(4), radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(4)
            default: result.append(escaped)
            }
        }
        return result
    }
}

extension Character {
    fileprivate var isPropertySpace: Bool { self == " " || self == "\t" || self == "\u{0C}" }
}
