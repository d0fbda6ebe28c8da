/// A statement with JDBC's `?` turned into PostgreSQL's `$1`, `$2` ….
///
/// A `?` in a string, a quoted name, a comment or dollar quotes stays; `??` becomes the operator `?`.
struct PostgreSQLPlaceholders {
    private(set) var text: [UInt8] = []
    private(set) var count = 0
    private let source: [UInt8]
    private var position = 0

    init(_ sql: String) {
        source = Array(sql.utf8)
        text.reserveCapacity(source.count + 16)
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "'"): copyQuoted(byte, backslashEscapes: isEscapeString)
            case UInt8(ascii: "\""): copyQuoted(byte, backslashEscapes: false)
            case UInt8(ascii: "-") where peek(1) == byte: copy(through: [UInt8(ascii: "\n")])
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): copyComment()
            case UInt8(ascii: "$") where !isInName: copyDollarQuoted()
            case UInt8(ascii: "?") where peek(1) == byte:
                text.append(byte)
                position += 2
            case UInt8(ascii: "?"): replacePlaceholder()
            default: copyOne()
            }
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < source.count ? source[position + distance] : nil
    }

    /// True if the last copied byte belongs to a name or number, so that `$` or `?` would become a part of it.
    private var isInName: Bool { text.last.map(Self.isNamePart) ?? false }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }

    /// True if the string that begins here is `E'…'`, in which a backslash escapes.
    private var isEscapeString: Bool {
        guard let last = text.last, last == UInt8(ascii: "E") || last == UInt8(ascii: "e") else { return false }
        return text.dropLast().last.map { !Self.isNamePart($0) } ?? true
    }

    private mutating func copyOne() {
        text.append(source[position])
        position += 1
    }

    private mutating func copyQuoted(_ quote: UInt8, backslashEscapes: Bool) {
        copyOne()
        // A doubled quote ends one quoted part and begins the next, which comes to the same.
        while let byte = peek() {
            if backslashEscapes, byte == UInt8(ascii: "\\"), peek(1) != nil { copyOne() }
            copyOne()
            if byte == quote {
                guard peek() == quote else { return }
                copyOne()
            }
        }
    }

    private mutating func copy(through end: [UInt8]) {
        while position < source.count {
            if source[position...].starts(with: end) {
                text.append(contentsOf: end)
                position += end.count
                return
            }
            copyOne()
        }
    }

    /// PostgreSQL's comments nest.
    private mutating func copyComment() {
        var depth = 0
        repeat {
            switch (peek(), peek(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                copyOne()
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                copyOne()
            case (nil, _): return
            default: break
            }
            copyOne()
        } while depth > 0
    }

    /// `$$…$$` or `$tag$…$tag$`; a `$` that begins neither is copied.
    private mutating func copyDollarQuoted() {
        let tag = source[(position + 1)...].prefix { Self.isNamePart($0) && $0 != UInt8(ascii: "$") }
        let startsWithDigit = tag.first.map { (0x30...0x39).contains($0) } ?? false
        guard !startsWithDigit, tag.endIndex < source.count, source[tag.endIndex] == UInt8(ascii: "$") else {
            return copyOne()
        }
        let delimiter = Array(source[position...tag.endIndex])
        text.append(contentsOf: delimiter)
        position += delimiter.count
        copy(through: delimiter)
    }

    private mutating func replacePlaceholder() {
        count += 1
        if isInName { text.append(UInt8(ascii: " ")) }
        text.append(contentsOf: "$\(count)".utf8)
        position += 1
        if let next = peek(), Self.isNamePart(next) { text.append(UInt8(ascii: " ")) }
    }
}
