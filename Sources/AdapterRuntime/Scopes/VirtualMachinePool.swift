import Core
import Databases
import Foundation
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers
import Synchronization

/// Runs scripts in virtual machines, and decides which call runs in which machine.
///
/// Adapters that call each other by `invokeProcedure` are a group (``AdapterSet/group(of:)``). A group has its machines apart from the others':
/// one, another for each ``ownersPerMachine`` owners, and more while all of them are busy, up to the number of processors; so a script that
/// computes for long holds up its own group only. Polls, and the traces and conversations of authors, have machines apart from sessions'.
///
/// A scope cannot move, so all calls of an owner (``ScopeOwner``) to a group run in one machine, one after the other, waits included. A call that
/// waits for its back end holds no machine, unless its function has no twin. Then its group may have more machines, and also while all of
/// its machines have computed for ``longStep`` without a pause: up to a quarter of ``RuntimeSettings/Scopes/machines``.
final class VirtualMachinePool: Sendable {
    /// The machines of some calls.
    struct Group: Sendable, Hashable {
        enum Kind: Sendable {
            case sessions, polls, tools
        }

        let kind: Kind
        let adapters: AdapterGroup.ID
    }

    struct Machine {
        let virtual: VirtualMachine
        let group: Group
        /// The names of the group's adapters, for the log.
        let adapters: [String]
        /// Steps that run or are queued here; calls that wait for a back end have none.
        private(set) var steps = 0
        /// The time at which the running step began, as milliseconds of uptime.
        private(set) var stepBegin = 0
        /// The call of the last step that runs or is queued here.
        private(set) var lastLabel = ""
        /// Calls that run, wait or are queued here.
        var calls = 0
        /// The time of the last use, as milliseconds of uptime.
        var lastUsed: Int
        /// The number of owners that have scopes here.
        var owners = 0
        /// Owners that came since the heap was measured for their number.
        var newOwners = 0
        /// The heap's size after the last collection, in bytes, less the average of each owner whose scopes were closed since for its sake.
        var heap = 0

        mutating func addStep(of label: String, now: Int) {
            if steps == 0 { stepBegin = now }
            steps += 1
            lastLabel = label
        }

        mutating func removeStep(now: Int) {
            // The next one begins at once.
            stepBegin = now
            steps -= 1
        }
    }

    /// The time for which a step runs before its machine counts as one that computes for long.
    static let longStep = Duration.milliseconds(100)

    /// The number of owners for which a group gets another machine, as long as it has fewer than there are processors.
    static let ownersPerMachine = 8

    /// The machine of an owner's scopes in a group.
    struct OwnerPlacement {
        let machine: Int
        /// The owner, if it is a session.
        let session: ClientSession?
        let end = PlacementEnd()
        /// The label of the call that runs or waits; `nil` for none.
        var running: String?
        /// The calls that begin one after the other when the one before has ended, its waits included.
        var queue: [Job] = []
        /// The time of the last use, as milliseconds of uptime.
        var lastUsed: Int
    }

    /// The key of a placement.
    struct PlacementKey: Sendable, Hashable {
        let owner: ScopeOwner
        let group: Group
    }

    /// A call.
    struct Job: Sendable {
        /// 0 until it has been submitted.
        var number = 0
        let adapter: AdapterVersion
        /// For messages.
        let label: String
        let owner: ScopeOwner?
        let session: ClientSession?
        let kind: Group.Kind
        /// The time at which it began to wait for its owner's other calls or for its machine, as milliseconds of uptime, and the call ahead of
        /// it, for messages; `nil` if it begins at once.
        var queued: (since: Int, behind: String)?
        /// Runs the call's first step in a machine.
        let begin: @Sendable (isolated VirtualMachine, CallStart) -> CallStep
        /// Ends the call with an error instead.
        let refuse: @Sendable (any Error) -> Void
    }

    struct State {
        /// The machines by number.
        var machines: [Int: Machine] = [:]
        /// The numbers of each group's machines.
        var numbers: [Group: [Int]] = [:]
        var lastNumber = 0
        /// The placements by owner and group.
        var placements: [ScopeOwner: [Group: OwnerPlacement]] = [:]
        /// The numbers of placements of sessions that began at a network.
        var networks: [String: Int] = [:]
        /// The calls that have come and not ended, by number.
        var calls: [Int: ActiveCall] = [:]
        var lastCall = 0
        /// The number of evicted placements whose scopes are not closed yet.
        var closing = 0
        var hasIdleCleanup = false

