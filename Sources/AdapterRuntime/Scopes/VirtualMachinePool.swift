import Foundation
import JavaScriptEngine
import Logging
import PushModel
import Synchronization

/// Runs scripts in virtual machines, and decides which call runs in which machine.
///
/// Most calls belong to nobody's variables: they run in any of the **shared machines**. As many of them begin at a time as the computer has
/// processors; a call that waits for its back end, or has computed for 10 ms, no longer counts, and the next one begins in another
/// machine, which is added when there is none. Of the machines that have the adapter's scope already, or else have room for it, the one
/// that was used last is taken first, so few stay warm; one that nobody has used for ``RuntimeSettings/Scopes/idleTime`` is given up.
///
/// A call that may reach variables of its **owner** (``ScopeOwner``) runs in the owner's machine, for a scope cannot move to another.
/// A script that waits holds up its machine, so owners who are active at the same time should not share one: a newcomer gets a
/// machine on which nobody has called for ``RuntimeSettings/Scopes/quietTime``, or a new one, and only when there are as many as there
/// may be the one with the fewest calls. Polls, which may take minutes, keep to machines of their own.
final class VirtualMachinePool: Sendable {
    /// What a machine is for.
    enum Purpose {
        case shared, sessions, polls
    }

    struct Machine {
        let virtual: VirtualMachine
        let purpose: Purpose
        /// Calls that run or, in a machine that is not shared, wait.
        var calls = 0
        /// Whether its call is among ``State/begun``.
        var counts = false
        /// As milliseconds of uptime.
        var lastUsed: Int
        /// How many owners have scopes here.
        var owners = 0
        /// The adapters that were last called here and so have shared scopes, the last one at the end.
        var adapters: [String] = []
    }

    /// Where an owner's scopes are.
    struct OwnerPlacement {
        let machine: Int
        let end = PlacementEnd()
        var calls = 0
        /// As milliseconds of uptime.
        var lastUsed: Int
    }

    /// Whether an owner's scopes in a machine have been closed; only that machine's thread changes it.
    final class PlacementEnd: Sendable {
        let hasCome = Atomic(false)
    }

    /// A call for a shared machine.
    struct Job: Sendable {
        let adapter: String
        let isPoll: Bool
        /// Runs it. Returns what gives the answer.
        let run: @Sendable (isolated VirtualMachine) -> () -> Void
        /// Answers with an error instead.
        let refuse: @Sendable (any Error) -> Void

        /// With what it shares half of the machines: the other calls of its adapter, or `nil` for all polls.
        var group: String? { isPoll ? nil : adapter }
    }

    struct State {
        /// By number.
        var machines: [Int: Machine] = [:]
        var lastNumber = 0
        /// How many machines are not shared.
        var owned = 0
        /// Shared machines that run nothing; the last used at the end.
        var idle: [Int] = []
        /// Calls that have begun in shared machines, and have neither waited nor computed for long.
        var begun = 0
        /// Calls for shared machines that have not begun, in the order in which they came.
        var waiting: [Job] = []
        /// How many calls of each group run in shared machines.
        var running: [String?: Int] = [:]
        var placements: [ScopeOwner: OwnerPlacement] = [:]
        var hasIdleCleanup = false
    }

    let settings: RuntimeSettings
    let time: any TimeSource
    let logger: Logger
    let count = ScopeCount()
    let stopped = Atomic(false)
    let state = Mutex(State())
    let processors = ProcessInfo.processInfo.activeProcessorCount

    init(settings: RuntimeSettings, time: any TimeSource, logger: Logger) {
        self.settings = settings
        self.time = time
        self.logger = logger
    }

    /// Runs `body` in the adapter's scope: in the version that is deployed when its turn has come.
    ///
    /// - Parameter owner: whose variables are kept; `nil` for nobody's.
    /// - Throws: what `body` throws, ``ProjectProblem`` when the script cannot be loaded, ``ScopeLimitError``, `EngineStartError`,
    ///   ``ServerStoppingError``, ``UnknownNameError`` when there is no such adapter any more, `CancellationError` when the caller has
    ///   given it up before.
    func run<Result: Sendable>(
        _ adapter: AdapterCommon, for owner: ScopeOwner?, caller: Caller = Caller(),
        _ body: @escaping @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        let watcher = CallWatcher.current
        let needsOwner = owner.map { $0.ownsAllScopes || adapter.directory.current.mayReachState(adapter) } ?? false
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Swift.Result<Result, any Error>, Never>) in
            let job = Job(adapter: adapter.name, isPoll: owner?.isPoll ?? false) { [self] machine in
                let result = Swift.Result {
                    try CallWatcher.$current.withValue(watcher) {
                        try perform(adapter, for: needsOwner ? owner : nil, caller: caller, in: machine, body)
                    }
                }
                return { continuation.resume(returning: result) }
            } refuse: {
                continuation.resume(returning: .failure($0))
            }
            do {
                if needsOwner, let owner { try submit(job, for: owner, adapter) } else { try submit(job) }
            } catch {
                job.refuse(error)
            }
        }
        return try result.get()
    }

    func perform<Result>(
        _ adapter: AdapterCommon, for owner: ScopeOwner?, caller: Caller, in machine: isolated VirtualMachine,
        _ body: (AdapterScope) throws -> Result
    ) throws -> Result {
        guard !isStopped else { throw ServerStoppingError() }
        let contexts = try machine.contexts
        if let interruption = caller.interruption {
            guard interruption.reason == nil else { throw CancellationError() }
            contexts.interruption = interruption
        }
        defer { if caller.interruption != nil { contexts.interruption = nil } }
        let adapters = adapter.directory.current
        let current = try adapters.adapter(named: adapter.name).common
        return try table(of: machine).run(current, among: adapters, for: owner, caller: caller, body)
    }

    func table(of machine: isolated VirtualMachine) throws -> ScopeTable {
        if let table = machine.attachment as? ScopeTable { return table }
        let new = ScopeTable(in: try machine.contexts, count: count)
        machine.attachment = new
        return new
    }

    /// Ends every running call, and refuses those that wait or come.
    func stop(reason: String) {
        let (machines, waiting) = state.withLock { state in
            stopped.store(true, ordering: .releasing)
            defer { state.waiting = [] }
            return (state.machines.values.map(\.virtual), state.waiting)
        }
        for job in waiting { job.refuse(ServerStoppingError()) }
        for machine in machines { machine.interrupt(reason: reason) }
    }

    /// Whether ``stop(reason:)`` was called.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// One of the machines, for tests of their end.
    var anyMachine: VirtualMachine? { state.withLock { $0.machines.values.first?.virtual } }

    /// Removes all machines. Call it at the end: scopes and pool refer to each other.
    func removeAll() {
        let state = state.withLock { state in
            defer { state = State(hasIdleCleanup: state.hasIdleCleanup) }
            return state.machines.values.map(\.virtual)
        }
        // Released here, outside the lock.
        _ = state
    }

    var status: ScopeStatus {
        state.withLock { state in
            ScopeStatus(machines: state.machines.count, owners: state.placements.count, scopes: count.value)
        }
    }

    /// In milliseconds of uptime.
    var now: Int {
        let (seconds, attoseconds) = time.uptime.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
