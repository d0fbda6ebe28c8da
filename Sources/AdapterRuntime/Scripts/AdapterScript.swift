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
    /// Which parts of it can be counted, when ``source`` has counters.
    let coverage: CoveragePoints?
    /// The maps from positions in ``source`` to the author's, one after the other; none if they are the same.
    private(set) var maps: [SourceMap]
    /// The script as the body of a function; `nil` if the parser or the engine does not read it.
    let function: ScopeFunction?
    /// The script as the body of a function, with twins of the functions that wait for a back end; `nil` if there are none.
    let twinned: TwinnedFunction?
    /// The calls of back ends for which the thread has to wait, since they are in no function that has a twin.
    let blocking: [ScriptState]
    /// The adapters whose procedures it calls.
    let links: ProcedureLinks
    /// The reason why each of its scopes needs its own realm, with the position in the author's source.
    let ownRealm: ScriptState?
    /// The notes for the author whenever the script is loaded.
    let remarks: [ProjectError]
    /// The translations, each with its fix.
    let translations: [ProjectError]

    /// The file name of ``helpers`` in errors.
    static let helperFile = "lamplighter:rhino"

    /// True if positions in its errors differ from the author's.
    var isTranslated: Bool { !maps.isEmpty || !helpers.isEmpty }

    /// A script that the engine reads and Lamplighter's parser does not. It runs as it is.
    init(untouched source: String, file: String, stoppedAt position: SourcePosition, remarks: [ProjectError]) {
        self.file = file
        self.source = source
        helpers = ""
        marksThrows = false
        coverage = nil
        maps = []
        function = nil
        twinned = nil
        blocking = []
        links = .any
        ownRealm = ScriptState(position: position, description: "Lamplighter's parser cannot read the script from here")
        self.remarks = remarks
        translations = []
    }

    /// - Parameters:
    ///   - counters: the translated script with counters in it, if somebody wants to know what is run.
    ///   - function: makes the translated script, with counters if there are any, the body of a function; returns `nil` if the engine refuses
    ///     the result.
    ///   - twinned: makes the same script the body of a function with twins.
    init(
        _ translation: Translation, of tree: SyntaxTree, file: String, counters: InstrumentedScript?,
        function: (String) -> ScopeFunction?, twinned: (String) -> (TwinnedFunction?, blocking: [ScriptState])
    ) {
        let source = tree.source.text
        self.file = file
        self.source = counters?.source ?? (translation.isChanged ? translation.source : source)
        let helpers = RuntimeHelper.script(for: translation.helpers)
        self.helpers = helpers
        marksThrows = translation.marksThrows
        coverage = counters.map {
            translation.isChanged ? $0.points.mappingPositions(translation.map.original) : $0.points
        }
        let maps = (counters.map { [$0.map] } ?? []) + (translation.isChanged ? [translation.map] : [])
        self.maps = maps
        let made = function(self.source)
        let obstacle =
            made == nil
            ? ScriptState(
                position: SourcePosition(line: 1, column: 1),
                description: "the engine does not read the script as the body of a function")
            : made?.obstacle.map { found in
                ScriptState(
                    position: maps.reduce(found.position) { $1.original($0) }, description: found.description)
            }
        ownRealm = obstacle
        self.function = made
        let twins = obstacle == nil ? twinned(self.source) : (nil, blocking: [])
        self.twinned = twins.0
        blocking = twins.blocking.map { found in
            ScriptState(position: maps.reduce(found.position) { $1.original($0) }, description: found.description)
        }
        links = ProcedureLinks(tree, ScriptFacts(tree))
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

/// A script as the body of a function, in which functions that wait for a back end have twins.
struct TwinnedFunction: Sendable {
    let function: ScopeFunction
    /// The names of the functions that have a twin.
    let names: Set<String>
    /// The map from positions in the script with twins to those in the script.
    let map: SourceMap
}

extension AdapterScript {
    /// The script as a scope of a shared realm runs it, with the maps of that form; `nil` if it cannot run there.
    ///
    /// - Parameter withTwins: whether functions that wait for a back end have twins.
    func asFunction(withTwins: Bool) -> (script: AdapterScript, function: ScopeFunction)? {
        var script = self
        if withTwins, let twinned {
            script.maps = [twinned.function.map, twinned.map] + maps
            return (script, twinned.function)
        }
        guard let function else { return nil }
        script.maps = [function.map] + maps
        return (script, function)
    }
}

/// The problems, one or more, because of which a script cannot be run.
struct ScriptLoadingError: Error {
    let problems: [ProjectError]
}
