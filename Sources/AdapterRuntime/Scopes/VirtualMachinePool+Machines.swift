import Core
import Databases
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers
import Synchronization

/// Calls and their machines.
extension VirtualMachinePool {
    /// Has a call run: in the machine of its owner's scopes, behind the owner's other calls, or in one of its group's.
    ///
    /// - Throws: ``ScopeLimitError``, ``OwnerQueueError``, `EngineStartError`, ``ServerStoppingError``.
    func submit(_ job: Job) throws {
        do {
            try place(job)
        } catch {
            let limit =
                error is OwnerQueueError ? "limits.waitingCalls" : error is ScopeLimitError ? "limits.scopes" : nil
            if let limit { log.reached(limit, by: job.session?.network, "refused a call of \(job.label)") }
            throw error
        }
    }

    private func place(_ job: Job) throws {
        let now = now
        let adapters = job.adapter.directory.current.group(of: job.adapter.name)
        let group = Group(kind: job.kind, adapters: adapters.id)
        let (first, evicted) = try state.withLockedValue { state -> (Start?, [Eviction]) in
            guard !isStopped else { throw ServerStoppingError() }
            var job = job
            if job.number == 0 {
                state.lastCall += 1
                job.number = state.lastCall
            }
            guard let owner = job.owner, owner.ownsAllScopes || owner.isPoll || adapters.keepsScopes else {
                let number = try machine(for: group, adapters, &state)
                return (start(job, in: number, nil, &state), [])
            }
            if var placement = state.placements[owner]?[group] {
                guard let running = placement.running else {
                    placement.running = job.label
                    state.placements[owner]?[group] = placement
                    return (start(job, in: placement.machine, placement.end, &state), [])
                }
                guard placement.queue.count < longestQueue else {
                    throw OwnerQueueError(label: job.label, count: longestQueue, running: running)
                }
                job.queued = job.queued ?? (now, "\(placement.queue.last?.label ?? running) of the same session")
                placement.queue.append(job)
                state.note(.queued, of: job, now: now)
                state.placements[owner]?[group] = placement
                state.machines[placement.machine]?.calls += 1
                return (nil, [])
            }
            let network = owner.isSession ? job.session?.network : nil
            let evicted = makeRoom(for: network, &state)
            if evicted.isEmpty, count.value - state.closing >= settings.scopes.number, !owner.isPoll {
                throw ScopeLimitError(ceiling: settings.scopes.number)
            }
            let number = try machine(for: group, adapters, &state)
            let placement = OwnerPlacement(
                machine: number, session: owner.isSession ? job.session : nil, running: job.label, lastUsed: now)
            state.placements[owner, default: [:]][group] = placement
            state.addOwners(1, to: number)
            if let network { state.networks[network, default: 0] += 1 }
            return (start(job, in: number, placement.end, &state), evicted)
        }
        for eviction in evicted { close(eviction) }
        begin(first, group)
    }

    /// The number of calls that may wait for an owner's running call: a tenth of those that may wait for an adapter.
    var longestQueue: Int { max(1, settings.waitingCalls / 10) }

    /// A call that begins.
    struct Start {
        let job: Job
        let number: Int
        let machine: VirtualMachine
        let end: PlacementEnd?
        /// True if the machine runs another call.
        let waits: Bool
        /// True if so many owners are new that the machine's heap must be measured.
        let measures: Bool
    }

    private func start(_ job: Job, in number: Int, _ end: PlacementEnd?, _ state: inout State) -> Start? {
        guard let machine = state.machines[number] else { return nil }
        var job = job
        let waits = machine.steps > 0
        if waits { job.queued = job.queued ?? (now, "\(machine.lastLabel) in the same virtual machine") }
        // A third of those that there are now: half as many as at the last measurement.
        let measures = machine.newOwners >= max(8, machine.owners / 3)
        if measures { state.machines[number]?.newOwners = 0 }
        state.machines[number]?.calls += 1
        state.machines[number]?.addStep(of: job.label, now: now)
        state.note(waits ? .queued : .running, of: job, now: now)
        return Start(job: job, number: number, machine: machine.virtual, end: end, waits: waits, measures: measures)
    }

