/// A stored procedure's checked name: it becomes part of a statement, where parameters are not allowed.
///
/// Accepts names and quoted names ("…", `…`, […]), joined with dots.
struct ProcedureName: Sendable {
    let text: String
    /// The parts as the script wrote them, without quotes.
    let parts: [Part]

    struct Part: Sendable {
        let name: String
        let isQuoted: Bool
    }

    init(_ text: String) throws(SQLStatementError) {
        let trimmed = text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace)
        self.text = String(trimmed.reversed())
        guard let parts = Self.parts(of: Substring(self.text)) else {
            throw SQLStatementError(
                .statement,
                """
                "\(text)" is not the name of a stored procedure; write only the name, such as myProcedure or \
                schema.myProcedure, and put its arguments into `parameters`
                """)
        }
        self.parts = parts
    }

    private static func parts(of text: Substring) -> [Part]? {
        let closing: [Character: Character] = ["\"": "\"", "`": "`", "[": "]"]
        var rest = text
        var parts: [Part] = []
        while let first = rest.first {
            if let quote = closing[first] {
                guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
                parts.append(Part(name: String(rest[rest.index(after: rest.startIndex)..<end]), isQuoted: true))
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0.isLetter || $0.isNumber || "_$#@".contains($0) }
                guard let initial = name.first, !initial.isNumber else { return nil }
                parts.append(Part(name: String(name), isQuoted: false))
                rest = rest[name.endIndex...]
            }
            guard let dot = rest.first else { return parts }
            guard dot == ".", rest.count > 1 else { return nil }
            rest = rest.dropFirst()
        }
        return nil
    }
}
