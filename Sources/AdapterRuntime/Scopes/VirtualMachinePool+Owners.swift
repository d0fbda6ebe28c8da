import JavaScriptEngine
import Logging
import Synchronization

/// Calls that may reach variables of their owner.
extension VirtualMachinePool {
    func submit(_ job: Job, for owner: ScopeOwner, _ adapter: AdapterCommon) throws {
        let now = now
        let (number, machine, end, evicted) = try state.withLock { state in
            guard !isStopped else { throw ServerStoppingError() }
            var evicted: Eviction?
            if state.placements[owner] == nil {
                evicted = evictIfFull(&state)
                if evicted == nil, count.value >= settings.scopes.number, !owner.isPoll {
                    throw ScopeLimitError(ceiling: settings.scopes.number)
                }
                let number = try place(owner, at: now, &state)
                state.placements[owner] = OwnerPlacement(machine: number, lastUsed: now)
                state.machines[number]?.owners += 1
            }
            guard let placement = state.placements[owner], let machine = state.machines[placement.machine]?.virtual
            else {
                throw ServerStoppingError()
            }
            change(owner, placement.machine, placement.end, by: 1, at: now, &state)
            return (placement.machine, machine, placement.end, evicted)
        }
        close(evicted)
        machine.enqueue { [self] machine in
            machine.answer(job.run(machine))
            leave(owner, number, end, machine, adapter)
        }
    }

    func change(
        _ owner: ScopeOwner, _ number: Int, _ end: PlacementEnd, by calls: Int, at now: Int, _ state: inout State
    ) {
        if state.placements[owner]?.end === end {
            state.placements[owner]?.calls += calls
            state.placements[owner]?.lastUsed = now
        }
        state.machines[number]?.calls += calls
        state.machines[number]?.lastUsed = now
    }

    func leave(
        _ owner: ScopeOwner, _ number: Int, _ end: PlacementEnd, _ machine: isolated VirtualMachine,
        _ adapter: AdapterCommon
    ) {
        let now = now
        let table = machine.attachment as? ScopeTable
        let isExhausted = table?.isExhausted ?? false
        let (isOthers, evicted) = state.withLock { state in
            change(owner, number, end, by: -1, at: now, &state)
            if isExhausted, state.placements[owner]?.end === end { remove(owner, &state) }
            // A call may have made more scopes than there may be.
            let evicted = count.value > settings.scopes.number ? evictIfFull(&state) : nil
            return (state.placements[owner].map { $0.machine == number && $0.end !== end } ?? false, evicted)
        }
        close(evicted)
        if isExhausted { end.hasCome.store(true, ordering: .relaxed) }
        // The scopes were closed while the call was on its way here, so nobody else closes those that it has made.
        if isExhausted || end.hasCome.load(ordering: .relaxed) && !isOthers { table?.close(owner) }
        if isExhausted { warnOfExhaustion(adapter.name) }
    }

    /// An owner whose scopes are to be closed.
    struct Eviction {
        let owner: ScopeOwner
        let machine: VirtualMachine
        let end: PlacementEnd
        var reason = ""
    }

    @discardableResult
    func remove(_ owner: ScopeOwner, _ state: inout State) -> Eviction? {
        guard let placement = state.placements.removeValue(forKey: owner) else { return nil }
        state.machines[placement.machine]?.owners -= 1
        guard let machine = state.machines[placement.machine]?.virtual else { return nil }
        return Eviction(owner: owner, machine: machine, end: placement.end)
    }

    /// Closes the scopes once what runs in them has ended, and then calls `completion`.
    func close(_ eviction: Eviction?, completion: (@Sendable () -> Void)? = nil) {
        guard let eviction else {
            completion?()
            return
        }
        if !eviction.reason.isEmpty {
            logger.info(
                "an idle session lost its variables: \(eviction.reason); raise the limit, or remove state from adapters"
            )
        }
        eviction.machine.enqueue { machine in
            eviction.end.hasCome.store(true, ordering: .relaxed)
            (machine.attachment as? ScopeTable)?.close(eviction.owner)
            if let completion { machine.answer(completion) }
        }
    }

    /// Lets go of an owner's scopes once what runs in them has ended.
    func forget(_ owner: ScopeOwner) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            close(state.withLock { remove(owner, &$0) }) { continuation.resume() }
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
        for owner in owners { close(state.withLock { remove(owner, &$0) }) }
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

    func place(_ owner: ScopeOwner, at now: Int, _ state: inout State) throws -> Int {
        let purpose: Purpose = owner.isPoll ? .polls : .sessions
        let limits = settings.scopes
        let quiet = limits.sharesIdleMachines ? .max : now - Int(limits.quietTime / .milliseconds(1))
        let heap = (settings.calls.heap ?? .max) / 2
        let candidates = state.machines.filter { $0.value.purpose == purpose }
        let free = candidates.filter {
            $0.value.calls == 0 && $0.value.lastUsed < quiet && $0.value.virtual.heapSizeAfterCollection < heap
        }
        if let best = free.min(by: { $0.value.owners < $1.value.owners }) { return best.key }
        // Sessions have half of the machines at most, and polls a quarter: the others are for calls that belong to nobody.
        let most = max(1, limits.machines / (purpose == .polls ? 4 : 2))
        if candidates.count >= most || state.machines.count >= limits.machines,
            let best = candidates.min(by: { ($0.value.calls, $0.value.lastUsed) < ($1.value.calls, $1.value.lastUsed) })
        {
            return best.key
        }
        return try addMachine(for: purpose, &state)
    }

    /// Removes the owner who has been idle longest, when there are too many scopes or they hold too much memory.
    func evictIfFull(_ state: inout State) -> Eviction? {
        let limits = settings.scopes
        let memory = state.machines.values.reduce(0) { $0 + $1.virtual.heapSizeAfterCollection }
        let isFull = count.value >= limits.number
        guard isFull || memory > limits.memory else { return nil }
        let idle = state.placements.lazy.filter { !$0.key.isPoll && $0.value.calls == 0 }
        guard let longestIdle = idle.min(by: { $0.value.lastUsed < $1.value.lastUsed })?.key else { return nil }
        var eviction = remove(longestIdle, &state)
        eviction?.reason =
            isFull
            ? "limits.scopes (\(limits.number)) is reached"
            : "limits.scopeMemory (\(limits.memory >> 20) MB) is exceeded"
        return eviction
    }
}