    private func begin(_ start: Start?, _ group: Group) {
        guard let start else { return }
        let (job, number) = (start.job, start.number)
        start.machine.enqueue { [self] machine in
            let queueTime = job.queued.map { QueueTime(time: .milliseconds(now - $0.since), behind: $0.behind) }
            let onPhase = { @Sendable [self] phase in state.withLockedValue { $0.note(phase, of: job, now: now) } }
            if start.waits { onPhase(.running) }
            let begin = CallStart(machine: number, placement: start.end, queueTime: queueTime, onPhase: onPhase)
            advance(job.begin(machine, begin), of: job, start.end, group, in: machine, number)
        }
        if start.measures { start.machine.enqueue { $0.collectGarbage() } }
    }

    /// Goes on with a call after a step.
    private func advance(
        _ step: CallStep, of job: Job, _ end: PlacementEnd?, _ group: Group, in machine: isolated VirtualMachine,
        _ number: Int
    ) {
        switch step {
        case .ended(let ended):
            machine.answer(ended.deliver)
            leave(job, end, group, machine, number, isExhausted: ended.isExhausted)
            if ended.isExhausted { warnOfExhaustion([job.adapter.name]) }
            machine.collectGarbage(ifOlderThan: Self.collectionInterval)
        case .waits(let wait, let next):
            guard let table = machine.attachment as? ScopeTable else { return }
            let step = table.keep(next)
            let now = now
            state.withLockedValue { state in
                state.machines[number]?.removeStep(now: now)
                state.note(.waiting, of: job, now: now)
            }
            machine.collectGarbage(ifOlderThan: Self.collectionInterval)
            wait.begin { [self, machine] in
                let now = self.now
                state.withLockedValue { state in
                    state.machines[number]?.addStep(of: job.label, now: now)
                    state.note(.running, of: job, now: now)
                }
                machine.enqueue { [self] machine in
                    guard let next = (machine.attachment as? ScopeTable)?.takeStep(step) else { return }
                    advance(next(), of: job, end, group, in: machine, number)
                }
            }
        }
    }

    /// The interval at which the heap of a machine that is in use is collected and measured, for ``RuntimeSettings/Scopes/memory``.
    static let collectionInterval = Duration.seconds(30)

    private func leave(
        _ job: Job, _ end: PlacementEnd?, _ group: Group, _ machine: isolated VirtualMachine, _ number: Int,
        isExhausted: Bool
    ) {
        let now = now
        let table = machine.attachment as? ScopeTable
        let isEmpty = end.map { table?.hasScopes($0) != true } ?? true
        var next: Start?
        let (removal, evicted) = state.withLockedValue { state -> (Eviction?, [Eviction]) in
            state.machines[number]?.lastUsed = now
            state.machines[number]?.calls -= 1
            state.machines[number]?.removeStep(now: now)
            state.note(nil, of: job, now: now)
            // Without a table the engine could not start here.
            if isExhausted || table == nil, state.machines[number]?.calls == 0, state.machines[number]?.owners == 0 {
                remove(machine: number, &state)
            }
            var removal: Eviction?
            if let owner = job.owner, var placement = state.placements[owner]?[group], placement.end === end {
                placement.lastUsed = now
                if isExhausted || isEmpty && placement.queue.isEmpty {
                    removal = remove(PlacementKey(owner: owner, group: group), &state)
                } else {
                    let first = placement.queue.isEmpty ? nil : placement.queue.removeFirst()
                    placement.running = first?.label
                    state.placements[owner]?[group] = placement
                    if let first {
                        // It was counted when it was queued.
                        state.machines[number]?.calls -= 1
                        next = start(first, in: number, placement.end, &state)
                    }
                }
            }
            // A call may have made more scopes than there may be.
            return (removal, count.value > settings.scopes.number ? makeRoom(for: nil, &state) : [])
        }
        if let removal {
            table?.close(removal.end)
            for job in removal.queue { resubmit(job) }
        }
        for eviction in evicted { close(eviction) }
        begin(next, group)
    }

