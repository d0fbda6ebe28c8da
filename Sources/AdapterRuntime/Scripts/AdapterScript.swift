import AdapterSyntax
import WorklightProject

/// An adapter's script as the engine runs it, made once and shared by all its scopes.
struct AdapterScript: Sendable {
    let file: String
    /// What is evaluated: byte for byte what the author wrote where nothing had to be translated.
    let source: String
    /// A script that has to run in the scope before; empty for most.
    let helpers: String
    /// From places in ``source`` to the author's; `nil` where they are the same.
    let map: SourceMap?
    /// What the author should know whenever the script is loaded.
    let remarks: [ProjectProblem]
    /// What was translated, each with its mend.
    let translations: [ProjectProblem]

    /// What errors call ``helpers``.
    static let helperFile = "lamplighter:rhino"

    /// Whether places in its errors are others than the author's.
    var isTranslated: Bool { map != nil || !helpers.isEmpty }

    /// A script that is run as it is.
    init(untouched source: String, file: String, remarks: [ProjectProblem]) {
        self.file = file
        self.source = source
        helpers = ""
        map = nil
        self.remarks = remarks
        translations = []
    }

    init(_ translation: Translation, of source: String, file: String) {
        self.file = file
        self.source = translation.isChanged ? translation.source : source
        helpers = RuntimeHelper.script(for: translation.helpers)
        map = translation.isChanged ? translation.map : nil
        remarks = []
        var last: RhinoFinding?
        translations = translation.findings.compactMap { finding in
            // E4X makes several of one line.
            defer { last = finding }
            if let last, last.construct == finding.construct, last.position.line == finding.position.line { return nil }
            return ProjectProblem(
                .note, file: file, line: finding.position.line, column: finding.position.column,
                "only Rhino knew this, so it is translated when the script is loaded; \(finding.message)")
        }
    }
}

/// Why a script cannot be run: one problem or more.
struct ScriptRefused: Error {
    let problems: [ProjectProblem]
}
