/// `server/conf/worklight.properties`: what `WL.Server.configuration` holds (server-api 5.4).
public struct WorklightProperties: Sendable, Hashable {
    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        public let key: String
        public let value: String
        /// Counted from 1; 0 when it comes from no file.
        public let line: Int

        public init(key: String, value: String, line: Int = 0) {
            self.key = key
            self.value = value
            self.line = line
        }
    }

    /// In the file's order; of a key that occurs twice only the last.
    public let entries: [Entry]

    /// The value of a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    /// Whether calls belong to no session: `mfp.session.independent` of 7.1 (server-api 5.4).
    public var isSessionIndependent: Bool { self["mfp.session.independent"]?.lowercased() == "true" }

    /// The data source of a JNDI name, which the original's application server knew: `jndi.NAME.url`, `jndi.NAME.user` and
    /// `jndi.NAME.password`.
    public func dataSource(jndiName name: String) -> SQLDataSourceDefinition? {
        self["jndi.\(name).url"].map { url in
            SQLDataSourceDefinition(url: url, user: self["jndi.\(name).user"], password: self["jndi.\(name).password"])
        }
    }

    public static let path = "server/conf/worklight.properties"

    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Reads the format of Java's `Properties.load`: `key=value`, `key: value` or `key value`, `#` and `!` for comments, a
    /// backslash before a line's end to go on, escapes.
    ///
    /// - Parameter warn: told the line and what is odd about it.
    public init(parsing text: String, warn: (Int, String) -> Void = { _, _ in }) {
        var entries: [Entry] = []
        var number = 0
        var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).makeIterator()
        while let first = lines.next() {
            number += 1
            let start = number
            var line = String(first.drop(while: \.isPropertySpace))
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("!") { continue }
            while line.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 {
                line.removeLast()
                line += lines.next()?.drop(while: \.isPropertySpace) ?? ""
                number += 1
            }
            let (key, value) = Self.entry(line) { warn(start, $0) }
            if let earlier = entries.firstIndex(where: { $0.key == key }) {
                warn(start, "'\(key)' is given on line \(entries[earlier].line) already; this one counts")
                entries.remove(at: earlier)
            }
            entries.append(Entry(key: key, value: value, line: start))
        }
        self.init(entries: entries)
    }

    private static func entry(_ line: String, warn: (String) -> Void) -> (key: String, value: String) {
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
        return (unescape(key[...], warn: warn), unescape(rest, warn: warn))
    }

    private static func unescape(_ text: Substring, warn: (String) -> Void) -> String {
        // In UTF-16, since \u names its units.
        var units: [UInt16] = []
        var rest = text
        while let character = rest.popFirst() {
            guard character == "\\", let escaped = rest.popFirst() else {
                units += character.utf16
                continue
            }
            switch escaped {
            case "t": units += "\t".utf16
            case "n": units += "\n".utf16
            case "r": units += "\r".utf16
            case "f": units.append(0x0C)
            case "u":
                let digits = rest.prefix(4)
                guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
                    warn(
                        "\\u must be followed by four hexadecimal digits, not by '\(digits)'; it is taken as it stands")
                    units += "\\u".utf16
                    continue
                }
                units.append(unit)
                rest = rest.dropFirst(4)
            default: units += escaped.utf16
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}

extension Character {
    fileprivate var isPropertySpace: Bool { self == " " || self == "\t" || self == "\u{0C}" }
}
