import Core
import Databases
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers
import Synchronization

/// The ends of owners.
extension VirtualMachinePool {
    /// An owner whose scopes will be closed.
    struct Eviction {
        let key: PlacementKey
        let machine: VirtualMachine
        let end: PlacementEnd
        /// Its calls that have not begun.
        let queue: [Job]
        /// The setting that made it necessary; `nil` for none.
        var limit: String?
        /// For the log.
        var reason = ""
    }

    func remove(_ key: PlacementKey, _ state: inout State) -> Eviction? {
        guard let placement = state.placements[key.owner]?.removeValue(forKey: key.group) else { return nil }
        if state.placements[key.owner]?.isEmpty == true { state.placements[key.owner] = nil }
        placement.end.hasCome.store(true, ordering: .relaxed)
        state.addOwners(-1, to: placement.machine)
        if let network = placement.session?.network, let count = state.networks[network] {
            state.networks[network] = count > 1 ? count - 1 : nil
        }
        state.machines[placement.machine]?.calls -= placement.queue.count
        guard let machine = state.machines[placement.machine]?.virtual else { return nil }
        return Eviction(key: key, machine: machine, end: placement.end, queue: placement.queue)
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
            (machine.attachment as? ScopeTable)?.close(eviction.end)
            if eviction.limit != nil { state.withLockedValue { $0.closing -= 1 } }
            for job in eviction.queue { resubmit(job) }
            if let completion { machine.answer(completion) }
        }
    }

    /// Lets go of an owner's scopes. Later calls get others, even if a call runs or waits in these.
    func forget(_ owner: ScopeOwner) async {
        for eviction in state.withLockedValue({ end(owner, &$0) }) {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                close(eviction) { continuation.resume() }
            }
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
        for owner in owners {
            for eviction in state.withLockedValue({ end(owner, &$0) }) { close(eviction) }
        }
    }

    /// Discards scopes of replaced adapter versions in each machine, after its running and queued calls.
    func discardReplaced(in directory: AdapterDirectory) async {
        let adapters = directory.current
        var changed: [String] = []
        let (machines, ended) = state.withLockedValue { state in
            // Groups that got other adapters start again, without variables.
            let replaced = state.placements.flatMap { owner, groups in
                groups.keys.filter { !adapters.has($0.adapters) }.map { PlacementKey(owner: owner, group: $0) }
            }
            let names = replaced.filter { !$0.owner.isPoll }.flatMap { key in
                state.placements[key.owner]?[key.group].flatMap { state.machines[$0.machine]?.adapters } ?? []
            }
            if !names.isEmpty { changed = Set(names).sorted() }
            return (state.machines.values.map(\.virtual), replaced.compactMap { remove($0, &state) })
        }
        if !changed.isEmpty {
            logger.notice(
                """
                sessions lost their variables of \(changed.joined(separator: ", ")): by the deployment other adapters call each other \
                (invokeProcedure), and those that do share virtual machines
                """)
        }
        for eviction in ended { close(eviction) }
        await withTaskGroup(of: Void.self) { group in
            for machine in machines {
                group.addTask {
                    await machine.run { ($0.attachment as? ScopeTable)?.discardReplaced(by: directory.current) }
                }
            }
        }
    }

    /// Ends an owner: calls of it that run or wait leave it no scopes.
    private func end(_ owner: ScopeOwner, _ state: inout State) -> [Eviction] {
        (state.placements[owner] ?? [:]).keys.compactMap { remove(PlacementKey(owner: owner, group: $0), &state) }
    }

    /// Ends placements where there are too many for one more: of sessions without a user at a network, of which a tenth of all may be, or of all.
    ///
    /// Several at once, a hundredth of those that there may be: to find them takes a while.
    func makeRoom(for network: String?, _ state: inout State) -> [Eviction] {
        let limit = settings.scopes.number
        let tenth = max(1, limit / 10)
        if let network, state.networks[network] ?? 0 >= tenth {
            let isGuest = { (placement: OwnerPlacement) in
                placement.session?.network == network && placement.session?.evictionPriority != .user
            }
            if state.placements.values.joined().count(where: { isGuest($0.value) }) >= tenth {
                let reason = "the sessions without a user at one address have a tenth of limits.scopes (\(limit))"
                return evict(state.idlePlacements(max(1, tenth / 100), where: isGuest), "limits.scopes", reason, &state)
            }
        }
        guard count.value - state.closing >= limit else { return [] }
        return evict(
            state.idlePlacements(max(1, limit / 100)) { _ in true }, "limits.scopes",
            "limits.scopes (\(limit)) is reached", &state)
    }

    private func evict(_ keys: [PlacementKey], _ limit: String, _ reason: String, _ state: inout State) -> [Eviction] {
        let evictions = keys.compactMap { key -> Eviction? in
            var eviction = remove(key, &state)
            eviction?.limit = limit
            eviction?.reason = reason
            return eviction
        }
        state.closing += evictions.count
        return evictions
    }

    /// Notes the size of a machine's heap after a collection, and resets what holds too much:
    /// - the polls of the machine, its only owner or its shared scopes, if they hold more than a call's heap may have;
    /// - idle owners of the machine with the largest heap, in the order of their sessions, if all heaps are larger than
    ///   ``RuntimeSettings/Scopes/memory``: as many as hold the surplus on average;
    /// - that machine, with its running calls, if none of its owners is idle.
    func noteHeap(_ heap: Int, of number: Int) {
        let (evictions, removed, exhausted) = state.withLockedValue {
            state -> ([Eviction], removed: Machine?, exhausted: Machine?) in
            guard let machine = state.machines[number] else { return ([], nil, nil) }
            state.machines[number]?.heap = heap
            state.machines[number]?.newOwners = 0
            let isPolls = machine.group.kind == .polls
            let most = (isPolls ? settings.polls : settings.calls).heap ?? .max
            if heap > most, isPolls || machine.owners <= 1 {
                return (state.keys(in: number).compactMap { remove($0, &state) }, nil, machine)
            }
            return reduceMemory(&state)
        }
        for eviction in evictions { close(eviction) }
        if let removed { end(removed) }
        (exhausted?.virtual ?? evictions.first?.machine)?.enqueue { [self] machine in
            let hasClosed = exhausted != nil && (machine.attachment as? ScopeTable)?.closeShared() == true
            guard hasClosed || !evictions.isEmpty else { return }
            if let exhausted { warnOfExhaustion(exhausted.adapters) }
            machine.collectGarbage()
        }
    }

    private func reduceMemory(_ state: inout State) -> ([Eviction], removed: Machine?, exhausted: Machine?) {
        let memory = state.memory
        let limit = settings.scopes.memory
        guard memory > limit, let (number, largest) = state.machines.max(by: { $0.value.heap < $1.value.heap }) else {
            return ([], nil, nil)
        }
        let average = max(1, largest.heap / max(1, largest.owners))
        let idle = state.idlePlacements((memory - limit) / average + 1) { $0.machine == number }
        guard !idle.isEmpty else {
            let evictions = state.keys(in: number).compactMap { remove($0, &state) }
            remove(machine: number, &state)
            return (evictions, largest, nil)
        }
        let evictions = evict(
            idle, "limits.scopeMemory", "limits.scopeMemory (\(limit >> 20) MB) is exceeded", &state)
        // Until it is measured again.
        state.machines[number]?.heap -= average * evictions.count
        return (evictions, nil, nil)
    }

    /// Ends the calls of a machine that nobody uses for new ones any more.
    private func end(_ machine: Machine) {
        let reason = """
            the scripts of all adapters hold more than limits.scopeMemory (\(settings.scopes.memory >> 20) MB), and those in its virtual \
            machine most; keep less in variables, or raise the limit
            """
        log.guards.acted("limits.scopeMemory")
        logger.warning(
            "\(machine.adapters.joined(separator: ", ")): calls ended and scopes reset: \(reason)"
        )
        machine.virtual.interrupt(reason: reason)
    }
}
