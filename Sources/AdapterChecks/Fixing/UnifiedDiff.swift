import Core

/// The difference of two strings as `diff -u` writes it and `patch -p1` reads it.
enum UnifiedDiff {
    /// - Returns: an empty string when nothing differs.
    static func text(from old: String, to new: String, path: String) -> String {
        let difference = LineDifference(from: split(old), to: split(new))
        let hunks = difference.hunks
        guard !hunks.isEmpty else { return "" }
        var output = "--- a/\(path)\n+++ b/\(path)\n"
        for range in hunks { append(difference.lines, range, to: &output) }
        return output
    }

    /// Returns the lines, each with its end, which may be of any kind.
    private static func split(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex { $0 == "\n" || $0 == "\r\n" }.map { text.index(after: $0) }
            lines.append(text[start..<(end ?? text.endIndex)])
            start = end ?? text.endIndex
        }
        return lines
    }

    private static func append(_ lines: [LineDifference.Line], _ range: Range<Int>, to output: inout String) {
        let place = { (sign: Character) -> String in
            let before = lines[..<range.lowerBound].count { $0.sign == " " || $0.sign == sign }
            let count = lines[range].count { $0.sign == " " || $0.sign == sign }
            return "\(count == 0 ? before : before + 1),\(count)"
        }
        output += "@@ -\(place("-")) +\(place("+")) @@\n"
        for line in lines[range] {
            output.append(line.sign)
            output += line.text
            if line.text.last != "\n", line.text.last != "\r\n" { output += "\n\\ No newline at end of file\n" }
        }
    }
}
