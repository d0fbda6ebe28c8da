import JavaScriptEngine
import Synchronization
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
    fileprivate let machine: VirtualMachine
    /// Those at work, which this one is among.
    private let readers: ScriptReaders
    private let count = ScopeCount()

    fileprivate init(on machine: VirtualMachine, among readers: ScriptReaders) {
        self.machine = machine
        self.readers = readers
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
        try await machine.run { [count, readers] machine in
            guard !readers.areStopped else { throw ServerStoppingError() }
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

/// The readers that are at work, for a server that stops: a script may take as long as it likes at its top level.
final class ScriptReaders: Sendable {
    private struct State {
        var machines: [ObjectIdentifier: VirtualMachine] = [:]
        var areStopped = false
    }

    private let state = Mutex(State())

    fileprivate var areStopped: Bool { state.withLock { $0.areStopped } }

    /// A reader, to be given back with ``end(_:)``.
    ///
    /// - Throws: `EngineStartError`, ``ServerStoppingError``.
    func begin() throws -> ScriptReader {
        let machine = try VirtualMachine.start(name: "js-reader")
        try state.withLock { state in
            guard !state.areStopped else { throw ServerStoppingError() }
            state.machines[ObjectIdentifier(machine)] = machine
        }
        return ScriptReader(on: machine, among: self)
    }

    func end(_ reader: ScriptReader) {
        state.withLock { $0.machines[ObjectIdentifier(reader.machine)] = nil }
    }

    /// Ends the scripts that run, and has no other read.
    func stop(reason: String) {
        let machines = state.withLock { state in
            state.areStopped = true
            return Array(state.machines.values)
        }
        for machine in machines { machine.interrupt(reason: reason) }
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
