/// A change to a script's text.
public struct TextEdit: Sendable, Hashable {
    public let range: SourceRange
    public let replacement: String

    init(_ range: SourceRange, _ replacement: String) {
        self.range = range
        self.replacement = replacement
    }
}

/// How something that only Rhino knew is written today, where that is mechanical.
public struct Fix: Sendable, Hashable {
    public let construct: RhinoConstruct
    /// What the change does, for a menu: "write for-of over Object.values".
    public let title: String
    /// What is changed.
    public let range: SourceRange
    /// In the order of the text; none overlaps another.
    public let edits: [TextEdit]

    /// The fixes that a script has. Those of nested constructs can overlap.
    public static func all(in tree: SyntaxTree) -> [Fix] {
        FixFinder(tree).fixes()
    }
}

/// A script after everything that can be mended mechanically has been.
public struct FixedSource: Sendable {
    /// The new text; the old one where there was nothing to mend.
    public let source: String
    /// What was done, in the order in which it was; what is nested comes after what is around it.
    public let fixes: [Applied]

    public struct Applied: Sendable, Hashable {
        public let construct: RhinoConstruct
        public let title: String
        /// Where it stood before the fixes of its round.
        public let position: SourcePosition
    }

    /// - Throws: ``SourceSyntaxError`` when the script cannot be read.
    public init(_ source: String, file: String) throws(SourceSyntaxError) {
        var text = source
        var applied: [Applied] = []
        // What is nested in something that was just mended comes next time round.
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
