/// The parts of a script that can be run, each with its counter.
public struct CoveragePoints: Sendable {
    /// A statement, or the body of an arrow function that is an expression.
    public struct Statement: Sendable, Hashable {
        public let range: SourceRange
        /// The beginning of the statement; ``end`` is its end.
        public let start: SourcePosition
        public let end: SourcePosition
        /// Index of the counter that is raised each time it begins.
        public let counter: Int
    }

    /// A function, and the counter that is raised each time it is called.
    public struct Function: Sendable, Hashable {
        public let name: String?
        public let start: SourcePosition
        public let counter: Int
    }

    /// A branch of the control flow.
    public struct Branch: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable {
            case `if`, conditional, logical, `switch`
        }

        public let kind: Kind
        public let start: SourcePosition
        /// The ways, in source order.
        public let paths: [Path]
        /// The names and positions of ``paths``.
        public var ways: [BranchArm]
    }

    /// The name and the position of one way of a branch, such as `right of ||`.
    public struct BranchArm: Sendable, Hashable {
        public let name: String
        public var start: SourcePosition
        public var end: SourcePosition
    }

    public enum Path: Sendable, Hashable {
        /// The count of this counter.
        case counter(Int)
        /// The count of the first counter less those of the others: an `if` without `else`, a right side that was not evaluated.
        case remainder(of: Int, without: [Int])
    }

    public var statements: [Statement] = []
    public var functions: [Function] = []
    public var branches: [Branch] = []
    public var counterCount = 0

    /// Returns how often each executable line was run: the largest count of the statements that begin in it.
    ///
    /// - Parameter counts: the values of the counters.
    public func lines(_ counts: [Int]) -> [Int: Int] {
        var lines: [Int: Int] = [:]
        for statement in statements {
            lines[statement.start.line] = max(lines[statement.start.line] ?? 0, counts[statement.counter])
        }
        return lines
    }

    /// Returns the points with other positions of the branches' ways: those in the author's source of a translated script.
    public func mappingPositions(_ change: (SourcePosition) -> SourcePosition) -> CoveragePoints {
        var points = self
        for branch in points.branches.indices {
            for way in points.branches[branch].ways.indices {
                points.branches[branch].ways[way].start = change(points.branches[branch].ways[way].start)
                points.branches[branch].ways[way].end = change(points.branches[branch].ways[way].end)
            }
        }
        return points
    }

    /// Returns how often a way was taken.
    public func count(_ path: Path, _ counts: [Int]) -> Int {
        switch path {
        case .counter(let index): counts[index]
        case .remainder(let all, let others): max(0, counts[all] - others.reduce(0) { $0 + counts[$1] })
        }
    }
}
