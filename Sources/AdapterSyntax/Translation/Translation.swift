/// A script in a form that JavaScriptCore can run, with its meaning in Rhino.
public struct Translation: Sendable {
    /// The source to run. Byte for byte the script itself when there was nothing to translate.
    public let source: String
    /// True if ``source`` differs from the script.
    public let isChanged: Bool
    /// True if statements in ``source`` call the function of ``ThrowMark``.
    public let marksThrows: Bool
    /// The helpers that must be in the global scope before: see ``RuntimeHelper/script(for:)``.
    public let helpers: Set<RuntimeHelper>
    /// The map from positions in ``source``, which errors name, to those in the script.
    public let map: SourceMap
    /// The uses of Rhino's syntax in the script, in source order.
    public let findings: [RhinoFinding]
}

/// A part of a script that only Rhino knew.
public struct RhinoFinding: Sendable, Hashable {
    public let construct: RhinoConstruct
    public let range: SourceRange
    public let position: SourcePosition
    /// The construct and its replacement.
    public let message: String
}

/// All constructs that prevent the translation of a script. Never empty.
public struct TranslationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let problems: [SourceSyntaxError]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Translation {
    /// Translates a script.
    ///
    /// - Parameter marksThrows: whether statements that throw something else than an Error shall record it; see ``ThrowMark``.
    /// - Throws: ``TranslationError``, with a replacement for each construct that has no translation.
    public init(of tree: SyntaxTree, marksThrows: Bool = false) throws(TranslationError) {
        var translator = Translator(tree)
        translator.marksThrows = marksThrows && !translator.usesThrowMark
        translator.run()
        guard translator.problems.isEmpty else {
            throw TranslationError(
                problems: Set(translator.problems).sorted {
                    ($0.range.start, $0.message) < ($1.range.start, $1.message)
                })
        }
        let (text, map) = translator.edits.apply()
        source = text.text
        isChanged = !translator.edits.isEmpty
        self.marksThrows = translator.hasMarkedThrows
        helpers = translator.helpers
        self.map = map
        findings = Self.sorted(translator.findings)
    }

    /// Returns every use of something that only Rhino knew, whether it can be translated or not.
    public static func findings(in tree: SyntaxTree) -> [RhinoFinding] {
        var translator = Translator(tree)
        translator.run()
        return sorted(translator.findings)
    }

    private static func sorted(_ findings: [RhinoFinding]) -> [RhinoFinding] {
        findings.sorted { ($0.range.start, $0.construct.rawValue) < ($1.range.start, $1.construct.rawValue) }
    }
}
