/// A script as JavaScriptCore can run it, with the meaning that Rhino gave it.
public struct Translation: Sendable {
    /// What to run. Byte for byte the script itself when there was nothing to translate.
    public let source: String
    /// Whether ``source`` differs from the script.
    public let isChanged: Bool
    /// Whether statements in ``source`` call the function of ``ThrowMark``.
    public let marksThrows: Bool
    /// What must be in the global scope before: see ``RuntimeHelper/script(for:)``.
    public let helpers: Set<RuntimeHelper>
    /// From places in ``source``, which errors name, to those in the script.
    public let map: SourceMap
    /// What of Rhino's the script has, in the order of the text.
    public let findings: [RhinoFinding]
}

/// A place where a script uses something that only Rhino knew.
public struct RhinoFinding: Sendable, Hashable {
    public let construct: RhinoConstruct
    public let range: SourceRange
    public let position: SourcePosition
    /// What it is and what to write instead.
    public let message: String
}

/// Why a script cannot be translated: every construct that prevents it. Never empty.
public struct TranslationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let problems: [SourceSyntaxError]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Translation {
    /// Translates a script.
    ///
    /// - Parameter marksThrows: whether statements that throw something else than an Error shall tell; see ``ThrowMark``.
    /// - Throws: ``TranslationError``, naming the mend for each construct that has no translation.
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

    /// Every place where a script uses something that only Rhino knew, whether it can be translated or not.
    public static func findings(in tree: SyntaxTree) -> [RhinoFinding] {
        var translator = Translator(tree)
        translator.run()
        return sorted(translator.findings)
    }

    private static func sorted(_ findings: [RhinoFinding]) -> [RhinoFinding] {
        findings.sorted { ($0.range.start, $0.construct.rawValue) < ($1.range.start, $1.construct.rawValue) }
    }
}
