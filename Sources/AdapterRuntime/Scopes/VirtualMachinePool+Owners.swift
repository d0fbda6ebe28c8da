import Core
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers
import Synchronization

/// Calls of owners that have their own scopes.
extension VirtualMachinePool {
    /// Calls that run in their owner's machine.
    struct PlacedCalls {
        /// The call that begins; `nil` for none.
        let job: Job?
        let owner: ScopeOwner
        let number: Int
        let machine: VirtualMachine
        let end: PlacementEnd
        var evicted: Eviction?
        /// True if the owner is the machine's only one.
        var isFirstOwner = false
        /// True if so many owners are new that the machine's heap must be measured.
        var measures = false
    }

    /// Has a call run in its owner's machine, if the owner has scopes there or the adapter's scopes belong to owners.
    ///
    /// - Returns: `nil` when it may run in any machine.
    /// - Throws: ``ScopeLimitError``, `EngineStartError`, ``ServerStoppingError``.
    func place(_ job: Job, at now: Int, _ state: inout MachinePoolState) throws -> PlacedCalls? {
        guard let owner = job.owner else { return nil }
        if state.placements[owner] != nil { return addCalls([job], of: owner, &state) }
        guard owner.ownsAllScopes || !job.adapter.sharesScopes && job.adapter.keepsScopes(for: owner) else {
            return nil
        }
        let evicted = evictIfFull(&state)
        if evicted == nil, count.value >= settings.scopes.number, !owner.isPoll {
            throw ScopeLimitError(ceiling: settings.scopes.number)
        }
        let free =
            try takeOwnersMachine(isForPolls: owner.isPoll, &state)
            ?? freeMachine(for: job.adapter.name, isForPolls: owner.isPoll, &state)
        guard let number = free ?? leastBusyMachine(isForPolls: owner.isPoll, state) else {
            throw ServerStoppingError()
        }
        var calls = place(owner, with: [job], in: number, at: now, &state)
        calls?.evicted = evicted
        return calls
    }

    /// Notes in which machine an owner's scopes are. Its calls that wait for any machine, and these ones, run there.
    private func place(
        _ owner: ScopeOwner, with jobs: [Job], in number: Int, at now: Int, _ state: inout MachinePoolState
    ) -> PlacedCalls? {
        state.placements[owner] = OwnerPlacement(machine: number, lastUsed: now)
        state.addOwners(1, to: number)
        let waiting = state.waiting.filter { $0.owner == owner }
        state.waiting.removeAll { $0.owner == owner }
        state.addPending(owner, -waiting.count)
        var calls = addCalls(waiting + jobs, of: owner, &state)
        if let machine = state.machines[number] {
            // A third of those that there are now: half as many as at the last measurement.
            calls?.measures = machine.newOwners >= max(Self.mostOwners / 2, machine.owners / 3)
            if calls?.measures == true { state.machines[number]?.newOwners = 0 }
        }
        if state.machines[number]?.owners == 1 {
            state.machines[number]?.adapters = []
            calls?.isFirstOwner = true
        }
        return calls
    }

    private func addCalls(_ jobs: [Job], of owner: ScopeOwner, _ state: inout MachinePoolState) -> PlacedCalls? {
        guard let placement = state.placements[owner], let machine = state.machines[placement.machine]?.virtual else {
            return nil
        }
        state.placements[owner]?.queue += jobs
        state.machines[placement.machine]?.calls += jobs.count
        if !jobs.isEmpty { state.idle.removeAll { $0 == placement.machine } }
        // The call that runs begins the next one at its end.
        var next: Job?
        if !placement.isBusy, !jobs.isEmpty {
            next = state.placements[owner]?.queue.removeFirst()
            state.placements[owner]?.isBusy = true
        }
        return PlacedCalls(
            job: next, owner: owner, number: placement.machine, machine: machine, end: placement.end)
    }

    func begin(_ calls: PlacedCalls?) {
        guard let calls else { return }
        close(calls.evicted)
        if calls.isFirstOwner {
            // The machine is to stay. Other calls go to machines without owners, which go when nobody uses them.
            calls.machine.enqueue { machine in
                if (machine.attachment as? ScopeTable)?.closeShared() == true { machine.collectGarbage() }
            }
        }
        if let job = calls.job {
            calls.machine.enqueue { [self] in begin(job, of: calls.owner, calls.end, in: $0, calls.number) }
        }
        if calls.measures { calls.machine.enqueue { $0.collectGarbage() } }
    }

