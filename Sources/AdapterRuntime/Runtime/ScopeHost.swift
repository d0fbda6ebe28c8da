import JavaScriptEngine
import Synchronization
import WorklightProject

/// One scope of an adapter together with the virtual machine it lives in, for use from outside.
final class ScopeHost: Sendable {
    private let machine: VirtualMachine
    private let scope: ContextID
    private let exhausted = Atomic(false)

    /// Whether what the script holds on to is more than its heap may have: it will not get better.
    var isExhausted: Bool { exhausted.load(ordering: .relaxed) }

    private init(machine: VirtualMachine, scope: ContextID) {
        self.machine = machine
        self.scope = scope
    }

    /// Makes a machine with a scope and loads the adapter into it.
    ///
    /// - Returns: the host, and what the script declared.
    /// - Throws: ``ProjectProblem``, `EngineStartError`.
    static func load(
        _ adapter: AdapterCommon, threadName: String
    ) async throws -> (host: ScopeHost, loaded: LoadedScript) {
        let machine = try VirtualMachine.start(name: threadName)
        let script = try await machine.run { machine in try Self.load(adapter, into: machine) }
        return (ScopeHost(machine: machine, scope: script.scope), script)
    }

    private static func load(
        _ adapter: AdapterCommon, into machine: isolated VirtualMachine
    ) throws -> LoadedScript {
        let context = try machine.makeContext(name: adapter.name)
        let scope = AdapterScope(adapter: adapter, context: context)
        context.owner = scope
        try scope.load(limits: adapter.settings.loading)
        return LoadedScript(
            scope: context.id,
            eventSources: scope.eventSources.values.map(\.declaration).sorted { $0.id < $1.id },
            warnings: try scope.warningsAfterLoading())
    }

    /// Runs `body` on the scope's thread. Nothing in it is limited but what it puts into a call.
    func run<Result: Sendable>(_ body: @Sendable (AdapterScope) throws -> Result) async throws -> Result {
        try await machine.run { [self] machine in
            guard let owner = machine.context(scope)?.owner as? AdapterScope else { throw ScopeGoneError() }
            defer { if owner.isExhausted { exhausted.store(true, ordering: .relaxed) } }
            return try body(owner)
        }
    }

    /// Ends the running call, if any.
    func interrupt(reason: String) {
        machine.interrupt(reason: reason)
    }
}

/// What a script said of itself at its top level.
struct LoadedScript: Sendable {
    let scope: ContextID
    let eventSources: [EventSourceDeclaration]
    let warnings: [ProjectProblem]
}

/// The scope was closed while a call was on its way there.
struct ScopeGoneError: Error, CustomStringConvertible {
    let description = "the adapter's scope has been closed; call again"
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
