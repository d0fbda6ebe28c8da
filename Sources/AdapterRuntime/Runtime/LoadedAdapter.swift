import JavaScriptEngine
import PushModel
import Synchronization
import WorklightProject

/// An adapter that has been loaded, with its scopes.
///
/// Calls from back ends and from the command line share one scope, and run one after the other. Each polling event source
/// has a scope and a thread of its own, so that a poll that waits for its back end holds up nothing else; Worklight, too,
/// ran polls outside every session, and kept variables per session.
final class LoadedAdapter: Sendable {
    let common: AdapterCommon
    let eventSources: [EventSourceDeclaration]
    private let calls: ScopeSlot
    private let polls: [String: ScopeSlot]
    private let waitingCalls = Atomic(0)

    init(common: AdapterCommon, calls: ScopeHost, eventSources: [EventSourceDeclaration]) {
        self.common = common
        self.calls = ScopeSlot(common, threadName: common.name, host: calls)
        self.eventSources = eventSources
        polls = Dictionary(
            uniqueKeysWithValues: eventSources.filter { $0.pollInterval != nil }.map { source in
                (source.id.name, ScopeSlot(common, threadName: "\(common.name).\(source.id.name)"))
            })
    }

    func invoke(_ procedure: ProcedureDescriptor, parameters: ParameterList) async -> ProcedureResult {
        let limit = common.settings.waitingCalls
        defer { waitingCalls.subtract(1, ordering: .relaxed) }
        guard waitingCalls.add(1, ordering: .relaxed).newValue <= limit else {
            return .failure(["Runtime: adapter \(common.name) is busy: \(limit) calls wait already; try again later"])
        }
        do {
            return try await calls.run { $0.invoke(procedure, parameters: parameters) }
        } catch {
            return .failure(["Runtime: \(error)"])
        }
    }

    /// Runs `body` in the scope that calls share.
    func runInCallScope<Result: Sendable>(
        _ body: @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        try await calls.run(body)
    }

    /// Runs an event source's poll once, in the scope of that poll.
    ///
    /// - Throws: ``PollFailure``, and what loading the scope throws.
    func poll(_ source: String) async throws {
        guard let slot = polls[source] else {
            throw UnknownNameError(kind: "polling event source", name: source, known: polls.keys.sorted())
        }
        try await slot.run { try $0.poll(source) }
    }

    func interrupt(reason: String) async {
        await calls.interrupt(reason: reason)
        for slot in polls.values { await slot.interrupt(reason: reason) }
    }
}
