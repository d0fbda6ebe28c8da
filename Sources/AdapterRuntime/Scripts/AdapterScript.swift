import AdapterSyntax
import WorklightProject

/// An adapter's script as the engine runs it, made once and shared by all its scopes.
struct AdapterScript: Sendable {
    let file: String
    /// What is evaluated: byte for byte what the author wrote where nothing had to be translated.
    let source: String
    /// A script that has to run in the scope before; empty for most.
    let helpers: String
    /// Whether ``source`` calls the function of `ThrowMark`.
    let marksThrows: Bool
    /// Whether the scope needs what Rhino's built-in objects had.
    let usesRhinoLibrary: Bool
    /// Which parts of it can be counted, when ``source`` has counters.
    let coverage: CoveragePoints?
    /// From places in ``source`` to the author's, one after the other; none where they are the same.
    let maps: [SourceMap]
    /// What the author should know whenever the script is loaded.
    let remarks: [ProjectProblem]
    /// What was translated, each with its mend.
    let translations: [ProjectProblem]
    /// Whether the script keeps state between calls.
    let verdict: StateVerdict
    /// Whether the script may call `WL.Server.invokeProcedure`: it contains the name.
    let mayInvokeProcedures: Bool

    /// What errors call ``helpers``.
    static let helperFile = "lamplighter:rhino"

    /// Whether places in its errors are others than the author's.
    var isTranslated: Bool { !maps.isEmpty || !helpers.isEmpty }

    /// A script that the engine reads and Lamplighter's parser does not. It runs as it is, and counts as one that keeps state.
    init(untouched source: String, file: String, stoppedAt position: SourcePosition, remarks: [ProjectProblem]) {
        self.file = file
        self.source = source
        helpers = ""
        marksThrows = false
        usesRhinoLibrary = Self.usesRhinoLibrary(source)
        coverage = nil
        maps = []
        self.remarks = remarks
        translations = []
        verdict = .stateful(
            ScriptState(
                variable: nil, position: position, description: "Lamplighter's parser cannot read the script from here")
        )
        mayInvokeProcedures = source.contains("invokeProcedure")
    }

    /// - Parameter counters: the translated script with counters in it, if somebody wants to know what is run.
    init(
        _ translation: Translation, of source: String, _ verdict: StateVerdict, file: String, counters: Instrumented?
    ) {
        self.verdict = verdict
        mayInvokeProcedures = source.contains("invokeProcedure")
        self.file = file
        self.source = counters?.source ?? (translation.isChanged ? translation.source : source)
        helpers = RuntimeHelper.script(for: translation.helpers)
        marksThrows = translation.marksThrows
        usesRhinoLibrary = Self.usesRhinoLibrary(source)
        coverage = counters?.points
        maps = (counters.map { [$0.map] } ?? []) + (translation.isChanged ? [translation.map] : [])
        remarks = []
        var last: RhinoFinding?
        translations = translation.findings.compactMap { finding in
            // E4X makes several of one line.
            defer { last = finding }
            if let last, last.construct == finding.construct, last.position.line == finding.position.line { return nil }
            let remark =
                finding.construct == .javaAdapter
                ? "only Rhino knew this: the script is loaded, and the call that reaches it fails"
                : "only Rhino knew this, so it is translated when the script is loaded"
            return ProjectProblem(
                .note, file: file, line: finding.position.line, column: finding.position.column,
                "\(remark); \(finding.message)")
        }
    }
}

/// Why a script cannot be run: one problem or more.
struct ScriptRefused: Error {
    let problems: [ProjectProblem]
}
