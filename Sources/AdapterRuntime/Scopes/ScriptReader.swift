import JavaScriptEngine
import WorklightProject

/// What a script says of itself at its top level.
struct ScriptDeclarations: Sendable {
    let eventSources: [EventSourceDeclaration]
    /// The kinds of events that it handles.
    let handledEvents: Set<EventHandler.Kind>
    let warnings: [ProjectProblem]

    /// Of a script that has not been read yet.
    static let none = ScriptDeclarations(eventSources: [], handledEvents: [], warnings: [])
}

/// Runs the adapters' scripts once, to learn what they declare and whether they can be loaded at all. The scopes are given
/// up with the reader: those in which calls run are loaded when somebody calls.
struct ScriptReader {
    private let machine: VirtualMachine
    private let count = ScopeCount()

    /// - Throws: `EngineStartError`.
    init() throws(EngineStartError) {
        machine = try VirtualMachine.start(name: "js-reader")
    }

    /// What the engine will be given for each adapter's script, or why it will not.
    func prepare(
        _ adapters: [Project.Adapter], counting: Bool
    ) async throws -> [Result<AdapterScript, ScriptRefused>] {
        try await machine.prepare(adapters, counting: counting)
    }

    /// Runs the script's top level, which may call procedures of these adapters; the one that is read should be among them.
    ///
    /// - Throws: ``ProjectProblem``.
    func read(_ adapter: AdapterCommon, among adapters: AdapterSet) async throws(ProjectProblem) -> ScriptDeclarations {
        do {
            return try await run(adapter, among: adapters)
        } catch let problem as ProjectProblem {
            throw problem
        } catch {
            throw ProjectProblem(.error, file: adapter.descriptor.scriptPath, "\(error)")
        }
    }

    private func run(_ adapter: AdapterCommon, among adapters: AdapterSet) async throws -> ScriptDeclarations {
        try await machine.run { [count] machine in
            let family = ScopeFamily(in: machine.contexts, for: nil, count: count)
            defer { family.close() }
            family.begin(RunningCall(), among: adapters)
            let scope = try family.scope(of: adapter)
            return ScriptDeclarations(
                eventSources: scope.eventSources.values.map(\.declaration).sorted { $0.id < $1.id },
                handledEvents: Set(scope.eventHandlers.map(\.kind)),
                warnings: try scope.call("(loading)", limits: adapter.settings.loading) {
                    try scope.warningsAfterLoading()
                })
        }
    }
}

extension AdapterScope {
    /// What deserves a word once the script is loaded: functions that are named and do not exist.
    fileprivate func warningsAfterLoading() throws -> [ProjectProblem] {
        var warnings: [ProjectProblem] = []
        for (source, callback, name) in try unresolvedCallbacks() {
            warnings.append(
                ProjectProblem(
                    .warning, file: adapter.descriptor.scriptPath,
                    "event source '\(source)': \(callback.rawValue) names '\(name)', but there is no such function; it "
                        + "works as if \(callback.rawValue) were not given"))
        }
        for procedure in adapter.descriptor.procedures where try function(named: procedure.name) == nil {
            warnings.append(
                ProjectProblem(
                    .warning, file: adapter.descriptor.path, line: procedure.line,
                    "procedure '\(procedure.name)' is declared, but \(adapter.descriptor.scriptPath) has no function of "
                        + "that name; calling it fails"))
        }
        return warnings
    }
}