    private func begin(
        _ job: Job, of owner: ScopeOwner, _ end: PlacementEnd, in machine: isolated VirtualMachine, _ number: Int
    ) {
        let prepare = { @Sendable (machine: isolated VirtualMachine) in machine.onPause {} }
        prepare(machine)
        let finish = { @Sendable [self] (machine: isolated VirtualMachine, ended: EndedCall) in
            leave(owner, end, number, machine, isExhausted: ended.isExhausted)
            if ended.isExhausted { warnOfExhaustion(job.adapter.name) }
            machine.collectGarbage(ifOlderThan: Self.collectionInterval)
        }
        if let ended = run(job.begin(machine, number, end), in: machine, prepare: prepare, then: finish) {
            finish(machine, ended)
        }
    }

    /// Takes an idle machine where others have scopes, once that is so in a quarter of ``RuntimeSettings/Scopes/machines``: then the machines
    /// that came for calls that wait can go again.
    private func takeOwnersMachine(isForPolls: Bool, _ state: inout MachinePoolState) -> Int? {
        let machines = state.machines
        let hasOwners = { (number: Int) in
            machines[number].map { $0.owners > 0 && $0.isForPolls == isForPolls } ?? false
        }
        guard machines.keys.lazy.filter(hasOwners).count >= settings.scopes.machines / 4 else { return nil }
        let best = state.idle.lazy.filter(hasOwners).min { machines[$0]?.owners ?? 0 < machines[$1]?.owners ?? 0 }
        guard let best, machines[best]?.owners ?? 0 < Self.mostOwners else { return nil }
        state.idle.removeAll { $0 == best }
        return best
    }

    private func leastBusyMachine(isForPolls: Bool, _ state: MachinePoolState) -> Int? {
        state.machines.filter { $0.value.isForPolls == isForPolls }
            .min { ($0.value.calls, $0.value.owners) < ($1.value.calls, $1.value.owners) }?.key
    }

    /// Has an owner's scopes belong in a machine, in which a call has left some.
    ///
    /// - Returns: `nil` when the owner's scopes are in another machine, or the owner has ended.
    func adopt(_ owner: ScopeOwner, _ number: Int) -> PlacementEnd? {
        let now = now
        var adopted: PlacementEnd?
        let calls = state.withLockedValue { state -> PlacedCalls? in
            if let placement = state.placements[owner] {
                adopted = placement.machine == number ? placement.end : nil
                return nil
            }
            guard state.machines[number] != nil, !state.ended.contains(owner) else { return nil }
            let evicted = evictIfFull(&state)
            var calls = place(owner, with: [], in: number, at: now, &state)
            calls?.evicted = evicted
            adopted = state.placements[owner]?.end
            return calls
        }
        begin(calls)
        return adopted
    }

    private func leave(
        _ owner: ScopeOwner, _ end: PlacementEnd, _ number: Int, _ machine: isolated VirtualMachine, isExhausted: Bool
    ) {
        let now = now
        let table = machine.attachment as? ScopeTable
        let isEmpty = table?.hasScopes(of: owner, end) != true
        var next: Job?
        let (removal, evicted) = state.withLockedValue { state -> (Eviction?, Eviction?) in
            leave(number, at: now, &state)
            var removal: Eviction?
            if var placement = state.placements[owner], placement.end === end {
                placement.lastUsed = now
                placement.isBusy = !placement.queue.isEmpty
                if isExhausted || isEmpty && placement.queue.isEmpty {
                    removal = remove(owner, &state)
                } else {
                    if placement.isBusy { next = placement.queue.removeFirst() }
                    state.placements[owner] = placement
                }
            }
            // A call may have made more scopes than there may be.
            return (removal, count.value > settings.scopes.number ? evictIfFull(&state) : nil)
        }
        if let removal {
            table?.close(owner, end)
            for job in removal.queue { resubmit(job) }
        }
        if isExhausted { table?.closeShared() }
        close(evicted)
        if let next { machine.enqueue { [self] in begin(next, of: owner, end, in: $0, number) } }
        beginWaiting()
    }

    private func resubmit(_ job: Job) {
        do {
            try submit(job)
        } catch {
            job.refuse(error)
        }
    }

    /// An owner whose scopes will be closed.
    struct Eviction {
        let owner: ScopeOwner
        let machine: VirtualMachine
        let end: PlacementEnd
        /// Its calls that have not begun.
        let queue: [Job]
        /// The setting that made it necessary; `nil` for none.
        var limit: String?
        /// For the log.
        var reason = ""
    }