    func resubmit(_ job: Job) {
        do {
            try submit(job)
        } catch {
            state.withLockedValue { $0.note(nil, of: job, now: now) }
            job.refuse(error)
        }
    }

    /// Returns the machine of a group in which the next call begins that has none yet: the one with the fewest steps, and among equals with the
    /// fewest owners; a new one if there are ``ownersPerMachine`` owners for each or all are busy, and there may be more.
    ///
    /// - Throws: `EngineStartError`.
    private func machine(for group: Group, _ adapters: AdapterGroup, _ state: inout State) throws -> Int {
        func best(of numbers: some Sequence<Int>) -> Int? {
            numbers.min { first, second in
                guard let first = state.machines[first], let second = state.machines[second] else { return false }
                return (first.steps, first.owners) < (second.steps, second.owners)
            }
        }
        let numbers = state.numbers[group] ?? []
        let known = best(of: numbers)
        let owners = numbers.reduce(0) { $0 + (state.machines[$1]?.owners ?? 0) }
        let isSpread = numbers.count >= min(processors, 1 + owners / Self.ownersPerMachine)
        if let known, isSpread, state.machines[known]?.steps == 0 { return known }
        let latest = now - Int(Self.longStep / .milliseconds(1))
        let holds =
            adapters.holdsMachine || group.kind == .tools
            || numbers.allSatisfy { state.machines[$0]?.stepBegin ?? 0 <= latest }
        let most = holds ? max(processors, settings.scopes.machines / 4) : processors
        let mayAdd = state.machines.count < settings.scopes.machines && numbers.count < most
        if mayAdd {
            do {
                return try addMachine(of: group, adapters, &state)
            } catch  where known != nil || !state.machines.isEmpty {
                // One of those that there are takes the call.
            }
        }
        if let known { return known }
        // There may be no more machines: the groups share them.
        if let other = best(of: state.machines.keys.filter { state.machines[$0]?.group.kind == group.kind }) {
            return other
        }
        return try addMachine(of: group, adapters, &state)
    }

    private func addMachine(of group: Group, _ adapters: AdapterGroup, _ state: inout State) throws -> Int {
        let number = state.lastNumber + 1
        let virtual = try VirtualMachine.start(name: "js-\(number)")
        state.lastNumber = number
        state.machines[number] = Machine(
            virtual: virtual, group: group, adapters: adapters.members, lastUsed: now)
        state.numbers[group, default: []].append(number)
        startIdleCleanup(&state)
        return number
    }

    @discardableResult
    func remove(machine number: Int, _ state: inout State) -> VirtualMachine? {
        guard let machine = state.machines.removeValue(forKey: number) else { return nil }
        state.numbers[machine.group]?.removeAll { $0 == number }
        if state.numbers[machine.group]?.isEmpty == true { state.numbers[machine.group] = nil }
        return machine.virtual
    }

    func warnOfExhaustion(_ adapters: [String]) {
        logger.warning(
            """
            \(adapters.joined(separator: ", ")): scopes reset: the script holds more memory than limits.heap after garbage \
            collection; find the variable that grows with each call, or raise limits.heap
            """)
    }

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

    /// Removes idle machines without owners: those beyond the number of processors, or all above the memory limit.
    ///
    /// - Returns: whether there are others left.
    private func removeIdleMachines() -> Bool {
        let longAgo = now - Int(settings.scopes.idleTime / .milliseconds(1))
        let (unused, goesOn) = state.withLockedValue { state in
            let free = state.machines.filter { $0.value.owners == 0 && $0.value.calls == 0 }
                .sorted { $0.value.lastUsed < $1.value.lastUsed }
            let surplus = free.dropLast(state.memory > settings.scopes.memory ? 0 : processors)
                .filter { $0.value.lastUsed <= longAgo }
            let unused = surplus.compactMap { remove(machine: $0.key, &state) }
            state.hasIdleCleanup = state.machines.count > processors || state.machines.values.contains { $0.owners > 0 }
            return (unused, state.hasIdleCleanup)
        }
        // Released here, outside the lock.
        _ = unused
        return goesOn
    }
}
