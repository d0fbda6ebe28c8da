import BackEndHTTP
public import Core
import JavaScriptEngine
import Logging
public import PushModel
import Synchronization
import Tracing
public import WorklightProject

/// Runs a project's adapters.
///
/// Each adapter is loaded separately: a broken one is reported and left out, the others work.
public final class AdapterRuntime: Sendable {
    let services: RuntimeServices
    let settings: RuntimeSettings
    let directory = AdapterDirectory()
    let pool: VirtualMachinePool
    let readers = ActiveScriptReaders()
    let runningChanges = RunningSubscriptionChanges()
    let log: LogLimiter
    /// The adapters that owe callbacks and are not loaded, as last logged.
    let orphanedAdapters = Mutex<Set<String>>([])
    let state: Mutex<DeployedProject>

    private let allCalls = Atomic(0)
    private let failedCalls = Atomic(0)

    public init(project: Project, services: RuntimeServices, settings: RuntimeSettings = RuntimeSettings()) {
        state = Mutex(DeployedProject(project: project))
        self.services = services
        self.settings = settings
        log = LogLimiter(logger: services.logger, time: services.time)
        pool = VirtualMachinePool(
            settings: settings, time: services.time, logger: services.logger, guards: services.metrics.guards)
        VirtualMachine.attend(to: TransferLoop.shared)
    }

    deinit {
        directory.closeBackEnds()
        directory.removeAll()
        pool.removeAll()
    }

    /// The numbers of calls of procedures since the start, and of those that failed.
    public var calls: (all: Int, failed: Int) {
        (allCalls.load(ordering: .relaxed), failedCalls.load(ordering: .relaxed))
    }

    /// Loads every adapter of the project, as another runtime of the same project has read it. Nothing is run.
    ///
    /// - Returns: what is wrong with them, the project's own problems among it.
    @discardableResult
    public func load(asReadBefore read: ScriptReadings) -> [ProjectError] {
        let project = state.withLock { state in
            state.scriptProblems = read.problems
            return state.project
        }
        for adapter in project.adapters + project.realmScripts {
            guard let known = read.adapters[adapter.descriptor.name] else { continue }
            let common = makeCommon(adapter.descriptor, known.script, of: project)
            directory.replace(common.name, by: LoadedAdapter(common: common, declarations: known.declarations))
        }
        return problems
    }

    /// The results of reading the scripts, for other runtimes of the same project.
    public var readScripts: ScriptReadings {
        var adapters: [String: ScriptReadings.Adapter] = [:]
        for adapter in directory.current.all {
            adapters[adapter.common.name] = .init(script: adapter.common.script, declarations: adapter.declarations)
        }
        return ScriptReadings(adapters: adapters, problems: state.withLock { $0.scriptProblems })
    }

    /// Loads every adapter of the project.
    ///
    /// - Returns: what is wrong with them, the project's own problems among it.
    @discardableResult
    public func load() async -> [ProjectError] {
        let project = state.withLock { $0.project }
        do {
            let reader = try readers.begin()
            defer { readers.end(reader) }
            // All are known before the first is read: a script may call another one's procedures at its top level.
            let commons = try await prepare(project, with: reader)
            for common in commons {
                directory.replace(common.name, by: LoadedAdapter(common: common, declarations: .none))
            }
            for common in commons {
                do throws(ProjectError) {
                    let declarations = try await reader.read(common, among: directory.current)
                    directory.replace(common.name, by: LoadedAdapter(common: common, declarations: declarations))
                    note(declarations.warnings, of: common.name)
                } catch {
                    note([error], of: common.name)
                    directory.replace(common.name, by: nil)
                }
            }
        } catch {
            note([ProjectError(.error, file: "adapters", "no adapter can be loaded: \(error)")], of: "")
        }
        return problems
    }

    /// The problems of the project, in the versions of its adapters that are deployed.
    public var problems: [ProjectError] { state.withLock { $0.problems } }

    private func note(_ problems: [ProjectError], of adapter: String) {
        state.withLock { $0.scriptProblems[adapter, default: []] += problems }
    }

    /// Reads and translates the scripts. Those that cannot be run are reported, and left out.
    private func prepare(_ project: Project, with reader: ScriptReader) async throws -> [AdapterVersion] {
        let adapters = project.adapters + project.realmScripts
        let prepared = try await reader.prepare(adapters, counting: services.coverage != nil)
        return zip(adapters, prepared).compactMap { adapter, prepared in
            switch prepared {
            case .success(let script):
                let problem = services.standIns == nil ? project.dataSourceProblem(of: adapter.descriptor) : nil
                note(script.remarks + [problem].compactMap(\.self), of: adapter.descriptor.name)
                return makeCommon(adapter.descriptor, script, of: project)
            case .failure(let refused):
                note(refused.problems, of: adapter.descriptor.name)
                return nil
            }
        }
    }

