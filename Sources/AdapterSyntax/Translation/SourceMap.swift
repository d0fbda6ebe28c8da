/// Maps positions in a changed script to those in the original script. Lines are the same in both, but for copies behind the script; columns
/// move.
public struct SourceMap: Sendable {
    struct Segment {
        let output: Int
        let source: Int
        /// True if the code from here on is the script's own; false for inserted code.
        let isCopy: Bool
    }

    private let source: SourceText
    private let output: SourceText
    private let segments: [Segment]
    /// The offset in the output at which copies begin.
    private let copies: Int

    /// - Parameter copies: the offset in the output at which copies of parts of the script begin; `nil` for none.
    init(source: SourceText, output: SourceText, segments: [Segment], copies: Int? = nil) {
        self.source = source
        self.output = output
        self.segments = segments
        self.copies = copies ?? .max
    }

    /// Returns the position in the original script of the code at `position` in the changed one; for inserted code, the
    /// position of the insertion.
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
        // Code that was inserted over several lines begins in an earlier one.
        return place.line == position.line || segment.output >= copies
            ? place : SourcePosition(line: position.line, column: 1)
    }
}
