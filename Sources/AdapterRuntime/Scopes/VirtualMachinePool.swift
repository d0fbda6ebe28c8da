import Core
import Databases
import Foundation
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers
import Synchronization

/// Runs scripts in virtual machines, and decides which call runs in which machine.
///
/// A call runs in any idle machine until its owner (``ScopeOwner``) has a scope. From then on all calls of that owner run in the machine of
/// that scope, one after the other, since a scope cannot move. At most one call per processor computes at a time. A call that waits for its
/// back end, or has computed for 10 ms, frees its slot, and the next call begins in another machine.
///
/// A script that waits holds up its machine, and with it the owners who have scopes there. So a call takes an idle machine without owners,
/// or a new one while there are fewer than a quarter of ``RuntimeSettings/Scopes/machines``; then the idle machine with the fewest owners,
/// up to ``mostOwners``; then a new one. Polls, which may take minutes, have machines apart from sessions.
final class VirtualMachinePool: Sendable {
    /// The number of owners a machine gets as long as there may be more machines.
    static let mostOwners = 16

    struct Machine {
        let virtual: VirtualMachine
        /// True if it is for polls, and not for sessions.
        let isForPolls: Bool
        /// Calls that run or wait here.
        var calls = 0
        /// True if its call is among ``MachinePoolState/begun``.
        var counts = false
        /// The time of the last use, as milliseconds of uptime.
        var lastUsed: Int
        /// The number of owners that have scopes here.
        var owners = 0
        /// Owners that came since the heap was measured for their number.
        var newOwners = 0
        /// The heap's size after the last collection, in bytes, less the average of each owner whose scopes were closed since for its sake.
        var heap = 0
        /// The adapters that were last called here and so may have shared scopes, the last one at the end.
        var adapters: [String] = []
    }

    /// The machine of an owner's scopes.
    struct OwnerPlacement {
        let machine: Int
        let end = PlacementEnd()
        /// True while a call runs or waits.
        var isBusy = false
        /// The calls that begin one after the other when the one before has ended, its waits included.
        var queue: [Job] = []
        /// The time of the last use, as milliseconds of uptime.
        var lastUsed: Int
    }

    /// A call.
    struct Job: Sendable {
        let adapter: AdapterVersion
        let owner: ScopeOwner?
        /// Runs the call's first step in the machine with that number. The last argument is for a call in the machine of its owner's scopes.
        let begin: @Sendable (isolated VirtualMachine, Int, PlacementEnd?) -> CallStep
        /// Ends the call with an error instead.
        let refuse: @Sendable (any Error) -> Void

        var isPoll: Bool { owner?.isPoll ?? false }

        /// The group whose calls share half of the machines: the adapter's name, or `nil` for all polls.
        var group: String? { isPoll ? nil : adapter.name }
    }

    struct MachinePoolState {
        /// The machines by number.
        var machines: [Int: Machine] = [:]
        var lastNumber = 0
        /// Machines in which nothing runs or waits; the last used at the end.
        var idle: [Int] = []
        /// Calls for any machine that have begun, and have neither waited nor computed for long.
        var begun = 0
        /// Calls for any machine that have not begun, in the order in which they came.
        var waiting: [Job] = []
        /// The number of each group's calls that run in any machine.
        var running: [String?: Int] = [:]
        var placements: [ScopeOwner: OwnerPlacement] = [:]
        /// The number of calls of owners without a placement that wait or run.
        var pending: [ScopeOwner: Int] = [:]
        /// Owners among ``pending`` that have ended meanwhile.
        var ended: Set<ScopeOwner> = []
        var hasIdleCleanup = false

        /// The number of machines that have ``mostOwners`` or more.
        var full = 0

        mutating func addOwners(_ change: Int, to number: Int) {
            guard let owners = machines[number]?.owners else { return }
            machines[number]?.owners = owners + change
            machines[number]?.newOwners += max(0, change)
            if owners < VirtualMachinePool.mostOwners, owners + change >= VirtualMachinePool.mostOwners { full += 1 }
            if owners >= VirtualMachinePool.mostOwners, owners + change < VirtualMachinePool.mostOwners { full -= 1 }
        }

        /// The bytes that scopes hold.
        var memory: Int { machines.values.reduce(0) { $0 + $1.heap } }

        mutating func addPending(_ owner: ScopeOwner?, _ change: Int) {
            guard let owner else { return }
            let calls = (pending[owner] ?? 0) + change
            pending[owner] = calls > 0 ? calls : nil
            if calls <= 0 { ended.remove(owner) }
        }
    }

