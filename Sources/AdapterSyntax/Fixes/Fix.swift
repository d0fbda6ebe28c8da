/// A change to a script's source.
public struct TextEdit: Sendable, Hashable {
    public let range: SourceRange
    public let replacement: String

    init(_ range: SourceRange, _ replacement: String) {
        self.range = range
        self.replacement = replacement
    }
}

/// The modern form of syntax that only Rhino knew, where the replacement is mechanical.
public struct Fix: Sendable, Hashable {
    public let construct: RhinoConstruct
    /// The change, for a menu: "write for-of over Object.values".
    public let title: String
    /// The range that is changed.
    public let range: SourceRange
    /// The edits in source order; none overlaps another.
    public let edits: [TextEdit]

    /// Returns the fixes that a script has. Those of nested constructs can overlap.
    public static func all(in tree: SyntaxTree) -> [Fix] {
        FixFinder(tree).fixes()
    }
}

/// A script with all mechanical fixes applied.
public struct FixedSource: Sendable {
    /// The new source; the old one if there was nothing to fix.
    public let source: String
    /// The fixes in the order in which they were applied; a nested one comes after the one around it.
    public let fixes: [Applied]

    public struct Applied: Sendable, Hashable {
        public let construct: RhinoConstruct
        public let title: String
        /// The position before the fixes of its round.
        public let position: SourcePosition
    }

    /// - Throws: ``SourceSyntaxError`` when the script cannot be read.
    public init(_ source: String, file: String) throws(SourceSyntaxError) {
        var text = source
        var applied: [Applied] = []
        // Constructs nested in one that was just fixed follow in the next round.
        for _ in 0..<Parser.deepest {
            let tree = try SyntaxTree(text, file: file)
            let chosen = Self.withoutOverlaps(Fix.all(in: tree))
            guard !chosen.isEmpty else { break }
            text = Self.apply(chosen.flatMap(\.edits), to: tree.source)
            applied += chosen.map { fix in
                Applied(
                    construct: fix.construct, title: fix.title,
                    position: tree.source.position(at: fix.range.start))
            }
        }
        self.source = text
        fixes = applied
    }

    private static func withoutOverlaps(_ fixes: [Fix]) -> [Fix] {
        var end = 0
        var chosen: [Fix] = []
        for fix in fixes.sorted(by: { $0.range.start < $1.range.start }) where fix.range.start >= end {
            chosen.append(fix)
            end = max(end, fix.range.end)
        }
        return chosen
    }

    static func apply(_ edits: [TextEdit], to source: SourceText) -> String {
        var output: [UInt8] = []
        var position = 0
        for edit in edits {
            output += source.bytes[position..<edit.range.start]
            output += edit.replacement.utf8
            position = edit.range.end
        }
        output += source.bytes[position...]
        return String(decoding: output, as: UTF8.self)
    }
}
