/// The differences between two strings, line by line.
public struct LineDifference: Sendable {
    /// A line of either string or of both.
    public struct Line: Sendable {
        /// `-` for a line of the first string alone, `+` for one of the second alone, and a blank for one of both.
        public let sign: Character
        /// The line unchanged, with its line end if the compared lines have it.
        public let text: Substring
    }

    /// The number of equal lines around those that differ in ``hunks``.
    private static let context = 3
    /// The number of lines, without the equal ones at both ends, beyond which line is compared with line.
    private static let longest = 2000

    /// All lines, in their order; in a difference, those of the first string come before those of the second.
    public let lines: [Line]

    /// Compares the lines of two strings.
    public init(from old: [Substring], to new: [Substring]) {
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let (left, right) = (old.dropFirst(prefix), new.dropFirst(prefix))
        let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let changed = Self.compare(Array(left.dropLast(suffix)), Array(right.dropLast(suffix)))
        lines = Self.lines(" ", old.prefix(prefix)) + changed + Self.lines(" ", left.suffix(suffix))
    }

    private static func lines(_ sign: Character, _ texts: ArraySlice<Substring>) -> [Line] {
        texts.map { Line(sign: sign, text: $0) }
    }

    private static func compare(_ old: [Substring], _ new: [Substring]) -> [Line] {
        guard old.count <= longest, new.count <= longest else { return compareInPairs(old, new) }
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

    private static func compareInPairs(_ old: [Substring], _ new: [Substring]) -> [Line] {
        let pairs = zip(old, new).flatMap { left, right in
            left == right
                ? [Line(sign: " ", text: left)] : [Line(sign: "-", text: left), Line(sign: "+", text: right)]
        }
        return pairs + lines("-", old.dropFirst(new.count)) + lines("+", new.dropFirst(old.count))
    }

    /// The changes with the lines around them, as indices of ``lines``. Changes that are near each other are one range.
    public var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where lines[index].sign != " " {
            let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
            if let last = hunks.last, range.lowerBound <= last.upperBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    /// Returns missing lines with `-`, unexpected lines with `+`, and a few equal lines around them.
    ///
    /// - Returns: `nil` when the strings are equal.
    public static func between(expected: String, found: String) -> String? {
        guard expected != found else { return nil }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        let difference = LineDifference(from: lines(expected), to: lines(found))
        var texts: [String] = []
        var end = 0
        for hunk in difference.hunks {
            if hunk.lowerBound > end { texts.append("  …") }
            texts += difference.lines[hunk].map { "\($0.sign) \($0.text)" }
            end = hunk.upperBound
        }
        if end < difference.lines.count { texts.append("  …") }
        return texts.joined(separator: "\n")
    }
}
