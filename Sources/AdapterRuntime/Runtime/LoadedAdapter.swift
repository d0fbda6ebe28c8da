import BackEndHTTP
import Core
import JavaScriptEngine
import PushModel
import Synchronization
import WorklightProject

/// An adapter whose script has been read, and whose procedures can be called.
///
/// This is one version of it: a call runs in the version that is in the directory when it begins, which may be a later one.
final class LoadedAdapter: Sendable {
    let common: AdapterVersion
    /// The declarations found when the script was read.
    let declarations: ScriptDeclarations
    private let waitingCalls = Atomic(0)
    /// The back ends' cookies of polls, by the event source's name.
    private let pollCookies = Mutex<[String: CookieJar]>([:])

    /// The number of calls of this version that wait or run.
    var calls: Int { waitingCalls.load(ordering: .relaxed) }

    var eventSources: [EventSourceDeclaration] { declarations.eventSources }

    init(common: AdapterVersion, declarations: ScriptDeclarations) {
        self.common = common
        self.declarations = declarations
    }

    /// Calls a procedure.
    ///
    /// - Parameters:
    ///   - parameters: a JSON array of the arguments, or one of the spellings in ``ParameterList``.
    ///   - procedure: `nil` for a function that need not be declared as a procedure. Nothing guards it.
    ///   - permit: which security test the caller has passed.
    /// - Throws: ``StalePermitError``.
    func invoke(
        _ name: String, declared procedure: LoadedProcedure?, parameters: String, caller: Caller,
        permit: CallPermit
    ) async throws(StalePermitError) -> ProcedureResult {
        let limit = common.settings.waitingCalls
        defer { waitingCalls.subtract(1, ordering: .relaxed) }
        guard waitingCalls.add(1, ordering: .relaxed).newValue <= limit else {
            common.log.reached("limits.waitingCalls", by: caller.request?.remoteAddress, "refused a call")
            let busy = common.settings.showsFailureDetails ? "adapter \(common.name)" : "the server"
            var result = ProcedureResult.failure([
                "Runtime: \(busy) is busy: \(limit) calls wait already; try again later"
            ])
            result.outcome = .refused
            return result
        }
        do {
            return try await common.pool.run(common, procedure: name, caller: caller) { [common] scope, then in
                let current: LoadedProcedure
                if let procedure {
                    // Another version may have come while the call waited.
                    current = try scope.adapter === common ? procedure : scope.adapter.procedure(named: name)
                } else {
                    current = scope.adapter.configured(name)
                }
                try permit.check(current.descriptor.securityTest)
                scope.invoke(current, parameters: parameters) { result in
                    var result = result
                    if !scope.table.call.concealed.isEmpty { result.replace(scope.table.call.concealed) }
                    then(.success(result))
                }
            }
        } catch let error as StalePermitError {
            throw error
        } catch {
            return .failure(of: error, common.settings, common.logger)
        }
    }

    /// Runs `body` in the scope that has the adapter's variables for that caller.
    func run<Value: Sendable>(
        for caller: Caller, _ body: @escaping @Sendable (AdapterScope) throws -> Value
    ) async throws -> Value {
        try await common.pool.run(common, caller: caller, body)
    }

    /// Runs `body` as ``run(for:_:)`` does. It may call functions of the script that wait, and passes its result on when they have ended.
    func run<Value: Sendable>(
        for caller: Caller, _ body: @escaping CallBody<Value>
    ) async throws -> Value {
        try await common.pool.run(common, caller: caller, body)
    }

    /// Runs an event source's poll once. It has its own variables and cookies: Worklight, too, ran polls outside every session.
    ///
    /// A poll whose event source was undeployed since it was due does nothing, and does not fail.
    ///
    /// - Returns: the function's result as JSON when the caller traces it; otherwise `nil`.
    /// - Throws: ``PollError``, and what loading the scope throws.
    func poll(_ source: String, caller: Caller) async throws -> String? {
        let id = EventSourceID(adapter: common.name, name: source)
        guard eventSources.contains(where: { $0.id == id && $0.pollInterval != nil }) else {
            let polling = eventSources.filter { $0.pollInterval != nil }.map(\.id.name)
            throw UnknownNameError(kind: "polling event source", name: source, known: polling)
        }
        let body: CallBody<String?> = { [common] scope, then in
            if scope.adapter !== common, scope.eventSources[source] == nil { return then(.success(nil)) }
            scope.poll(source) { result in then(result.mapError { $0 }) }
        }
        guard caller.tracer == nil else { return try await run(for: caller, body) }
        var caller = caller
        caller.cookies = pollCookies.withLock { jars in
            let jar = jars[source] ?? CookieJar()
            jars[source] = jar
            return jar
        }
        return try await common.pool.run(common, for: .poll(id), caller: caller, body)
    }
}

/// A procedure with the limits, label, user realm and metrics of its calls, prepared once.
final class LoadedProcedure: Sendable {
    let descriptor: ProcedureDescriptor
    let limits: ExecutionLimits
    let label: CallLabel
    /// The realm whose identity is the user; `nil` when the procedure's security test does not say, or there is none.
    let userRealm: String?
    /// `nil` for a function that is not declared as a procedure.
    let metrics: ProcedureMetrics?

    var name: String { descriptor.name }

    init(
        _ descriptor: ProcedureDescriptor, adapter: String, settings: RuntimeSettings, userRealm: String?,
        metrics: ProcedureMetrics?
    ) {
        self.descriptor = descriptor
        self.metrics = metrics
        self.userRealm = userRealm
        var limits = settings.calls
        if let timeout = descriptor.requestTimeout { limits.wallClock = .seconds(timeout) }
        self.limits = limits
        label = CallLabel(adapter: adapter, procedure: descriptor.name)
    }
}
