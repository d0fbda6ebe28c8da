/// The difference of two texts as `diff -u` writes it and `patch -p1` reads it.
enum UnifiedDiff {
    private static let context = 3

    /// What became of a line.
    private struct Line {
        let sign: Character
        let text: Substring
    }

    /// - Returns: an empty text when nothing differs.
    static func text(from old: String, to new: String, path: String) -> String {
        let lines = compare(split(old), split(new))
        guard lines.contains(where: { $0.sign != " " }) else { return "" }
        var output = "--- a/\(path)\n+++ b/\(path)\n"
        for range in hunks(in: lines) { append(lines, range, to: &output) }
        return output
    }

    /// The lines, each with its end, which may be of any kind.
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

    private static func compare(_ old: [Substring], _ new: [Substring]) -> [Line] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(Line(sign: "-", text: old[left]))
                left += 1
            } else if right < new.count, inserted.contains(right) {
                lines.append(Line(sign: "+", text: new[right]))
                right += 1
            } else {
                lines.append(Line(sign: " ", text: old[left]))
                left += 1
                right += 1
            }
        }
        return lines
    }

    /// The changes, with the lines around them; those near each other in one.
    private static func hunks(in lines: [Line]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where lines[index].sign != " " {
            let range = max(0, index - context)..<min(lines.count, index + context + 1)
            if let last = hunks.last, range.lowerBound <= last.upperBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    private static func append(_ lines: [Line], _ range: Range<Int>, to output: inout String) {
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
