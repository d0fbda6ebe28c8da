/// Rows of a CSV file (RFC 4180) with a header line, also with semicolons or tabs between the fields.
struct CSVRows {
    private let bytes: FileBytes
    private var delimiter: UInt8?

    init(_ bytes: FileBytes) { self.bytes = bytes }

    /// - Parameter table: the name of the table that the rows make up.
    /// - Throws: ``SubscriptionImportError`` for a line with another number of fields than the header, and for a file that ends within a quoted field;
    ///   and the receiver's errors.
    mutating func read(table: String, to receiver: some RowReceiver) throws {
        guard let header = try row() else {
            throw SubscriptionImportError(
                bytes.name, "it is empty; expected a header line with the names of the columns")
        }
        let columns = header.fields.map { $0 ?? "" }
        guard !columns.contains(""), Set(columns.map { $0.lowercased() }).count == columns.count else {
            throw SubscriptionImportError(
                bytes.name, line: header.line, "expected a header line with a name for each column, each only once")
        }
        try receiver.begin(table: table, columns: columns, line: header.line)
        while let row = try row() {
            guard row.fields.count == columns.count else {
                throw SubscriptionImportError(
                    bytes.name, line: row.line,
                    "found \(row.fields.count) fields, expected \(columns.count) as in the header; the file may be cut off here"
                )
            }
            try receiver.add(row.fields, line: row.line)
        }
    }

    /// - Returns: the next row that is not blank; `nil` at the end.
    private mutating func row() throws -> (fields: [String?], line: Int)? {
        while true {
            let line = bytes.line
            guard let fields = try fields() else { return nil }
            if fields.count > 1 || fields[0] != nil { return (fields, line) }
        }
    }

    private mutating func fields() throws(SubscriptionImportError) -> [String?]? {
        guard bytes.peek() != nil else { return nil }
        var fields: [String?] = []
        while true {
            let line = bytes.line
            var field: [UInt8] = []
            let isQuoted = bytes.peek() == UInt8(ascii: "\"")
            var end: UInt8?
            if isQuoted {
                _ = bytes.next()
                try quoted(into: &field, from: line)
                end = bytes.next()
                if end == 0x0D, bytes.peek() == 0x0A { end = bytes.next() }
                guard end == nil || end == 0x0A || isDelimiter(end) else {
                    throw SubscriptionImportError(
                        bytes.name, line: line, "expected a delimiter after the quotation mark that ends a field")
                }
            } else {
                while true {
                    end = bytes.next()
                    guard let byte = end, byte != 0x0A, !isDelimiter(byte) else { break }
                    field.append(byte)
                }
                if end != delimiter || end == 0x0A, field.last == 0x0D { field.removeLast() }
            }
            let text = try bytes.text(field, line: line)
            // MySQL writes \N for NULL.
            fields.append(!isQuoted && (text.isEmpty || text == "\\N") ? nil : text)
            guard let end, end != 0x0A else { return fields }
        }
    }

    /// The first of these characters in the header is the delimiter.
    private mutating func isDelimiter(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        if let delimiter { return byte == delimiter }
        guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t") else { return false }
        delimiter = byte
        return true
    }

    private func quoted(into field: inout [UInt8], from line: Int) throws(SubscriptionImportError) {
        while let byte = bytes.next() {
            if byte == UInt8(ascii: "\"") {
                guard bytes.peek() == byte else { return }
                _ = bytes.next()
            }
            field.append(byte)
        }
        throw SubscriptionImportError(
            bytes.name, line: line,
            "the field that begins here has no quotation mark at its end; the file may be cut off")
    }
}
