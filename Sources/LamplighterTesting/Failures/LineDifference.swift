/// What differs between two texts, line by line, for people.
public enum LineDifference {
    /// How many equal lines are shown around those that differ.
    private static let context = 3
    /// Longer texts are compared from where they begin to differ, line against line.
    private static let longest = 2000

    private enum Line: Hashable {
        case equal(String), expected(String), found(String)

        var text: String {
            switch self {
            case .equal(let text): "  \(text)"
            case .expected(let text): "- \(text)"
            case .found(let text): "+ \(text)"
            }
        }

        var isEqual: Bool { if case .equal = self { true } else { false } }
    }

    /// The lines that were expected and are not there with `-`, those that are there and were not expected with `+`, and a few
    /// of those around them.
    ///
    /// - Returns: `nil` when the texts are equal.
    public static func between(expected: String, found: String) -> String? {
        guard expected != found else { return nil }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        return shortened(compare(lines(expected), lines(found))).joined(separator: "\n")
    }

    private static func compare(_ expected: [String], _ found: [String]) -> [Line] {
        let prefix = zip(expected, found).prefix { $0 == $1 }.count
        let (left, right) = (expected.dropFirst(prefix), found.dropFirst(prefix))
        let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let (before, after) = (expected.prefix(prefix).map(Line.equal), left.suffix(suffix).map(Line.equal))
        return before + middle(Array(left.dropLast(suffix)), Array(right.dropLast(suffix))) + after
    }

    private static func middle(_ expected: [String], _ found: [String]) -> [Line] {
        guard expected.count <= longest, found.count <= longest else {
            return lineByLine(expected, found)
        }
        let changes = found.difference(from: expected)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < expected.count || right < found.count {
            if left < expected.count, removed.contains(left) {
                lines.append(.expected(expected[left]))
                left += 1
            } else if right < found.count, inserted.contains(right) {
                lines.append(.found(found[right]))
                right += 1
            } else {
                lines.append(.equal(found[right]))
                left += 1
                right += 1
            }
        }
        return lines
    }

    private static func lineByLine(_ expected: [String], _ found: [String]) -> [Line] {
        var lines: [Line] = []
        for (left, right) in zip(expected, found) {
            if left == right { lines.append(.equal(left)) } else { lines += [.expected(left), .found(right)] }
        }
        let shared = min(expected.count, found.count)
        return lines + expected.dropFirst(shared).map(Line.expected) + found.dropFirst(shared).map(Line.found)
    }

    /// Only the lines near a difference.
    private static func shortened(_ lines: [Line]) -> [String] {
        let different = lines.indices.filter { !lines[$0].isEqual }
        var shown: Set<Int> = []
        for index in different { shown.formUnion(max(0, index - context)...min(lines.count - 1, index + context)) }
        var texts: [String] = []
        var last = -1
        for index in shown.sorted() {
            if index != last + 1 { texts.append("  …") }
            texts.append(lines[index].text)
            last = index
        }
        if last != lines.count - 1 { texts.append("  …") }
        return texts
    }
}