        /// The bytes that scopes hold.
        var memory: Int { machines.values.reduce(0) { $0 + $1.heap } }

        /// Notes that a phase of a call begins; with `nil` that the call has ended.
        mutating func note(_ phase: ActiveCalls.Phase?, of job: Job, now: Int) {
            calls[job.number] = phase.map { ActiveCall(adapter: job.adapter.name, phase: $0, since: now) }
        }

        mutating func addOwners(_ change: Int, to number: Int) {
            machines[number]?.owners += change
            machines[number]?.newOwners += max(0, change)
        }

        /// Returns the first placements in the order in which they end to make room, which is that of their sessions. Those that have a running
        /// call stay, and those of polls.
        ///
        /// - Parameter wanted: selects some of them.
        func idlePlacements(_ most: Int, where wanted: (OwnerPlacement) -> Bool) -> [PlacementKey] {
            var found: [(key: PlacementKey, value: Int, lastUsed: Int)] = []
            for (owner, groups) in placements where !owner.isPoll {
                for (group, placement) in groups where placement.running == nil && wanted(placement) {
                    let priority = placement.session?.evictionPriority ?? .user
                    found.append((PlacementKey(owner: owner, group: group), priority.rawValue, placement.lastUsed))
                }
            }
            found.sort { ($0.value, $0.lastUsed) < ($1.value, $1.lastUsed) }
            return found.prefix(most).map(\.key)
        }

        /// The placements in a machine.
        func keys(in number: Int) -> [PlacementKey] {
            placements.flatMap { owner, groups in
                groups.lazy.filter { $0.value.machine == number }.map { PlacementKey(owner: owner, group: $0.key) }
            }
        }
    }

    let settings: RuntimeSettings
    let time: any TimeSource
    let logger: Logger
    let log: LogLimiter
    let count = ScopeCounter()
    let stopped = Atomic(false)
    let state = NIOLockedValueBox(State())
    let processors = ProcessInfo.processInfo.activeProcessorCount

    init(settings: RuntimeSettings, time: any TimeSource, logger: Logger, guards: GuardCounters) {
        self.settings = settings
        self.time = time
        self.logger = logger
        log = LogLimiter(logger: logger, time: time, guards: guards)
    }

    /// Runs `body` in the adapter's scope, in the version that is deployed when the call begins.
    ///
    /// - Parameter owner: the owner whose variables are kept; `nil` for the caller's own owner, if any.
    /// - Throws: what `body` throws, ``ProjectError`` when the script cannot be loaded, ``ScopeLimitError``, ``OwnerQueueError``,
    ///   `EngineStartError`, ``ServerStoppingError``, ``UnknownNameError`` when the adapter was removed, `CancellationError` when the caller cancelled the call before it
    ///   began.
    func run<Value: Sendable>(
        _ adapter: AdapterVersion, for owner: ScopeOwner? = nil, caller: Caller,
        _ body: @escaping @Sendable (AdapterScope) throws -> Value
    ) async throws -> Value {
        try await run(adapter, for: owner, caller: caller) { scope, then in then(.success(try body(scope))) }
    }

