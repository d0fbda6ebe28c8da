public import AdapterSyntax
import Synchronization

/// Counts how often each part of the scripts was run, in all scopes together.
public final class CoverageCollector: Sendable {
    /// One script.
    public struct Script: Sendable {
        /// The script, relative to the project's folder.
        public let file: String
        public let points: CoveragePoints
        /// The sums of the counters of ``points``.
        public internal(set) var counts: [Int]

        /// The number of runs of each executable line.
        public var lines: [Int: Int] { points.lines(counts) }
    }

    private let scripts = Mutex<[String: Script]>([:])

    public init() {}

    /// The scripts that were loaded, by file.
    public var result: [Script] { scripts.withLock { $0.values.sorted { $0.file < $1.file } } }

    /// Adds the counts of one scope.
    func add(_ counts: [UInt32], of file: String, _ points: CoveragePoints) {
        scripts.withLock { scripts in
            var script =
                scripts[file]
                ?? Script(file: file, points: points, counts: Array(repeating: 0, count: points.counterCount))
            // Another version of the script has other counters.
            guard script.counts.count == counts.count else { return }
            for (index, count) in counts.enumerated() where count != 0 { script.counts[index] += Int(count) }
            scripts[file] = script
        }
    }
}
