/// Changes to a script's source that keep every line number.
///
/// Constructs are nested, and so are their changes: an outer one wraps what an inner one has changed. They are noted in
/// the order of the tree, outer before inner, and sorted here.
struct EditList {
    private enum Order: Int {
        /// Inserted after the nodes that end here: inner before outer.
        case closing
        /// Inserted before the nodes that begin here: outer before inner.
        case opening
        case replacement
    }

    private struct Edit {
        let range: SourceRange
        let text: [UInt8]
        let order: Order
        let sequence: Int
        /// The offset in the source to which positions in the inserted code are mapped.
        let origin: Int
    }

    private let source: SourceText
    private var edits: [Edit] = []

    init(_ source: SourceText) {
        self.source = source
    }

    var isEmpty: Bool { edits.isEmpty }

    private mutating func add(_ range: SourceRange, _ text: [UInt8], _ order: Order, origin: Int? = nil) {
        edits.append(
            Edit(range: range, text: text, order: order, sequence: edits.count, origin: origin ?? range.start))
    }

    /// Puts `text` before what begins at `offset`.
    ///
    /// - Parameter origin: the offset to which positions in the inserted code are mapped; `nil` for `offset`.
    mutating func open(_ offset: Int, _ text: String, origin: Int? = nil) {
        add(SourceRange(offset, offset), Array(text.utf8), .opening, origin: origin)
    }

    /// Puts `text` behind what ends at `offset`.
    mutating func close(_ offset: Int, _ text: String) {
        add(SourceRange(offset, offset), Array(text.utf8), .closing)
    }

    /// Replaces `range` by `text`, which has one line. The ends of lines in the range stay.
    ///
    /// - Parameter origin: the offset to which positions in the inserted code are mapped; `nil` for the beginning of the range.
    mutating func replace(_ range: SourceRange, _ text: String, origin: Int? = nil) {
        var bytes = Array(text.utf8)
        var index = range.start
        while index < range.end {
            if let width = SourceText.lineTerminatorWidth(in: source.bytes, at: index) {
                bytes += source.bytes[index..<index + width]
                index += width
            } else {
                index += 1
            }
        }
        add(range, bytes, .replacement, origin: origin)
    }

    /// Replaces `range` by `text`, which has as many lines.
    mutating func rewrite(_ range: SourceRange, _ text: [UInt8]) {
        add(range, text, .replacement)
    }

    /// Returns the changed source, and a map to the origins of its parts.
    ///
    /// - Parameter copies: unchanged parts of the source, which follow the changed source, each on new lines.
    func apply(followedBy copies: [SourceRange] = []) -> (text: SourceText, map: SourceMap) {
        let sorted = edits.sorted { one, other in
            if one.range.start != other.range.start { return one.range.start < other.range.start }
            if one.order != other.order { return one.order.rawValue < other.order.rawValue }
            return one.order == .closing ? one.sequence > other.sequence : one.sequence < other.sequence
        }
        var output: [UInt8] = []
        output.reserveCapacity(source.bytes.count + sorted.count * 16)
        var segments: [SourceMap.Segment] = []
        var position = 0
        for edit in sorted {
            if edit.range.start > position {
                segments.append(SourceMap.Segment(output: output.count, source: position, isCopy: true))
                output += source.bytes[position..<edit.range.start]
                position = edit.range.start
            }
            segments.append(SourceMap.Segment(output: output.count, source: edit.origin, isCopy: false))
            output += edit.text
            position = max(position, edit.range.end)
        }
        segments.append(SourceMap.Segment(output: output.count, source: position, isCopy: true))
        output += source.bytes[position...]
        let end = output.count
        for copy in copies {
            output.append(UInt8(ascii: "\n"))
            segments.append(SourceMap.Segment(output: output.count, source: copy.start, isCopy: true))
            output += source.bytes[copy.start..<copy.end]
        }
        let text = SourceText(bytes: output, file: source.file)
        return (text, SourceMap(source: source, output: text, segments: segments, copies: end + 1))
    }
}
