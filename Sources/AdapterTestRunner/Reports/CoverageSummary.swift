public import AdapterRuntime
import AdapterSyntax

/// The code coverage of the adapters' scripts.
public struct CoverageSummary: Sendable {
    /// The coverage of a file, or of all files.
    public struct Figures: Sendable, Hashable {
        public var lines = Ratio()
        public var functions = Ratio()
        public var branches = Ratio()
    }

    /// A part of a total, such as 3 of 4 lines.
    public struct Ratio: Sendable, Hashable {
        public var covered = 0
        public var total = 0

        public init(covered: Int = 0, total: Int = 0) {
            self.covered = covered
            self.total = total
        }

        /// The percentage; 100 if the total is 0.
        public var percent: Double { total == 0 ? 100 : Double(covered) / Double(total) * 100 }

        mutating func add(_ isCovered: Bool) {
            total += 1
            if isCovered { covered += 1 }
        }

        mutating func add(_ other: Ratio) {
            total += other.total
            covered += other.covered
        }
    }

    /// The coverage of a file.
    public struct File: Sendable {
        public let path: String
        public let figures: Figures
        /// The lines that were not run, in order.
        public let missedLines: [Int]
        /// The branches that were not taken, as `line:column name`, in order: `12:9 else`. A branch is omitted if it is in a line that was
        /// not run, or contains one.
        public let missedBranches: [String]
        let script: CoverageCollector.Script
    }

    public let files: [File]
    public let total: Figures

    /// Creates a summary from the counters of scripts.
    ///
    /// - Parameter adapters: the adapters to report; all when `nil`.
    public init(_ scripts: [CoverageCollector.Script], of adapters: Set<String>? = nil) {
        files = scripts.map(File.init).filter { file in
            adapters?.contains { file.path.hasPrefix("adapters/\($0)/") } ?? true
        }
        total = files.reduce(into: Figures()) { sum, file in
            sum.lines.add(file.figures.lines)
            sum.functions.add(file.figures.functions)
            sum.branches.add(file.figures.branches)
        }
    }
}

extension CoverageSummary.File {
    init(_ script: CoverageCollector.Script) {
        var figures = CoverageSummary.Figures()
        let lines = script.lines
        for count in lines.values { figures.lines.add(count > 0) }
        for function in script.points.functions { figures.functions.add(script.counts[function.counter] > 0) }
        for branch in script.points.branches {
            for path in branch.paths { figures.branches.add(script.points.count(path, script.counts) > 0) }
        }
        let missedLines = lines.filter { $0.value == 0 }.keys.sorted()
        self.init(
            path: script.file, figures: figures, missedLines: missedLines,
            missedBranches: Self.missedBranches(script, besides: Set(missedLines)), script: script)
    }

    private static func missedBranches(_ script: CoverageCollector.Script, besides missedLines: Set<Int>) -> [String] {
        var missed: [CoveragePoints.BranchArm] = []
        for branch in script.points.branches where !missedLines.contains(branch.start.line) {
            for (path, way) in zip(branch.paths, branch.ways) where script.points.count(path, script.counts) == 0 {
                let last = max(way.start.line, way.end.line)
                if missedLines.isDisjoint(with: way.start.line...last) { missed.append(way) }
            }
        }
        return missed.sorted { $0.start < $1.start }.map { "\($0.start) \($0.name)" }
    }
}
