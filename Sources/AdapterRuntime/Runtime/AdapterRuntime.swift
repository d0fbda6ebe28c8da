import JavaScriptEngine
import Logging
public import PushModel
public import WorklightProject

/// Runs a project's adapters.
///
/// Adapters are loaded each for itself: one that is broken is reported and left out, the others work.
public final class AdapterRuntime: Sendable {
    let services: RuntimeServices
    private let project: Project
    private let settings: RuntimeSettings
    private let directory = AdapterDirectory()
    private let pool: ScopePool

    public init(project: Project, services: RuntimeServices, settings: RuntimeSettings = RuntimeSettings()) {
        self.project = project
        self.services = services
        self.settings = settings
        pool = ScopePool(settings: settings, time: services.time, logger: services.logger)
    }

    deinit {
        directory.closeBackEnds()
        directory.removeAll()
        pool.removeAll()
    }

    /// Loads every adapter of the project.
    ///
    /// - Returns: what is wrong with them, the project's own problems among it.
    public func load() async -> [ProjectProblem] {
        var problems = project.problems
        do {
            let reader = try ScriptReader()
            // All are known before the first is read: a script may call another one's procedures at its top level.
            let commons = try await prepare(with: reader, &problems)
            for common in commons { directory[common.name] = LoadedAdapter(common: common, declarations: .none) }
            for common in commons {
                do {
                    let script = try await reader.read(common)
                    directory[common.name] = LoadedAdapter(common: common, declarations: script)
                    problems += script.warnings
                    continue
                } catch let problem as ProjectProblem {
                    problems.append(problem)
                } catch {
                    problems.append(ProjectProblem(.error, file: common.descriptor.scriptPath, "\(error)"))
                }
                directory[common.name] = nil
                common.backEnds.close()
            }
        } catch {
            problems.append(ProjectProblem(.error, file: "adapters", "no adapter can be loaded: \(error)"))
        }
        return problems
    }

    /// Reads and translates the scripts. Those that cannot be run are told, and left out.
    private func prepare(
        with reader: ScriptReader, _ problems: inout [ProjectProblem]
    ) async throws -> [AdapterCommon] {
        var scripts: [(descriptor: AdapterDescriptor, script: AdapterScript)] = []
        let prepared = try await reader.prepare(project.adapters, counting: services.coverage != nil)
        for (adapter, prepared) in zip(project.adapters, prepared) {
            switch prepared {
            case .success(let script):
                problems += script.remarks
                scripts.append((adapter.descriptor, script))
            case .failure(let refused):
                problems += refused.problems
            }
        }
        let translated = TranslatedScripts(scripts.map(\.script))
        return scripts.map { descriptor, script in
            AdapterCommon(
                descriptor: descriptor, script: script, of: project, services: services, settings: settings,
                directory: directory, pool: pool, translatedScripts: translated)
        }
    }

    /// The names of the adapters that are loaded, sorted.
    public var adapterNames: [String] { directory.names }

    /// The event sources of all loaded adapters, sorted.
    public var eventSources: [EventSourceDeclaration] { directory.eventSources }

    /// The scopes and machines in use.
    public var scopes: ScopeStatus { pool.status }

    /// Calls a procedure. It never throws: whatever goes wrong is in the answer, as clients expect it (server-api 4).
    ///
    /// - Parameter parameters: a JSON array of the arguments, or one of the spellings in ``ParameterList``.
    public func invoke(
        adapter: String, procedure: String, parameters: String, caller: Caller = Caller()
    ) async -> ProcedureResult {
        do {
            let loaded = try directory.adapter(named: adapter)
            let descriptor = try loaded.procedure(named: procedure)
            return await loaded.invoke(descriptor, parameters: ParameterList(parameters), caller: caller)
        } catch {
            return .failure(of: error)
        }
    }

    /// Calls a function of an adapter that the project's own files name, such as a realm's `login-function`. It need not be
    /// a declared procedure; so the name must never be a client's.
    public func call(
        function: String, adapter: String, parameters: String, caller: Caller
    ) async -> ProcedureResult {
        do {
            let loaded = try directory.adapter(named: adapter)
            return await loaded.invoke(
                loaded.configured(function), parameters: ParameterList(parameters), caller: caller)
        } catch {
            return .failure(of: error)
        }
    }

    /// What an expression gives in an adapter's scope, as JSON; `nil` for what JSON has no word for.
    ///
    /// - Throws: `UnknownNameError`, `ScriptException`, `LimitExceeded`.
    public func evaluate(
        _ expression: String, adapter: String, file: String = "expression", caller: Caller = Caller()
    ) async throws -> String? {
        let loaded = try directory.adapter(named: adapter)
        return try await loaded.run(for: caller) { scope in
            try scope.call("(expression)", limits: scope.adapter.settings.calls) {
                try scope.context.evaluate(expression, file: file).json()
            }
        }
    }

    /// Drops the variables that adapters keep for a session, once the calls it has made have been answered.
    public func endSession(id: String) async {
        await pool.forget(.session(id))
    }

    /// Runs an event source's poll once. A poll scheduler decides when.
    ///
    /// - Throws: ``PollFailure`` with the JavaScript stack, ``UnknownNameError``, ``ProjectProblem``.
    public func poll(_ source: EventSourceID) async throws {
        try await directory.adapter(named: source.adapter).poll(source.name)
    }

    /// Ends every running call and refuses all others, for a server that stops and has waited long enough.
    public func interrupt(reason: String) {
        pool.stop(reason: reason)
    }

    /// For tests of what becomes of the machines.
    var anyMachine: VirtualMachine? { pool.anyMachine }

    func adapter(named name: String) -> LoadedAdapter? { directory[name] }

    /// Closes the connections to back ends. Blocks until that is done; not for event loops. The next call opens new ones.
    public func closeBackEnds() {
        directory.closeBackEnds()
    }

    /// The adapters that handle events of that kind, sorted by name.
    func adaptersWithHandlers(for kind: EventHandler.Kind) -> [LoadedAdapter] {
        directory.names.compactMap { directory[$0] }.filter { $0.declarations.handledEvents.contains(kind) }
    }

    /// The declaration of an event source; `nil` when no adapter declares it.
    public func eventSource(_ id: EventSourceID) -> EventSourceDeclaration? { directory.eventSource(id) }

    /// What to say of an event source that no adapter declares.
    public func unknown(_ source: EventSourceID) -> UnknownNameError {
        UnknownNameError(
            kind: "event source", name: source.description, known: eventSources.map(\.id.description))
    }

    /// The declaration of an event source.
    ///
    /// - Throws: ``UnknownNameError``.
    func declaration(of source: EventSourceID) throws(UnknownNameError) -> EventSourceDeclaration {
        if let declaration = directory.eventSource(source) { return declaration }
        throw unknown(source)
    }
}
