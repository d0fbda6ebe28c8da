/// Rows of a database dump: the `CREATE TABLE` and `INSERT INTO` statements of `mysqldump`, and of scripts in standard SQL.
struct SQLDump {
    private let bytes: FileBytes
    /// The columns of the tables, by name.
    private var tables: [String: [String]] = [:]
    /// True for a dump of MySQL or MariaDB, whose strings have escapes with a backslash.
    private var isMySQL = false
    private var isComplete = false

    init(_ bytes: FileBytes) { self.bytes = bytes }

    /// - Throws: ``SubscriptionImportError`` for a dump that ends within a statement or lacks its last line, and the receiver's errors.
    mutating func read(to receiver: some RowReceiver) throws {
        while true {
            try skipBlanks()
            guard let byte = bytes.peek() else { break }
            // A comment with a statement of MySQL only has the semicolon behind it.
            if byte == UInt8(ascii: ";") {
                _ = bytes.next()
                continue
            }
            let line = bytes.line
            switch word().uppercased() {
            case "CREATE": try create(from: line)
            case "INSERT", "REPLACE": try insert(from: line, to: receiver)
            default: try skipStatement(from: line)
            }
        }
        guard !isMySQL || isComplete else {
            throw SubscriptionImportError(
                bytes.name, line: bytes.line,
                "the dump is cut off: expected '-- Dump completed' at its end; make it again, without --skip-comments")
        }
        guard !tables.isEmpty else {
            throw SubscriptionImportError(
                bytes.name,
                "found no CREATE TABLE statement; expected a dump with the tables' columns, as mysqldump writes it")
        }
    }

    // MARK: Statements

    private mutating func create(from line: Int) throws {
        try skipBlanks()
        guard word().uppercased() == "TABLE" else { return try skipStatement(from: line) }
        try skipBlanks()
        if bytes.peek().map({ $0 | 0x20 }) == UInt8(ascii: "i") {
            let first = word()
            guard first.uppercased() == "IF" else {
                return try createTable(named: try rest(ofName: first), from: line)
            }
            for _ in 0..<2 {
                try skipBlanks()
                _ = word()
            }
            try skipBlanks()
        }
        try createTable(named: try name(from: line), from: line)
    }

    private mutating func createTable(named name: String, from line: Int) throws {
        try skipBlanks()
        guard bytes.peek() == UInt8(ascii: "(") else { return try skipStatement(from: line) }
        _ = bytes.next()
        var columns: [String] = []
        // Elements of a table that are not columns begin with one of these words (SQL:2016, 11.3; MySQL's keys).
        let others: Set = [
            "PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "FOREIGN", "CHECK", "FULLTEXT", "SPATIAL", "PERIOD",
            "LIKE",
        ]
        repeat {
            try skipBlanks()
            let isQuoted = isQuote(bytes.peek())
            let column = try self.name(from: line)
            if isQuoted || !others.contains(column.uppercased()) { columns.append(column) }
        } while try skipElement(from: line)
        tables[name] = columns
        try skipStatement(from: line)
    }

    private mutating func insert(from line: Int, to receiver: some RowReceiver) throws {
        try skipBlanks()
        var name = ""
        while !isQuote(bytes.peek()) {
            let word = word()
            if ["INTO", "IGNORE"].contains(word.uppercased()) {
                try skipBlanks()
                continue
            }
            name = try rest(ofName: word)
            break
        }
        if name.isEmpty { name = try self.name(from: line) }
        try skipBlanks()
        var columns = tables[name]
        if bytes.peek() == UInt8(ascii: "(") {
            _ = bytes.next()
            var named: [String] = []
            repeat {
                try skipBlanks()
                named.append(try self.name(from: line))
            } while try skipElement(from: line)
            columns = named
            tables[name] = tables[name] ?? named
            try skipBlanks()
        }
        guard let columns else {
            throw SubscriptionImportError(
                bytes.name, line: line,
                "rows of \(name) come before its CREATE TABLE; expected a dump with the tables' columns, without --no-create-info"
            )
        }
        guard word().uppercased() == "VALUES" else { return try skipStatement(from: line) }
        try receiver.begin(table: name, columns: columns, line: line)
        while true {
            try skipBlanks()
            let rowLine = bytes.line
            guard let byte = bytes.next() else { throw cutOff(line) }
            if byte == UInt8(ascii: ";") { return }
            if byte == UInt8(ascii: ",") { continue }
            guard byte == UInt8(ascii: "(") else {
                throw SubscriptionImportError(bytes.name, line: rowLine, "expected the values of a row in parentheses")
            }
            var values: [String?] = []
            repeat { values.append(try value(from: rowLine)) } while try skipElement(from: rowLine)
            guard values.count == columns.count else {
                throw SubscriptionImportError(
                    bytes.name, line: rowLine, "found \(values.count) values for \(name), expected \(columns.count)")
            }
            try receiver.add(values, line: rowLine)
        }
    }

    private func cutOff(_ line: Int) -> SubscriptionImportError {
        SubscriptionImportError(
            bytes.name, line: line, "the statement that begins here does not end; the file may be cut off")
    }

