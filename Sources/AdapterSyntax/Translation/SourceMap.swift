/// Maps places in a changed script to those in the original script. Lines are the same in both; columns move.
public struct SourceMap: Sendable {
    struct Segment {
        let output: Int
        let source: Int
        /// Whether the text is the script's own from here on; else it was put in.
        let isCopy: Bool
    }

    private let source: SourceText
    private let output: SourceText
    private let segments: [Segment]

    init(source: SourceText, output: SourceText, segments: [Segment]) {
        self.source = source
        self.output = output
        self.segments = segments
    }

    /// Returns the place in the original script of the text at `position` in the changed one; for inserted text, the
    /// place of the insertion.
    public func original(_ position: SourcePosition) -> SourcePosition {
        let offset = output.offset(of: position)
        var low = 0
        var high = segments.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].output <= offset { low = middle } else { high = middle }
        }
        let segment = segments[low]
        let place = source.position(at: segment.isCopy ? segment.source + offset - segment.output : segment.source)
        // A place that was put in over several lines begins in an earlier one.
        return place.line == position.line ? place : SourcePosition(line: position.line, column: 1)
    }
}
