import JavaScriptEngine
import Synchronization
import WorklightProject

/// The declarations that the top level of a script makes.
struct ScriptDeclarations: Sendable {
    let eventSources: [EventSourceDeclaration]
    /// The kinds of events that it handles.
    let handledEvents: Set<EventHandler.Kind>
    /// The named functions that the script defines.
    let functions: Set<NamedFunction>
    let missing: [MissingFunction]
    /// The names of the parameters of the procedures that the script defines.
    let parameterNames: [String: [String]]

    var warnings: [ProjectError] { missing.map(\.warning) }

    /// The declarations of a script that has not been read yet.
    static let none = ScriptDeclarations(
        eventSources: [], handledEvents: [], functions: [], missing: [], parameterNames: [:])
}

/// Runs the adapters' scripts once, to find their declarations and whether they can be loaded. The scopes end with the reader;
/// scopes for calls are loaded at the first call.
struct ScriptReader {
    fileprivate let machine: VirtualMachine
    /// Those at work, which this one is among.
    private let readers: ActiveScriptReaders
    private let count = ScopeCounter()
    fileprivate var id: ObjectIdentifier { ObjectIdentifier(machine) }

    fileprivate init(on machine: VirtualMachine, among readers: ActiveScriptReaders) {
        self.machine = machine
        self.readers = readers
    }

    /// Returns the engine's input for each adapter's script, or why the script is refused.
    func prepare(
        _ adapters: [Project.Adapter], counting: Bool
    ) async throws -> [Result<AdapterScript, ScriptLoadingError>] {
        try await machine.prepare(adapters, counting: counting)
    }

    /// Runs the script's top level, which may call procedures of these adapters; the one that is read should be among them.
    ///
    /// - Throws: ``ProjectError``.
    func read(_ adapter: AdapterVersion, among adapters: AdapterSet) async throws(ProjectError) -> ScriptDeclarations {
        do {
            return try await run(adapter, among: adapters)
        } catch let problem as ProjectError {
            throw problem
        } catch {
            throw ProjectError(.error, file: adapter.descriptor.scriptPath, "\(error)")
        }
    }

    private func run(_ adapter: AdapterVersion, among adapters: AdapterSet) async throws -> ScriptDeclarations {
        try await machine.run { [count, readers, id] machine in
            guard !readers.areStopped else { throw ServerStoppingError() }
            if let reason = readers.reasonToDrop(id) {
                throw ProjectError(.error, file: adapter.descriptor.scriptPath, "not loaded: \(reason)")
            }
            let table = try machine.attachment as? ScopeTable ?? ScopeTable(in: machine.contexts, count: count)
            machine.attachment = table
            defer { table.closeShared() }
            return try table.run(RunningCall(adapters: adapters), of: adapter) { scope in
                let (defined, missing, names) = try scope.call(CallLabel.loading, limits: adapter.settings.loading) {
                    let (defined, missing) = try scope.namedFunctions()
                    return (defined, missing, try scope.parameterNames())
                }
                return ScriptDeclarations(
                    eventSources: scope.eventSources.values.map(\.declaration).sorted { $0.id < $1.id },
                    handledEvents: Set(scope.eventHandlers.map(\.kind)), functions: defined, missing: missing,
                    parameterNames: names)
            }
        }
    }
}

/// The readers that are at work: a script may take as long as it likes at its top level, and its server may stop, or a newer
/// version of it come.
final class ActiveScriptReaders: Sendable {
    private struct Work {
        let machine: VirtualMachine
        /// The only one that is read; `nil` for one that reads many.
        let adapter: String?
        /// The reason why the result is no longer needed; `nil` while it is.
        var reasonToDrop: String?
    }

    private struct State {
        var work: [ObjectIdentifier: Work] = [:]
        var areStopped = false
    }

    private let state = Mutex(State())

    fileprivate var areStopped: Bool { state.withLock { $0.areStopped } }

    fileprivate func reasonToDrop(_ reader: ObjectIdentifier) -> String? {
        state.withLock { $0.work[reader]?.reasonToDrop }
    }

    /// Returns a reader, which the caller must pass to ``end(_:)``.
    ///
    /// - Parameter adapter: the one that it is for, if there is only one.
    /// - Throws: `EngineStartError`, ``ServerStoppingError``.
    func begin(for adapter: String? = nil) throws -> ScriptReader {
        let machine = try VirtualMachine.start(name: "js-reader")
        let reader = ScriptReader(on: machine, among: self)
        try state.withLock { state in
            guard !state.areStopped else { throw ServerStoppingError() }
            state.work[reader.id] = Work(machine: machine, adapter: adapter)
        }
        return reader
    }

    func end(_ reader: ScriptReader) {
        state.withLock { $0.work[reader.id] = nil }
    }

    /// Ends the script of an adapter, if it is being read alone.
    func drop(_ adapter: String, reason: String) {
        let machines = state.withLock { state in
            for (id, work) in state.work where work.adapter == adapter { state.work[id]?.reasonToDrop = reason }
            return state.work.values.filter { $0.adapter == adapter }.map(\.machine)
        }
        for machine in machines { machine.interrupt(reason: reason) }
    }

    /// Ends the scripts that run, and has no other read.
    func stop(reason: String) {
        let machines = state.withLock { state in
            state.areStopped = true
            return state.work.values.map(\.machine)
        }
        for machine in machines { machine.interrupt(reason: reason) }
    }
}
