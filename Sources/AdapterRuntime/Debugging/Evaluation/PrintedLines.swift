/// What a script wrote to the log while somebody waits for it: as much as a reply holds, the rest is counted.
struct PrintedLines {
    private static let mostLines = 1000
    private static let mostBytes = 1 << 20

    private var kept: [String] = []
    private var bytes = 0
    private var omitted = 0

    /// Asks for room for one more line, which is counted when there is none.
    mutating func takesOneMore() -> Bool {
        guard kept.count < Self.mostLines, bytes < Self.mostBytes else {
            omitted += 1
            return false
        }
        return true
    }

    mutating func append(_ line: String) {
        kept.append(line)
        bytes += line.utf8.count
    }

    /// The lines and, if there were more, how many.
    var lines: [String] {
        omitted == 0 ? kept : kept + ["… \(omitted) more line\(omitted == 1 ? "" : "s")"]
    }
}
