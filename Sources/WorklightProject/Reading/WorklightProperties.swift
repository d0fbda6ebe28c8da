import Foundation

/// `server/conf/worklight.properties`: the contents of `WL.Server.configuration` (server-api 5.4).
public struct WorklightProperties: Sendable, Hashable {
    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        public let key: String
        public let value: String
        /// Counted from 1; 0 when it comes from no file.
        public let line: Int
        /// The key of a placeholder in the value that has no value itself; `nil` when there is none.
        public let unresolvedKey: String?

        public init(key: String, value: String, line: Int = 0, unresolvedKey: String? = nil) {
            self.key = key
            self.value = value
            self.line = line
            self.unresolvedKey = unresolvedKey
        }
    }

    /// In the file's order; of a key that occurs twice only the last.
    public let entries: [Entry]

    /// Variables of the environment, by name: those of ``variable(for:)``, and those that placeholders name.
    let environment: [String: String]

    /// The project's folder, for the placeholder `${file:PATH}`; `nil` if there are no files.
    var folder: URL?

    /// The value of a key; `nil` also when the value has a placeholder without a value.
    public subscript(key: String) -> String? {
        guard let entry = entry(key) else { return nil }
        return entry.unresolvedKey == nil ? entry.value : nil
    }

    /// The entry of a key: of the file, or of the environment's variable for a key that the file does not have.
    func entry(_ key: String) -> Entry? {
        entries.last { $0.key == key } ?? environment[Self.variable(for: key)].map { Entry(key: key, value: $0) }
    }

    /// The environment's variable that overrides a property: `LAMPLIGHTER_PROPERTY_` and the key in capital letters, with `_` for all but
    /// ASCII letters and digits.
    public static func variable(for key: String) -> String {
        let name = key.uppercased().unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
        }
        return "LAMPLIGHTER_PROPERTY_" + String(name)
    }

    /// True if calls belong to no session: `mfp.session.independent` of 7.1 (server-api 5.4).
    public var isSessionIndependent: Bool { self["mfp.session.independent"]?.lowercased() == "true" }

    /// The data source of a JNDI name, which the original's application server knew: `jndi.NAME.url`, `jndi.NAME.user` and
    /// `jndi.NAME.password`, or `custom-db.N.relative-jndi-name` and its neighbours (5.0.x).
    ///
    /// - Parameter name: `NAME`, `java:comp/env/NAME` and `java:/NAME` are the same.
    public func dataSource(jndiName name: String) -> SQLDataSourceDefinition? {
        for name in [name, Self.relative(jndiName: name)] {
            if let url = self["jndi.\(name).url"] {
                return SQLDataSourceDefinition(
                    url: url, user: self["jndi.\(name).user"], password: self["jndi.\(name).password"])
            }
        }
        let suffix = ".relative-jndi-name"
        let declared = entries.first { entry in
            entry.key.hasPrefix("custom-db.") && entry.key.hasSuffix(suffix)
                && Self.relative(jndiName: entry.value) == Self.relative(jndiName: name)
        }
        guard let prefix = declared?.key.dropLast(suffix.count), let url = self["\(prefix).url"] else { return nil }
        return SQLDataSourceDefinition(
            url: url, user: self["\(prefix).username"], password: self["\(prefix).password"])
    }

    /// Returns the JNDI name without the prefix that only names the naming context of application servers.
    private static func relative(jndiName name: String) -> String {
        let name = name.trimmingCharacters(in: .whitespaces)
        let prefix = ["java:comp/env/", "java:/", "java:"].first { name.hasPrefix($0) } ?? ""
        return String(name.dropFirst(prefix.count))
    }

    /// The line to add for a data source that is not defined.
    public static func dataSourceAdvice(jndiName name: String) -> String {
        let key = relative(jndiName: name).replacing(/[:=\s\\]/) { "\\\($0.output)" }
        return "add jndi.\(key).url=jdbc:…, and .user and .password, to \(path)"
    }

    public static let path = "server/conf/worklight.properties"

    public init(entries: [Entry] = [], environment: [String: String] = [:]) {
        self.init(entries: entries, environment: environment, folder: nil)
    }

    init(entries: [Entry], environment: [String: String], folder: URL?) {
        self.entries = entries
        self.environment = environment
        self.folder = folder
    }

    /// Returns the properties with their values replaced by those of the environment's variables.
    func overridden(by environment: [String: String]) -> WorklightProperties {
        WorklightProperties(
            entries: entries.map { entry in
                environment[Self.variable(for: entry.key)].map { Entry(key: entry.key, value: $0, line: entry.line) }
                    ?? entry
            }, environment: environment, folder: folder)
    }

    /// Reads the format of Java's `Properties.load`: `key=value`, `key: value` or `key value`, `#` and `!` for comments, a
    /// backslash before a line's end to go on, escapes.
    ///
    /// - Parameter warn: called with the number of a line and its problem.
    public init(parsing text: String, warn: (Int, String) -> Void = { _, _ in }) {
        var entries: [Entry?] = []
        var positions: [String: Int] = [:]
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
            if let earlier = positions[key], let line = entries[earlier]?.line {
                warn(start, "'\(key)' is set on line \(line) already; this one counts")
                entries[earlier] = nil
            }
            positions[key] = entries.count
            entries.append(Entry(key: key, value: value, line: start))
        }
        self.init(entries: entries.compactMap(\.self))
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
                        "\\u must be followed by four hexadecimal digits, not by '\(digits)'; it is taken unchanged")
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
