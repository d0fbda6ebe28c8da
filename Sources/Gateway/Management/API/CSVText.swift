/// Rows as CSV (RFC 4180), which spreadsheets open without running anything in it.
struct CSVText {
    /// The media type of ``text``.
    static let type = "text/csv; charset=utf-8; header=present"

    /// The header `Content-Disposition` of the audit log.
    static let disposition = "attachment; filename=\"audit-log.csv\""

    /// The rows, each ended by CRLF.
    private(set) var text = ""

    /// Appends a row. Every field is quoted. A field that a spreadsheet would take for a formula gets an apostrophe in front.
    mutating func add(_ fields: [String]) {
        text += fields.map(Self.field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ value: String) -> String {
        let beginsFormula = value.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let text = (beginsFormula ? "'" : "") + value.replacing("\"", with: "\"\"")
        return "\"" + text + "\""
    }
}
