import JavaScriptEngine
import PushModel
import Synchronization
import WorklightProject

/// An adapter whose script has been read, and whose procedures can be called.
final class LoadedAdapter: Sendable {
    let common: AdapterCommon
    /// What its script declared when it was read.
    let declarations: ScriptDeclarations
    private let waitingCalls = Atomic(0)

    var eventSources: [EventSourceDeclaration] { declarations.eventSources }

    init(common: AdapterCommon, declarations: ScriptDeclarations) {
        self.common = common
        self.declarations = declarations
    }

    /// The declared procedure of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func procedure(named name: String) throws(UnknownNameError) -> LoadedProcedure {
        if let procedure = common.procedures[name] { return procedure }
        throw UnknownNameError(
            kind: "procedure", name: name, known: common.descriptor.procedures.map(\.name),
            place: "in \(common.descriptor.path)")
    }

    /// A function as a procedure, whether or not it is declared as one.
    func configured(_ function: String) -> LoadedProcedure {
        common.procedures[function]
            ?? LoadedProcedure(
                ProcedureDescriptor(name: function, line: 0), adapter: common.name, settings: common.settings,
                userRealm: nil)
    }

    func invoke(
        _ procedure: LoadedProcedure, parameters: ParameterList, caller: Caller
    ) async -> ProcedureResult {
        let limit = common.settings.waitingCalls
        defer { waitingCalls.subtract(1, ordering: .relaxed) }
        guard waitingCalls.add(1, ordering: .relaxed).newValue <= limit else {
            return .failure(["Runtime: adapter \(common.name) is busy: \(limit) calls wait already; try again later"])
        }
        do {
            return try await run(for: caller) { $0.invoke(procedure, parameters: parameters) }
        } catch {
            return .failure(["Runtime: \(error)"])
        }
    }

    /// Runs `body` in the scope that keeps the adapter's variables for that caller; when it is traced, in one made for it.
    func run<Result: Sendable>(
        for caller: Caller, _ body: @escaping @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        if let tracer = caller.tracer {
            let owner = ScopeOwner.trace(ObjectIdentifier(tracer))
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await common.pool.run(common, for: owner, caller: caller, body))
            } catch {
                result = .failure(error)
            }
            await common.pool.forget(owner)
            return try result.get()
        }
        if common.isSessionIndependent {
            return try await common.pool.runAnywhere(common, caller: caller, body)
        }
        let owner = caller.session.map { ScopeOwner.session($0.id) } ?? .backEnds(adapter: common.name)
        return try await common.pool.run(common, for: owner, caller: caller, body)
    }

    /// Runs an event source's poll once, in the scope of that poll: Worklight, too, ran polls outside every session.
    ///
    /// - Throws: ``PollFailure``, and what loading the scope throws.
    func poll(_ source: String) async throws {
        let id = EventSourceID(adapter: common.name, name: source)
        guard eventSources.contains(where: { $0.id == id && $0.pollInterval != nil }) else {
            let polling = eventSources.filter { $0.pollInterval != nil }.map(\.id.name)
            throw UnknownNameError(kind: "polling event source", name: source, known: polling)
        }
        try await common.pool.run(common, for: .poll(id)) { try $0.poll(source) }
    }
}