    @discardableResult
    func remove(_ owner: ScopeOwner, _ state: inout MachinePoolState) -> Eviction? {
        guard let placement = state.placements.removeValue(forKey: owner) else { return nil }
        placement.end.hasCome.store(true, ordering: .relaxed)
        state.addOwners(-1, to: placement.machine)
        state.machines[placement.machine]?.calls -= placement.queue.count
        guard let machine = state.machines[placement.machine]?.virtual else { return nil }
        return Eviction(owner: owner, machine: machine, end: placement.end, queue: placement.queue)
    }

    /// Closes an owner's scopes, or has the call that uses them close them at its end, and then calls `completion`.
    func close(_ eviction: Eviction?, completion: (@Sendable () -> Void)? = nil) {
        guard let eviction else {
            completion?()
            return
        }
        if let limit = eviction.limit {
            log.guards.acted(limit)
            log.log(
                eviction.reason, at: .info,
                "an idle session lost its variables: \(eviction.reason); raise the limit, or remove state from adapters"
            )
        }
        eviction.machine.enqueue { [self] machine in
            (machine.attachment as? ScopeTable)?.close(eviction.owner, eviction.end)
            for job in eviction.queue { resubmit(job) }
            if let completion { machine.answer(completion) }
        }
    }

    /// Lets go of an owner's scopes. Later calls get others, even if a call runs or waits in these.
    func forget(_ owner: ScopeOwner) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            close(state.withLockedValue { end(owner, &$0) }) { continuation.resume() }
        }
    }

    /// Runs `body`, and then releases an owner's scopes, also after an error.
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
        for owner in owners { close(state.withLockedValue { end(owner, &$0) }) }
    }

    /// Discards scopes of replaced adapter versions in each machine, after its running and queued calls.
    func discardReplaced(in directory: AdapterDirectory) async {
        let machines = state.withLockedValue { $0.machines.values.map(\.virtual) }
        await withTaskGroup(of: Void.self) { group in
            for machine in machines {
                group.addTask {
                    await machine.run { ($0.attachment as? ScopeTable)?.discardReplaced(by: directory.current) }
                }
            }
        }
    }

    /// Ends an owner: calls of it that run or wait leave it no scopes.
    private func end(_ owner: ScopeOwner, _ state: inout MachinePoolState) -> Eviction? {
        if state.pending[owner] != nil { state.ended.insert(owner) }
        return remove(owner, &state)
    }

    /// Removes the owner who has been idle longest when there are too many scopes.
    private func evictIfFull(_ state: inout MachinePoolState) -> Eviction? {
        let limit = settings.scopes.number
        guard count.value >= limit else { return nil }
        let idle = state.placements.lazy.filter { !$0.key.isPoll && !$0.value.isBusy }
        guard let longestIdle = idle.min(by: { $0.value.lastUsed < $1.value.lastUsed })?.key else { return nil }
        var eviction = remove(longestIdle, &state)
        eviction?.limit = "limits.scopes"
        eviction?.reason = "limits.scopes (\(limit)) is reached"
        return eviction
    }

    /// Notes the size of a machine's heap after a collection, and closes the scopes of the owners who have been idle longest when the heaps are
    /// larger than ``RuntimeSettings/Scopes/memory``: as many as hold the surplus on average.
    func noteHeap(_ heap: Int, of number: Int) {
        let limit = settings.scopes.memory
        let evictions = state.withLockedValue { state -> [Eviction] in
            state.machines[number]?.heap = heap
            state.machines[number]?.newOwners = 0
            let memory = state.memory
            guard memory > limit, !state.placements.isEmpty else { return [] }
            let average = max(1, memory / state.placements.count)
            return state.placements.filter { !$0.key.isPoll && !$0.value.isBusy }
                .sorted { $0.value.lastUsed < $1.value.lastUsed }.prefix((memory - limit) / average + 1)
                .compactMap { owner, placement in
                    // Until it is measured again.
                    state.machines[placement.machine]?.heap -= average
                    var eviction = remove(owner, &state)
                    eviction?.limit = "limits.scopeMemory"
                    eviction?.reason = "limits.scopeMemory (\(limit >> 20) MB) is exceeded"
                    return eviction
                }
        }
        for eviction in evictions { close(eviction) }
        for machine in Dictionary(grouping: evictions, by: { ObjectIdentifier($0.machine) }).values {
            machine.first?.machine.enqueue { $0.collectGarbage() }
        }
    }
}
