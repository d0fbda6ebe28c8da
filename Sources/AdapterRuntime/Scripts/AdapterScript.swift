import AdapterSyntax
import JavaScriptEngine
import WorklightProject

/// An adapter's script as the engine runs it, made once and shared by all its scopes.
struct AdapterScript: Sendable {
    let file: String
    /// The source that is evaluated: byte for byte the author's where nothing had to be translated.
    let source: String
    /// A script that has to run in the scope before; empty for most.
    let helpers: String
    /// True if ``source`` calls the function of `ThrowMark`.
    let marksThrows: Bool
    /// True if the scope needs the features of Rhino's built-in objects.
    let usesRhinoLibrary: Bool
    /// Which parts of it can be counted, when ``source`` has counters.
    let coverage: CoveragePoints?
    /// The maps from positions in ``source`` to the author's, one after the other; none if they are the same.
    let maps: [SourceMap]
    /// The notes for the author whenever the script is loaded.
    let remarks: [ProjectError]
    /// The translations, each with its fix.
    let translations: [ProjectError]
    /// The globals that calls assign before they read them; see `SyntaxTree.temporaries(entryPoints:)`.
    let temporaries: [String]
    /// The names that the script declares by `let`, `const` and `class` at its top level.
    let lexicalNames: [String]
    /// The globals of the language that the script does not name.
    let hiddenGlobals: [String]
    /// The position because of which a scope cannot be compared with its image; `nil` if the source has none.
    let obstacle: ScriptState?
    /// The lines that declare or first assign the names of the top level.
    let globalLines: [String: Int]

    /// The file name of ``helpers`` in errors.
    static let helperFile = "lamplighter:rhino"

    /// True if positions in its errors differ from the author's.
    var isTranslated: Bool { !maps.isEmpty || !helpers.isEmpty }

    /// A script that the engine reads and Lamplighter's parser does not. It runs as it is, in scopes that are never shared.
    init(untouched source: String, file: String, stoppedAt position: SourcePosition, remarks: [ProjectError]) {
        self.file = file
        self.source = source
        helpers = ""
        marksThrows = false
        usesRhinoLibrary = Self.usesRhinoLibrary(source)
        coverage = nil
        maps = []
        self.remarks = remarks
        translations = []
        temporaries = []
        lexicalNames = []
        hiddenGlobals = []
        obstacle = ScriptState(position: position, description: "Lamplighter's parser cannot read the script from here")
        globalLines = [:]
    }

    /// - Parameters:
    ///   - counters: the translated script with counters in it, if somebody wants to know what is run.
    ///   - captures: the translated script, with counters if there are any, as it exports the variables that closures capture; `nil` when it cannot
    ///     be read again.
    ///   - optionalGlobals: the globals of the language that scripts need not have.
    init(
        _ translation: Translation, of tree: SyntaxTree, entryPoints: Set<String>, file: String,
        counters: InstrumentedScript?,
        captures: CapturedVariables?, optionalGlobals: [String]
    ) {
        let source = tree.source.text
        self.file = file
        let translated = counters?.source ?? (translation.isChanged ? translation.source : source)
        self.source = captures?.source ?? translated
        temporaries = tree.temporaries(entryPoints: entryPoints)
        lexicalNames = captures?.lexicalNames ?? []
        globalLines = tree.globalLines
        let begin = SourcePosition(line: 1, column: 1)
        obstacle =
            if let captures {
                captures.obstacle.map { found in
                    let maps = (counters.map { [$0.map] } ?? []) + (translation.isChanged ? [translation.map] : [])
                    return ScriptState(
                        position: maps.reduce(found.position) { $1.original($0) }, description: found.description)
                }
            } else {
                ScriptState(position: begin, description: "Lamplighter's parser cannot read the translated script")
            }
        let helpers = RuntimeHelper.script(for: translation.helpers)
        self.helpers = helpers
        hiddenGlobals = (optionalGlobals + JavaLibrary.roots).filter { !source.contains($0) && !helpers.contains($0) }
        marksThrows = translation.marksThrows
        usesRhinoLibrary = Self.usesRhinoLibrary(source)
        coverage = counters.map {
            translation.isChanged ? $0.points.mappingPositions(translation.map.original) : $0.points
        }
        maps =
            (captures.map { $0.isChanged ? [$0.map] : [] } ?? []) + (counters.map { [$0.map] } ?? [])
            + (translation.isChanged ? [translation.map] : [])
        remarks = []
        var last: RhinoFinding?
        translations = translation.findings.compactMap { finding in
            // E4X makes several of one line.
            defer { last = finding }
            if let last, last.construct == finding.construct, last.position.line == finding.position.line { return nil }
            let remark =
                switch finding.construct {
                case .javaAdapter: "the script is loaded, and the call that reaches this fails"
                case .javaImport: "the script is loaded, and calling an imported class fails"
                default: "Rhino-only syntax, which Lamplighter translates when it loads the script"
                }
            return ProjectError(
                .note, file: file, line: finding.position.line, column: finding.position.column,
                "\(remark); \(finding.message)")
        }
    }
}

/// The problems, one or more, because of which a script cannot be run.
struct ScriptLoadingError: Error {
    let problems: [ProjectError]
}