    func makeCommon(_ descriptor: AdapterDescriptor, _ script: AdapterScript, of project: Project) -> AdapterVersion {
        AdapterVersion(
            descriptor: descriptor, script: script, of: project, services: services, settings: settings,
            directory: directory, pool: pool)
    }

    /// The names of the adapters that are loaded, sorted.
    public var adapterNames: [String] { directory.names }

    /// The event sources of all loaded adapters, sorted.
    public var eventSources: [EventSourceDeclaration] { directory.eventSources }

    /// The most connections that the loaded adapters keep to back ends and databases.
    public var backEndConnections: Int {
        adapterNames.reduce(0) { sum, name in
            let connectivity = directory[name]?.common.descriptor.connectivity
            return sum + (connectivity?.http?.maxConcurrentConnections ?? 0)
                + (connectivity?.sql?.maxConcurrentConnections ?? 0)
        }
    }

    /// The scopes and machines in use.
    public var scopes: ScopeStatus { pool.status }

    /// True if a procedure's back end authenticates end users (`connectAs="endUser"`), for whom a login's password must be kept.
    public var authenticatesEndUsers: Bool {
        directory.current.all.contains { adapter in
            let descriptor = adapter.common.descriptor
            return descriptor.connectivity.http?.authentication != nil
                && descriptor.procedures.contains { $0.connectAs == .endUser }
        }
    }

    /// Returns the test that guards a procedure now; `nil` when none does, or there is no such procedure.
    public func securityTest(ofProcedure procedure: String, adapter: String) -> String? {
        directory[adapter]?.common.procedures[procedure]?.descriptor.securityTest
    }

    /// Calls a procedure for a caller that may call every procedure. It never throws: an error is in the result, as
    /// clients expect it (server-api 4).
    ///
    /// - Parameter parameters: a JSON array of the arguments, or one of the spellings in ``ParameterList``.
    public func invoke(
        adapter: String, procedure: String, parameters: String, caller: Caller = Caller()
    ) async -> ProcedureResult {
        do throws(StalePermitError) {
            return try await invoke(
                adapter: adapter, procedure: procedure, parameters: parameters, caller: caller, permit: .unconditional)
        } catch {
            return .failure(of: error, settings, services.logger)
        }
    }

    /// Calls a procedure for a caller who had passed its security test when `permit` was made.
    ///
    /// - Throws: ``StalePermitError`` and nothing else, as ``invoke(adapter:procedure:parameters:caller:)``.
    public func invoke(
        adapter: String, procedure: String, parameters: String, caller: Caller, permit: CallPermit
    ) async throws(StalePermitError) -> ProcedureResult {
        let (loaded, descriptor): (LoadedAdapter, LoadedProcedure)
        do throws(UnknownNameError) {
            loaded = try self.adapter(named: adapter)
            descriptor = try loaded.common.procedure(named: procedure)
        } catch {
            return .failure(of: error, settings, services.logger)
        }
        let start = services.time.uptime
        var caller = caller
        let span = services.tracer?.span("call \(adapter)/\(procedure)", in: caller.trace)
        caller.trace = span?.context
        let result: ProcedureResult
        do throws(StalePermitError) {
            result = try await loaded.invoke(
                procedure, declared: descriptor, parameters: parameters, caller: caller, permit: permit)
        } catch {
            span?.end(failure: "outdated_permit")
            throw error
        }
        span?.end(failure: result.outcome == .ok ? nil : result.outcome.rawValue)
        descriptor.metrics?.record(result.outcome, took: services.time.uptime - start)
        allCalls.add(1, ordering: .relaxed)
        if !result.isSuccessful { failedCalls.add(1, ordering: .relaxed) }
        return result
    }

    /// Calls a function of an adapter that the project's own files name, such as a realm's `login-function`. It need not be
    /// a declared procedure; so the name must never be a client's.
    public func call(
        function: String, adapter: String, parameters: String, caller: Caller
    ) async -> ProcedureResult {
        do {
            let loaded = try self.adapter(named: adapter)
            var caller = caller
            let span = services.tracer?.span("call \(adapter)/\(function)", in: caller.trace)
            caller.trace = span?.context
            let result = try await loaded.invoke(
                function, declared: nil, parameters: parameters, caller: caller, permit: .unconditional)
            span?.end(failure: result.outcome == .ok ? nil : result.outcome.rawValue)
            return result
        } catch {
            return .failure(of: error, settings, services.logger)
        }
    }

    /// Calls a function of the script of an authenticator or a login module, in the session's own scope of that script.
    ///
    /// - Parameters:
    ///   - script: ``AuthenticationConfiguration/scriptName(ofClass:realm:)``.
    ///   - call: the argument of `lamplighterRealm` in the realm library.
    /// - Returns: the function's result; `nil` when the script threw, met a limit or is not loaded, which is logged.
    public func callRealmScript(_ script: String, _ call: JSONObject, caller: Caller) async -> JSONObject? {
        try? await realmScriptResult(script, call, caller: caller).get()
    }

