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
    private enum Purpose {
        case shared, sessions, polls
    }

    private struct Machine {
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
    private struct OwnerPlacement {
        let machine: Int
        var calls = 0
        /// As milliseconds of uptime.
        var lastUsed: Int
    }

    /// A call for a shared machine.
    private struct Job: Sendable {
        let adapter: String
        let isPoll: Bool
        /// Runs it. Returns what gives the answer.
        let run: @Sendable (isolated VirtualMachine) -> () -> Void
        /// Answers with an error instead.
        let refuse: @Sendable (any Error) -> Void

        /// With what it shares half of the machines: the other calls of its adapter, or `nil` for all polls.
        var group: String? { isPoll ? nil : adapter }
    }

    private struct State {
        /// By number.
        var machines: [Int: Machine] = [:]
        var lastNumber = 0
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

    private let settings: RuntimeSettings
    private let time: any TimeSource
    private let logger: Logger
    private let count = ScopeCount()
    private let stopped = Atomic(false)
    private let state = Mutex(State())
    private let processors = ProcessInfo.processInfo.activeProcessorCount

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

    private func perform<Result>(
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

    private func table(of machine: isolated VirtualMachine) throws -> ScopeTable {
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
    private var now: Int {
        let (seconds, attoseconds) = time.uptime.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

// MARK: Shared machines

extension VirtualMachinePool {
    /// A call, and the machine in which it begins.
    private struct Start {
        let job: Job
        let number: Int
        let machine: VirtualMachine
    }

    private func submit(_ job: Job) throws {
        let start = try state.withLock { state in
            guard !isStopped else { throw ServerStoppingError() }
            state.waiting.append(job)
            do {
                return try nextStart(&state)
            } catch  where !state.machines.values.contains(where: { $0.purpose == .shared }) {
                state.waiting.removeLast()
                throw error
            } catch {
                // One of the machines that there are takes it.
                return nil
            }
        }
        begin(start)
    }

    private func begin(_ start: Start?) {
        guard let start else { return }
        start.machine.enqueue { [self] in serve(start.job, in: $0, start.number) }
    }

    /// Runs a call, and then those that wait, until there is none.
    private func serve(_ first: Job, in machine: isolated VirtualMachine, _ number: Int) {
        machine.onPause { [weak self] in self?.pause(number) }
        var next: Job? = first
        while let job = next {
            machine.answer(job.run(machine))
            next = end(job, in: number, isExhausted: (machine.attachment as? ScopeTable)?.isExhausted ?? false)
        }
    }

    /// The call of a shared machine waits, or has computed for long: another may begin.
    private func pause(_ number: Int) {
        let start = state.withLock { state in
            guard state.machines[number]?.counts == true else { return nil as Start? }
            state.machines[number]?.counts = false
            state.begun -= 1
            return try? nextStart(&state)
        }
        begin(start)
    }

    /// Ends a call.
    ///
    /// - Returns: the one that runs next in the machine.
    private func end(_ job: Job, in number: Int, isExhausted: Bool) -> Job? {
        let now = now
        let (next, start) = state.withLock { state -> (Job?, Start?) in
            let running = (state.running[job.group] ?? 1) - 1
            state.running[job.group] = running > 0 ? running : nil
            if state.machines[number]?.counts == true {
                state.machines[number]?.counts = false
                state.begun -= 1
            }
            guard !isExhausted else {
                state.machines[number] = nil
                return (nil, try? nextStart(&state))
            }
            guard state.machines[number] != nil else { return (nil, nil) }
            state.machines[number]?.lastUsed = now
            state.machines[number]?.calls = 0
            state.idle.append(number)
            let start = try? nextStart(&state)
            return start?.number == number ? (start?.job, nil) : (nil, start)
        }
        if isExhausted { warnOfExhaustion(job.adapter) }
        begin(start)
        return next
    }

    /// The call that begins now, if one waits and may begin, and its machine.
    ///
    /// - Throws: `EngineStartError`.
    private func nextStart(_ state: inout State) throws -> Start? {
        // The calls of one adapter, and all polls, have half of the machines at most: so a back end that hangs leaves some to others.
        let most = max(1, settings.scopes.machines / 2)
        guard state.begun < processors,
            let index = state.waiting.firstIndex(where: { state.running[$0.group] ?? 0 < most }),
            let number = try freeMachine(for: state.waiting[index].adapter, &state),
            var machine = state.machines[number]
        else { return nil }
        let job = state.waiting.remove(at: index)
        machine.calls = 1
        machine.counts = true
        if machine.adapters.last != job.adapter {
            machine.adapters.removeAll { $0 == job.adapter }
            machine.adapters.append(job.adapter)
            if machine.adapters.count > ScopeTable.mostShared { machine.adapters.removeFirst() }
        }
        state.machines[number] = machine
        state.begun += 1
        state.running[job.group, default: 0] += 1
        return Start(job: job, number: number, machine: machine.virtual)
    }

    /// Takes a machine that is idle, or adds one.
    ///
    /// - Throws: `EngineStartError`.
    private func freeMachine(for adapter: String, _ state: inout State) throws -> Int? {
        let machines = state.machines
        if let index = state.idle.lastIndex(where: { machines[$0]?.adapters.contains(adapter) ?? false })
            ?? state.idle.lastIndex(where: { machines[$0]?.adapters.count ?? .max < ScopeTable.mostShared })
        {
            return state.idle.remove(at: index)
        }
        let shared = state.machines.values.filter { $0.purpose == .shared }
        let mayAdd = state.machines.count < settings.scopes.machines || shared.isEmpty
        // Another machine rather than give up scopes, as long as there may be more of them.
        if !state.idle.isEmpty, !mayAdd || shared.reduce(0, { $0 + $1.adapters.count }) >= settings.scopes.number {
            return state.idle.removeLast()
        }
        return mayAdd ? try addMachine(for: .shared, &state) : nil
    }

    private func addMachine(for purpose: Purpose, _ state: inout State) throws -> Int {
        let number = state.lastNumber + 1
        let virtual = try VirtualMachine.start(name: "js-\(number)")
        state.lastNumber = number
        state.machines[number] = Machine(virtual: virtual, purpose: purpose, lastUsed: now)
        startIdleCleanup(&state)
        return number
    }

    private func warnOfExhaustion(_ adapter: String) {
        logger.warning(
            """
            \(adapter): scopes reset, with those of other adapters in the same machine or session: the script holds more memory than \
            limits.heap after garbage collection; look for a variable that grows with each call, or raise limits.heap
            """)
    }
}

// MARK: Machines of owners

extension VirtualMachinePool {
    private func submit(_ job: Job, for owner: ScopeOwner, _ adapter: AdapterCommon) throws {
        let now = now
        let (number, machine) = try state.withLock { state in
            guard !isStopped else { throw ServerStoppingError() }
            if state.placements[owner] == nil {
                try makeRoom(for: owner, &state)
                let number = try place(owner, at: now, &state)
                state.placements[owner] = OwnerPlacement(machine: number, lastUsed: now)
                state.machines[number]?.owners += 1
            }
            guard let number = state.placements[owner]?.machine, let machine = state.machines[number]?.virtual else {
                throw ServerStoppingError()
            }
            change(owner, number, by: 1, at: now, &state)
            return (number, machine)
        }
        machine.enqueue { [self] machine in
            machine.answer(job.run(machine))
            leave(owner, number, machine, adapter)
        }
    }

    private func change(_ owner: ScopeOwner, _ number: Int, by calls: Int, at now: Int, _ state: inout State) {
        if state.placements[owner]?.machine == number {
            state.placements[owner]?.calls += calls
            state.placements[owner]?.lastUsed = now
        }
        state.machines[number]?.calls += calls
        state.machines[number]?.lastUsed = now
    }

    private func leave(_ owner: ScopeOwner, _ number: Int, _ machine: isolated VirtualMachine, _ adapter: AdapterCommon)
    {
        let now = now
        let table = machine.attachment as? ScopeTable
        let isExhausted = table?.isExhausted ?? false
        let isGone = state.withLock { state in
            change(owner, number, by: -1, at: now, &state)
            // The owner may have gone while the call was on its way here.
            guard state.placements[owner]?.machine == number else { return true }
            if isExhausted { remove(owner, &state) }
            return isExhausted
        }
        if isGone { table?.close(owner) }
        if isExhausted { warnOfExhaustion(adapter.name) }
    }

    @discardableResult
    private func remove(_ owner: ScopeOwner, _ state: inout State) -> VirtualMachine? {
        guard let number = state.placements.removeValue(forKey: owner)?.machine else { return nil }
        state.machines[number]?.owners -= 1
        return state.machines[number]?.virtual
    }

    /// Lets go of an owner's scopes once what runs in them has ended.
    func forget(_ owner: ScopeOwner) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            guard let machine = state.withLock({ remove(owner, &$0) }) else { return continuation.resume() }
            machine.enqueue { machine in
                (machine.attachment as? ScopeTable)?.close(owner)
                machine.answer { continuation.resume() }
            }
        }
    }

    /// Runs `body`, and then lets go of an owner's scopes, whatever came of it.
    func forgetting<Result>(_ owner: ScopeOwner, after body: () async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await forget(owner)
        return try result.get()
    }

    /// Discards the owners' scopes without waiting; their next call gets new ones.
    func drop(_ owners: Set<ScopeOwner>) {
        state.withLock { state in
            for owner in owners { close(owner, &state) }
        }
    }

    private func close(_ owner: ScopeOwner, _ state: inout State) {
        remove(owner, &state)?.enqueue { ($0.attachment as? ScopeTable)?.close(owner) }
    }

    /// Discards scopes of replaced adapter versions in each machine, after its running and queued calls.
    func discardReplaced(in directory: AdapterDirectory) async {
        let machines = state.withLock { $0.machines.values.map(\.virtual) }
        await withTaskGroup(of: Void.self) { group in
            for machine in machines {
                group.addTask {
                    await machine.run { ($0.attachment as? ScopeTable)?.discardReplaced(by: directory.current) }
                }
            }
        }
    }

    private func place(_ owner: ScopeOwner, at now: Int, _ state: inout State) throws -> Int {
        let purpose: Purpose = owner.isPoll ? .polls : .sessions
        let limits = settings.scopes
        let quiet = limits.sharesIdleMachines ? .max : now - Int(limits.quietTime / .milliseconds(1))
        let heap = (settings.calls.heap ?? .max) / 2
        let candidates = state.machines.filter { $0.value.purpose == purpose }
        let free = candidates.filter {
            $0.value.calls == 0 && $0.value.lastUsed < quiet && $0.value.virtual.heapSizeAfterCollection < heap
        }
        if let best = free.min(by: { $0.value.owners < $1.value.owners }) { return best.key }
        if state.machines.count >= limits.machines,
            let best = candidates.min(by: { ($0.value.calls, $0.value.lastUsed) < ($1.value.calls, $1.value.lastUsed) })
        {
            return best.key
        }
        return try addMachine(for: purpose, &state)
    }

    /// Evicts the owner who has been idle longest, when there are too many scopes or they hold too much memory.
    private func makeRoom(for owner: ScopeOwner, _ state: inout State) throws {
        let limits = settings.scopes
        let memory = state.machines.values.reduce(0) { $0 + $1.virtual.heapSizeAfterCollection }
        let isFull = count.value >= limits.number
        guard isFull || memory > limits.memory else { return }
        let idle = state.placements.filter { !$0.key.isPoll && $0.value.calls == 0 }
        guard let longestIdle = idle.min(by: { $0.value.lastUsed < $1.value.lastUsed })?.key else {
            if isFull, !owner.isPoll { throw ScopeLimitError(ceiling: limits.number) }
            return
        }
        close(longestIdle, &state)
        logger.info(
            """
            an idle session lost its variables: \
            \(isFull ? "limits.scopes (\(limits.number)) is reached" : "limits.scopeMemory (\(limits.memory >> 20) MB) is exceeded"); \
            raise the limit, or remove state from adapters
            """)
    }
}

// MARK: Giving up what is idle

extension VirtualMachinePool {
    private func startIdleCleanup(_ state: inout State) {
        guard !state.hasIdleCleanup else { return }
        state.hasIdleCleanup = true
        let pause = settings.scopes.idleTime
        Task { [weak self, time] in
            repeat {
                do {
                    try await time.sleep(untilUptime: time.uptime + pause)
                } catch {
                    return
                }
            } while self?.removeIdleMachines() == true
        }
    }

    /// Removes idle machines: shared ones beyond the number of processors, or all idle ones above the memory limit.
    ///
    /// - Returns: whether there are others left.
    private func removeIdleMachines() -> Bool {
        let longAgo = now - Int(settings.scopes.idleTime / .milliseconds(1))
        let (unused, goesOn) = state.withLock { state in
            let memory = state.machines.values.reduce(0) { $0 + $1.virtual.heapSizeAfterCollection }
            let isTooMuch = memory > settings.scopes.memory
            let surplus = state.idle.dropLast(isTooMuch ? 0 : processors).filter {
                state.machines[$0]?.lastUsed ?? 0 <= longAgo
            }
            state.idle.removeAll(where: surplus.contains)
            let empty = state.machines.filter {
                $0.value.purpose != .shared && $0.value.owners == 0 && $0.value.calls == 0
                    && $0.value.lastUsed <= longAgo
            }
            let unused = (surplus + empty.keys).compactMap { state.machines.removeValue(forKey: $0)?.virtual }
            state.hasIdleCleanup =
                state.machines.count > processors || state.machines.values.contains { $0.purpose != .shared }
            return (unused, state.hasIdleCleanup)
        }
        // Released here, outside the lock.
        _ = unused
        return goesOn
    }
}

/// The number of machines and scopes in use.
public struct ScopeStatus: Sendable, Hashable {
    /// Virtual machines.
    public let machines: Int
    /// Sessions and others that have scopes of their own.
    public let owners: Int
    /// Their scopes.
    public let scopes: Int

    public init(machines: Int, owners: Int, scopes: Int) {
        self.machines = machines
        self.owners = owners
        self.scopes = scopes
    }
}

/// Every scope that there may be is in use.
struct ScopeLimitError: Error, CustomStringConvertible {
    let ceiling: Int

    var description: String {
        "no scope is free: polls and running calls use all \(ceiling) of limits.scopes; retry later, or raise limits.scopes"
    }
}

/// The server stops, and has waited long enough for what was running.
struct ServerStoppingError: Error, CustomStringConvertible {
    let description = "the server is stopping; call again when it is back"
}
