import Foundation

extension CoverageSummary {
    /// A table for people, with the lines that were not run, and then the branches.
    public var table: String {
        let head = ["File", "Lines", "Functions", "Branches", "Not run"]
        var rows = files.map { [$0.path] + Self.columns($0.figures) + [Self.missed($0)] }
        if files.count > 1 { rows.append(["all"] + Self.columns(total) + [""]) }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return (1...3).contains(column) ? padding + text : text + padding
            }
            .joined(separator: "  ").trimmingTrailing
        }.joined(separator: "\n") + "\n"
    }

    private static func columns(_ figures: Figures) -> [String] {
        [figures.lines, figures.functions, figures.branches].map { String(format: "%.1f %%", $0.percent) }
    }

    /// `3-5, 9, 12:9 else`.
    private static func missed(_ file: File) -> String {
        let lines: [String] = file.missedLines.isEmpty ? [] : [ranges(file.missedLines)]
        let branches = file.missedBranches.prefix(mostBranches)
        return (lines + branches + (file.missedBranches.count > mostBranches ? ["…"] : [])).joined(separator: ", ")
    }

    private static let mostBranches = 8

    /// `3-5, 9`.
    private static func ranges(_ lines: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for line in lines {
            if let last = ranges.last, last.upperBound == line - 1 {
                ranges[ranges.count - 1] = last.lowerBound...line
            } else {
                ranges.append(line...line)
            }
        }
        let shown = ranges.prefix(12).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return shown.joined(separator: ", ") + (ranges.count > 12 ? ", …" : "")
    }
}

extension String {
    fileprivate var trimmingTrailing: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
