import AdapterRuntime
import AdapterSyntax
import Foundation

extension CoverageSummary {
    /// A readable table, with the lines and then the branches that were not run.
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

    /// Returns the lines and branches that were not run, such as `3-5, 9, 12:9 else`.
    private static func missed(_ file: File) -> String {
        let lines: [String] = file.missedLines.isEmpty ? [] : [ranges(file.missedLines)]
        let branches = file.missedBranches.prefix(mostBranches)
        return (lines + branches + (file.missedBranches.count > mostBranches ? ["…"] : [])).joined(separator: ", ")
    }

    private static let mostBranches = 8

    /// Returns line numbers as ranges, such as `3-5, 9`.
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

extension CoverageSummary {
    /// The tracefile of lcov, which editors and build servers read.
    public var lcov: String {
        files.map { file in
            let (points, counts) = (file.script.points, file.script.counts)
            var lines = ["TN:", "SF:\(file.path)"]
            for (index, function) in points.functions.enumerated() {
                lines.append("FN:\(function.start.line),\(Self.name(function, index))")
            }
            for (index, function) in points.functions.enumerated() {
                lines.append("FNDA:\(counts[function.counter]),\(Self.name(function, index))")
            }
            lines += ["FNF:\(file.figures.functions.total)", "FNH:\(file.figures.functions.covered)"]
            for (index, branch) in points.branches.enumerated() {
                for (number, path) in branch.paths.enumerated() {
                    lines.append("BRDA:\(branch.start.line),\(index),\(number),\(points.count(path, counts))")
                }
            }
            lines += ["BRF:\(file.figures.branches.total)", "BRH:\(file.figures.branches.covered)"]
            for (line, count) in file.script.lines.sorted(by: { $0.key < $1.key }) {
                lines.append("DA:\(line),\(count)")
            }
            lines += ["LF:\(file.figures.lines.total)", "LH:\(file.figures.lines.covered)", "end_of_record"]
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }

    private static func name(_ function: CoveragePoints.Function, _ index: Int) -> String {
        // lcov identifies a function by its name, which must therefore be unique.
        let name = (function.name ?? "(anonymous)").filter { !$0.isNewline && $0 != "," }
        return "\(name):\(function.start.line):\(index + 1)"
    }
}
