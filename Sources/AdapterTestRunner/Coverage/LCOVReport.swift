import AdapterRuntime
import AdapterSyntax

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
        // Names are no more than labels, and each may stand for one function only.
        let name = (function.name ?? "(anonymous)").filter { !$0.isNewline && $0 != "," }
        return "\(name):\(function.start.line):\(index + 1)"
    }
}
