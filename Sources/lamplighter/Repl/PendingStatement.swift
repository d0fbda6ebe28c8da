import AdapterSyntax

/// The lines of a statement that has not ended yet.
struct PendingStatement {
    /// Up to this number, each line is checked whether the code is whole, so that errors show while somebody types.
    private static let fewLines = 50

    private var lines: [String] = []
    private var statement = IncompleteStatement()
    private var linesWhenAsked = 0

    var isEmpty: Bool { lines.isEmpty }
    var lineCount: Int { lines.count }
    var text: String { lines.joined(separator: "\n") }
    /// Whether there are lines that nobody was asked about.
    var isUnasked: Bool { lines.count > linesWhenAsked }

    /// Adds a line.
    ///
    /// - Returns: whether it is time to ask if the statement is whole. To ask means to read all of it, so that to do so after each of
    ///   thousands of pasted lines would take minutes.
    mutating func append(_ line: String) -> Bool {
        lines.append(line)
        statement.append(line)
        let mayEnd =
            switch statement.end {
            case .possible: true
            case .missing: false
            case .unknown: indentation(of: line) <= indentation(of: lines[0])
            }
        // Something may be wrong with it, which only the parser sees.
        guard mayEnd || lines.count <= Self.fewLines || lines.count >= 2 * linesWhenAsked else { return false }
        linesWhenAsked = lines.count
        return true
    }

    private func indentation(of line: String) -> Int { line.prefix(while: \.isWhitespace).count }
}
