/// The usage of a command, which the parser writes as one line.
enum UsageText {
    private static let width = 80

    /// Wraps the lines that begin with `Usage:`. An option stays on one line with its value.
    static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.lowercased().hasPrefix("usage: ") ? wrapped(line: String(line)) : String(line) }
            .joined(separator: "\n")
    }

    private static func wrapped(line: String) -> String {
        var lines: [String] = []
        for part in parts(of: line) {
            if let last = lines.last, last.count + 1 + part.count <= width {
                lines[lines.count - 1] = "\(last) \(part)"
            } else {
                lines.append(lines.isEmpty ? part : "         \(part)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The words, where `[--user <user>]` and `--user <user>` are one.
    private static func parts(of line: String) -> [String] {
        var parts: [String] = []
        for word in line.split(separator: " ").map(String.init) {
            if let last = parts.last, isOpen(last) || (last.hasPrefix("-") && word.hasPrefix("<")) {
                parts[parts.count - 1] = "\(last) \(word)"
            } else {
                parts.append(word)
            }
        }
        return parts
    }

    private static func isOpen(_ part: String) -> Bool {
        part.count(where: { $0 == "[" }) > part.count(where: { $0 == "]" })
    }
}