    let settings: RuntimeSettings
    let time: any TimeSource
    let logger: Logger
    let log: LogLimiter
    let count = ScopeCounter()
    let stopped = Atomic(false)
    let state = NIOLockedValueBox(MachinePoolState())
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
    /// - Throws: what `body` throws, ``ProjectError`` when the script cannot be loaded, ``ScopeLimitError``, `EngineStartError`,
    ///   ``ServerStoppingError``, ``UnknownNameError`` when the adapter was removed, `CancellationError` when the caller cancelled the call before it
    ///   began.
    func run<Value: Sendable>(
        _ adapter: AdapterVersion, for owner: ScopeOwner? = nil, caller: Caller,
        _ body: @escaping @Sendable (AdapterScope) throws -> Value
    ) async throws -> Value {
        try await run(adapter, for: owner, caller: caller) { scope, then in then(.success(try body(scope))) }
    }

    /// Runs `body` as ``run(_:for:caller:_:)-(_,_,_,(AdapterScope)(Value))`` does. It may add functions to the call that wait, and passes its result
    /// on when they have ended.
    func run<Value: Sendable>(
        _ adapter: AdapterVersion, for owner: ScopeOwner? = nil, caller: Caller, _ body: @escaping CallBody<Value>
    ) async throws -> Value {
        let owner = owner ?? caller.scopeOwner
        let watcher = CallObserver.current
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, any Error>, Never>) in
            let job = Job(adapter: adapter, owner: owner) { [self] machine, number, placement in
                let call = RunningCall(
                    caller: caller, adapters: adapter.directory.current, owner: owner, placement: placement)
                var result: Result<Value, any Error> = .failure(CancellationError())
                func next(_ table: ScopeTable, _ wait: BackEndWait?) -> CallStep {
                    if let wait {
                        return .waits(wait) {
                            call.secondPart = .success(wait.secondPart)
                            return next(
                                table, CallObserver.$current.withValue(watcher, operation: { table.advance(call) }))
                        }
                    }
                    table.end(call) { adopt($0, number) }
                    return .ended(
                        EndedCall(isExhausted: call.isExhausted) { [result, leases = call.endedLeases] in
                            continuation.resume(returning: result)
                            for lease in leases { lease.end() }
                        })
                }
                do {
                    guard !isStopped else { throw ServerStoppingError() }
                    let version = try call.adapters.adapter(named: adapter.name).common
                    let table = try table(of: machine, number)
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

    /// Runs a call's steps up to its end.
    ///
    /// - Parameters:
    ///   - prepare: called before each later step.
    ///   - then: called after the end if the call waits before it.
    /// - Returns: the end; `nil` if the call waits.
    func run(
        _ step: CallStep, in machine: isolated VirtualMachine,
        prepare: @escaping @Sendable (isolated VirtualMachine) -> Void,
        then: @escaping @Sendable (isolated VirtualMachine, EndedCall) -> Void
    ) -> EndedCall? {
        guard case .waits(let wait, let next) = step, let table = machine.attachment as? ScopeTable else {
            guard case .ended(let ended) = step else { return nil }
            machine.answer(ended.deliver)
            return ended
        }
        let number = table.keep(next)
        wait.begin { [self, machine] in
            machine.enqueue { machine in
                guard let next = (machine.attachment as? ScopeTable)?.takeStep(number) else { return }
                prepare(machine)
                if let ended = self.run(next(), in: machine, prepare: prepare, then: then) { then(machine, ended) }
            }
        }
        return nil
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
        let (machines, waiting) = state.withLockedValue { state in
            stopped.store(true, ordering: .releasing)
            defer { state.waiting = [] }
            return (state.machines.values.map(\.virtual), state.waiting)
        }
        for job in waiting { job.refuse(ServerStoppingError()) }
        for machine in machines { machine.interrupt(reason: reason) }
    }

    /// True if ``stop(reason:)`` was called.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// One of the machines, for tests of their end.
    var anyMachine: VirtualMachine? { state.withLockedValue { $0.machines.values.first?.virtual } }

    /// Removes all machines. Call it at the end: scopes and pool refer to each other.
    func removeAll() {
        let state = state.withLockedValue { state in
            defer { state = MachinePoolState(hasIdleCleanup: state.hasIdleCleanup) }
            return state.machines.values.map(\.virtual)
        }
        // Released here, outside the lock.
        _ = state
    }

    var status: ScopeStatus {
        state.withLockedValue { state in
            ScopeStatus(machines: state.machines.count, owners: state.placements.count, scopes: count.value)
        }
    }

    /// In milliseconds of uptime.
    var now: Int {
        let (seconds, attoseconds) = time.uptime.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
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
