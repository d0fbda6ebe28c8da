import JavaScriptEngine
import PushModel
import Synchronization

/// An adapter that has been loaded, with its scopes.
///
/// Calls from back ends and from the command line share one scope, and run one after the other. Each polling event source
/// has a scope and a thread of its own, so that a poll that waits for its back end holds up nothing else; Worklight, too,
/// ran polls outside every session, and kept variables per session.
final class LoadedAdapter: Sendable {
    let common: AdapterCommon
    let eventSources: [EventSourceDeclaration]
    private let calls: ScopeHost
    private let state = Mutex(State())

    private struct State {
        var waitingCalls = 0
        var pollScopes: [String: Task<ScopeHost, any Error>] = [:]
    }

    init(common: AdapterCommon, calls: ScopeHost, eventSources: [EventSourceDeclaration]) {
        self.common = common
        self.calls = calls
        self.eventSources = eventSources
    }

    func invoke(_ procedure: ProcedureDescriptor, parameters: ParameterList) async -> ProcedureResult {
        let limit = common.settings.waitingCalls
        let isAdmitted = state.withLock { state in
            guard state.waitingCalls < limit else { return false }
            state.waitingCalls += 1
            return true
        }
        guard isAdmitted else {
            return .failure(["Runtime: adapter \(common.name) is busy: \(limit) calls wait already; try again later"])
        }
        defer { state.withLock { $0.waitingCalls -= 1 } }
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
        try await pollScope(of: source).run { try $0.poll(source) }
    }

    func interrupt(reason: String) async {
        calls.interrupt(reason: reason)
        for scope in state.withLock({ Array($0.pollScopes.values) }) {
            try? await scope.value.interrupt(reason: reason)
        }
    }

    private func pollScope(of source: String) async throws -> ScopeHost {
        let task = state.withLock { state in
            if let task = state.pollScopes[source] { return task }
            let task = Task { [common] in
                try await ScopeHost.load(common, threadName: "\(common.name).\(source)").host
            }
            state.pollScopes[source] = task
            return task
        }
        do {
            return try await task.value
        } catch {
            // The next poll tries again.
            state.withLock { $0.pollScopes[source] = nil }
            throw error
        }
    }
}