    /// Skips to the end of a statement.
    private mutating func skipStatement(from line: Int) throws {
        while true {
            try skipBlanks()
            guard let byte = bytes.peek() else { throw cutOff(line) }
            if isQuote(byte) {
                _ = try quoted(from: line)
            } else {
                _ = bytes.next()
                if byte == UInt8(ascii: ";") { return }
            }
        }
    }

    /// Skips the rest of an element of a list in parentheses.
    ///
    /// - Returns: true if another one follows.
    private mutating func skipElement(from line: Int) throws -> Bool {
        var depth = 0
        while true {
            try skipBlanks()
            guard let byte = bytes.peek() else { throw cutOff(line) }
            if isQuote(byte) {
                _ = try quoted(from: line)
                continue
            }
            _ = bytes.next()
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")") where depth == 0: return false
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return true
            default: break
            }
        }
    }

    // MARK: Values

    private mutating func value(from line: Int) throws -> String? {
        try skipBlanks()
        guard let byte = bytes.peek() else { throw cutOff(line) }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return try quoted(from: line) }
        var raw: [UInt8] = []
        while let byte = bytes.peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "'"),
            !byte.isBlank
        {
            raw.append(byte)
            _ = bytes.next()
        }
        let word = try bytes.text(raw, line: line)
        // A string with its character set, such as _utf8mb4'x' or N'x'. The set of X'…' is bytes in hexadecimal.
        try skipBlanks()
        if bytes.peek() == UInt8(ascii: "'") {
            let text = try quoted(from: line)
            // A function such as TO_TIMESTAMP counts as its first argument.
            if word.hasSuffix("(") { while try skipElement(from: line) {} }
            return word.uppercased() == "X" ? Self.text(hexadecimal: text) : text
        }
        if word.uppercased() == "NULL" { return nil }
        return word.hasPrefix("0x") ? Self.text(hexadecimal: String(word.dropFirst(2))) : word
    }

    /// Bytes as a string where they are UTF-8, else as they are.
    private static func text(hexadecimal digits: String) -> String {
        let digits = Array(digits)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        guard bytes.count * 2 == digits.count, let text = String(validating: bytes, as: UTF8.self),
            !text.contains("\0")
        else { return String(digits) }
        return text
    }

    private func isQuote(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`")
    }

    /// Reads a string or a name in quotation marks. A doubled one stands for itself.
    private mutating func quoted(from line: Int) throws -> String {
        let quote = bytes.next()
        let start = bytes.line
        var text: [UInt8] = []
        while let byte = bytes.next() {
            if byte == quote {
                guard bytes.peek() == quote else { return try bytes.text(text, line: start) }
                _ = bytes.next()
                text.append(byte)
            } else if byte == UInt8(ascii: "\\"), isMySQL, quote != UInt8(ascii: "`") {
                guard let escaped = bytes.next() else { break }
                switch escaped {
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "0"): text.append(0)
                case UInt8(ascii: "b"): text.append(0x08)
                case UInt8(ascii: "Z"): text.append(0x1A)
                default: text.append(escaped)
                }
            } else {
                text.append(byte)
            }
        }
        throw cutOff(line)
    }

    // MARK: Names

    /// A name, with its schema before it or without.
    private mutating func name(from line: Int) throws -> String {
        try rest(ofName: isQuote(bytes.peek()) ? quoted(from: line) : plainName())
    }

    /// Reads the names that follow one by a period. The last is the table's or the column's.
    private mutating func rest(ofName start: String) throws -> String {
        var name = start
        while bytes.peek() == UInt8(ascii: ".") {
            _ = bytes.next()
            name = isQuote(bytes.peek()) ? try quoted(from: bytes.line) : plainName()
        }
        return name
    }

    private func plainName() -> String {
        var name: [UInt8] = []
        while let byte = bytes.peek(), isNameByte(byte) {
            name.append(byte)
            _ = bytes.next()
        }
        return String(decoding: name, as: UTF8.self)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "#") || byte >= 0x80
    }

    /// The next word. Skips one byte that begins no word.
    private func word() -> String {
        let word = plainName()
        if word.isEmpty { _ = bytes.next() }
        return word
    }

    /// Skips blanks and comments, and reads those of `mysqldump` about itself.
    private mutating func skipBlanks() throws {
        while let byte = bytes.peek() {
            if byte.isBlank {
                _ = bytes.next()
                continue
            }
            let line = bytes.line
            switch (byte, bytes.peek(1)) {
            case (UInt8(ascii: "#"), _) where isMySQL: skipLine()
            case (UInt8(ascii: "-"), UInt8(ascii: "-")):
                let comment = skipLine()
                if comment.contains("MySQL dump") || comment.contains("MariaDB dump") { isMySQL = true }
                if comment.contains("Dump completed") { isComplete = true }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                for _ in 0..<2 { _ = bytes.next() }
                while bytes.peek() != UInt8(ascii: "*") || bytes.peek(1) != UInt8(ascii: "/") {
                    guard bytes.next() != nil else { throw cutOff(line) }
                }
                for _ in 0..<2 { _ = bytes.next() }
            default: return
            }
        }
    }

    @discardableResult
    private func skipLine() -> String {
        var text: [UInt8] = []
        while let byte = bytes.next(), byte != 0x0A { if text.count < 200 { text.append(byte) } }
        return String(decoding: text, as: UTF8.self)
    }
}