    /// Runs `body` as ``run(_:for:caller:_:)-(_,_,_,(AdapterScope)(Value))`` does. It may add functions to the call that wait, and passes its result
    /// on when they have ended.
    ///
    /// - Parameter procedure: the procedure that it calls, if any, for messages.
    func run<Value: Sendable>(
        _ adapter: AdapterVersion, procedure: String? = nil, for owner: ScopeOwner? = nil, caller: Caller,
        _ body: @escaping CallBody<Value>
    ) async throws -> Value {
        let owner = owner ?? caller.scopeOwner
        let watcher = CallObserver.current
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, any Error>, Never>) in
            let kind: Group.Kind =
                owner?.isPoll == true
                ? .polls : caller.tracer != nil || owner?.ownsAllScopes == true ? .tools : .sessions
            let label = procedure.map { "\(adapter.name)/\($0)" } ?? "a function of \(adapter.name)"
            let job = Job(adapter: adapter, label: label, owner: owner, session: caller.session, kind: kind) {
                [self] machine, start in
                let call = RunningCall(
                    caller: caller, adapters: adapter.directory.current, owner: owner, placement: start.placement,
                    queueTime: start.queueTime, onPhase: start.onPhase)
                var result: Result<Value, any Error> = .failure(CancellationError())
                func next(_ table: ScopeTable, _ wait: BackEndWait?) -> CallStep {
                    if let wait {
                        return .waits(wait) {
                            call.secondPart = .success(wait.secondPart)
                            return next(
                                table, CallObserver.$current.withValue(watcher, operation: { table.advance(call) }))
                        }
                    }
                    table.end(call)
                    return .ended(
                        EndedCall(isExhausted: call.isExhausted) { [result, leases = call.endedLeases] in
                            continuation.resume(returning: result)
                            for lease in leases { lease.end() }
                        })
                }
                do {
                    guard !isStopped else { throw ServerStoppingError() }
                    let version = try call.adapters.adapter(named: adapter.name).common
                    let table = try table(of: machine, start.machine)
                    var wait: BackEndWait?
                    do {
                        wait = try CallObserver.$current.withValue(watcher) {
                            try table.begin(call, of: version) { scope in try body(scope) { result = $0 } }
                        }
                    } catch {
                        result = .failure(error)
                    }
                    return next(table, wait)
                } catch {
                    return .ended(EndedCall(isExhausted: false) { continuation.resume(returning: .failure(error)) })
                }
            } refuse: {
                continuation.resume(returning: .failure($0))
            }
            do {
                try submit(job)
            } catch {
                job.refuse(error)
            }
        }
        return try result.get()
    }

    private func table(of machine: isolated VirtualMachine, _ number: Int) throws -> ScopeTable {
        if let table = machine.attachment as? ScopeTable { return table }
        machine.onCollection { [weak self] in self?.noteHeap($0, of: number) }
        let new = ScopeTable(in: try machine.contexts, count: count)
        machine.attachment = new
        return new
    }

    /// Ends every running call, and refuses queued and later ones.
    func stop(reason: String) {
        let (machines, queued) = state.withLockedValue { state -> ([VirtualMachine], [Job]) in
            stopped.store(true, ordering: .releasing)
            var queued: [Job] = []
            for (owner, groups) in state.placements {
                for (group, placement) in groups where !placement.queue.isEmpty {
                    queued += placement.queue
                    for job in placement.queue { state.calls[job.number] = nil }
                    state.placements[owner]?[group]?.queue = []
                    state.machines[placement.machine]?.calls -= placement.queue.count
                }
            }
            return (state.machines.values.map(\.virtual), queued)
        }
        for job in queued { job.refuse(ServerStoppingError()) }
        for machine in machines { machine.interrupt(reason: reason) }
    }

    /// True if ``stop(reason:)`` was called.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// One of the machines, for tests of their end.
    var anyMachine: VirtualMachine? { state.withLockedValue { $0.machines.values.first?.virtual } }

    /// Removes all machines. Call it at the end: scopes and pool refer to each other.
    func removeAll() {
        let state = state.withLockedValue { state in
            defer { state = State(hasIdleCleanup: state.hasIdleCleanup) }
            return state.machines.values.map(\.virtual)
        }
        // Released here, outside the lock.
        _ = state
    }

    var status: ScopeStatus {
        state.withLockedValue { state in
            ScopeStatus(
                machines: state.machines.count, owners: state.placements.values.reduce(0) { $0 + $1.count },
                scopes: count.value)
        }
    }

    /// In milliseconds of uptime.
    var now: Int {
        let (seconds, attoseconds) = time.uptime.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

/// The circumstances in which a call begins.
struct CallStart {
    /// The machine's number.
    let machine: Int
    /// Set for a call in the machine of its owner's scopes.
    let placement: PlacementEnd?
    let queueTime: QueueTime?
    /// To be called when the call begins to wait for a back end on its thread, and when it goes on.
    let onPhase: @Sendable (ActiveCalls.Phase) -> Void
}

/// A call's state after a step.
enum CallStep {
    case ended(EndedCall)
    /// It waits, and goes on with another step.
    case waits(BackEndWait, () -> CallStep)
}

/// A call that has ended, and whose result is not delivered yet.
struct EndedCall {
    /// True if a script holds on to more than its heap may have.
    let isExhausted: Bool
    let deliver: () -> Void
}

/// The work of a call in its adapter's scope. The second argument gets its result.
typealias CallBody<Value> = @Sendable (AdapterScope, @escaping (Result<Value, any Error>) -> Void) throws -> Void