    /// Calls a function as ``callRealmScript(_:_:caller:)`` does, but returns the reason of a failure, for tools.
    package func realmScriptResult(
        _ script: String, _ call: JSONObject, caller: Caller
    ) async -> Result<JSONObject, RealmScriptError> {
        let result = await self.call(
            function: RealmScriptLibrary.entry, adapter: script, parameters: JSONValue.array([.object(call)]).text,
            caller: caller)
        guard result.isSuccessful, let object = (try? JSONValue(parsing: result.json))?["realm"]?.object else {
            return .failure(RealmScriptError(description: result.trouble ?? result.json))
        }
        return .success(object)
    }

    /// Returns the value of an expression in an adapter's scope, as JSON; `nil` for a value that JSON cannot express.
    ///
    /// - Throws: `UnknownNameError`, `ScriptError`, `LimitExceededError`.
    public func evaluate(
        _ expression: String, adapter: String, file: String = "expression", caller: Caller = Caller()
    ) async throws -> String? {
        let loaded = try self.adapter(named: adapter)
        return try await loaded.run(for: caller) { scope in
            return try scope.call("(expression)", limits: scope.adapter.settings.calls) {
                try scope.evaluate(expression, file: file).json()
            }
        }
    }

    /// Drops the variables that adapters keep for a session. Later calls get new ones, even if a call of the session still runs or waits.
    public func endSession(id: String) async {
        await pool.forget(.session(id))
    }

    /// Runs an event source's poll once. A poll scheduler decides when.
    ///
    /// - Parameter caller: who traces it; polls have no other.
    /// - Throws: ``PollError`` with the JavaScript stack, ``UnknownNameError``, ``ProjectError``.
    public func poll(_ source: EventSourceID, caller: Caller = Caller()) async throws {
        _ = try await tracedPoll(source, caller: caller)
    }

    /// Runs an event source's poll once, as ``poll(_:caller:)`` does.
    ///
    /// - Parameter caller: a caller with a tracer.
    /// - Returns: the result of the poll's function as JSON; `nil` for `undefined`, and for a result that cannot be written as JSON.
    package func tracedPoll(_ source: EventSourceID, caller: Caller) async throws -> String? {
        var caller = caller
        let span = services.tracer?.span("poll \(source)", in: caller.trace)
        caller.trace = span?.context
        do {
            let result = try await adapter(named: source.adapter).poll(source.name, caller: caller)
            span?.end()
            return result
        } catch {
            span?.end(failure: "poll_failed")
            throw error
        }
    }

    /// Ends every running call, also one that waits for its back end, and refuses all others: for a server that stops and has
    /// waited long enough.
    public func interrupt(reason: String) {
        pool.stop(reason: reason)
        readers.stop(reason: reason)
        directory.interruptBackEnds()
    }

    /// Ends the reading of scripts, and refuses further deployments. Calls go on.
    public func interruptReading(reason: String) {
        readers.stop(reason: reason)
    }

    /// Returns the adapter of that name.
    ///
    /// - Throws: ``UnknownNameError``, with the first thing that is wrong with an adapter that the project has.
    func adapter(named name: String) throws(UnknownNameError) -> LoadedAdapter {
        do {
            return try directory.current.adapter(named: name)
        } catch {
            var error = error
            error.refusal = problems.first { $0.severity == .error && $0.file.hasPrefix("adapters/\(name)/") }
            throw error
        }
    }

    /// Closes the connections to back ends. Blocks until that is done; not for event loops. The next call opens new ones.
    public func closeBackEnds() {
        directory.closeBackEnds()
    }

    /// Returns the adapters that handle events of that kind, sorted by name.
    func adaptersWithHandlers(for kind: EventHandler.Kind) -> [LoadedAdapter] {
        directory.names.compactMap { directory[$0] }.filter { $0.declarations.handledEvents.contains(kind) }
    }

    /// Returns the declaration of an event source; `nil` when no adapter declares it.
    public func eventSource(_ id: EventSourceID) -> EventSourceDeclaration? { directory.eventSource(id) }

    /// Returns the error for an event source that no adapter declares.
    public func unknown(_ source: EventSourceID) -> UnknownNameError {
        UnknownNameError(
            kind: "event source", name: source.description, known: eventSources.map(\.id.description))
    }

    /// Returns the declaration of an event source.
    ///
    /// - Throws: ``UnknownNameError``.
    func declaration(of source: EventSourceID) throws(UnknownNameError) -> EventSourceDeclaration {
        if let declaration = directory.eventSource(source) { return declaration }
        throw unknown(source)
    }
}

extension TransferLoop: SocketWork {}
