import Core
import JavaScriptEngine
import Logging
import NIOConcurrencyHelpers

/// Calls that run in any machine.
extension VirtualMachinePool {
    /// A call, and the machine in which it begins.
    struct ScheduledCall {
        let job: Job
        let number: Int
        let machine: VirtualMachine
    }

    /// Runs a call: in its owner's machine if it must run there, and otherwise in any.
    ///
    /// - Throws: ``ScopeLimitError``, `EngineStartError`, ``ServerStoppingError``.
    func submit(_ job: Job) throws {
        let now = now
        var placed: PlacedCalls?
        let start = try state.withLockedValue { state -> ScheduledCall? in
            guard !isStopped else { throw ServerStoppingError() }
            placed = try place(job, at: now, &state)
            guard placed == nil else { return nil }
            state.waiting.append(job)
            state.addPending(job.owner, 1)
            do {
                return try nextStart(&state)
            } catch  where !state.machines.values.contains(where: { $0.isForPolls == job.isPoll }) {
                state.waiting.removeLast()
                state.addPending(job.owner, -1)
                throw error
            } catch {
                // One of the machines that there are takes it.
                return nil
            }
        }
        begin(placed)
        begin(start)
    }

    private func begin(_ start: ScheduledCall?) {
        guard let start else { return }
        start.machine.enqueue { [self] in serve(start.job, in: $0, start.number) }
    }

    /// The interval at which the heap of a machine that is in use is collected and measured, for ``RuntimeSettings/Scopes/memory``.
    static let collectionInterval = Duration.seconds(30)

    /// Runs a call, and then queued ones, until the queue is empty or one waits.
    private func serve(_ first: Job?, in machine: isolated VirtualMachine, _ number: Int) {
        let prepare = { @Sendable [weak self] (machine: isolated VirtualMachine) in
            machine.onPause { self?.pause(number) }
        }
        prepare(machine)
        var next = first
        while let job = next {
            let ended = run(job.begin(machine, number, nil), in: machine, prepare: prepare) { [self] machine, ended in
                serve(finish(job, ended, in: machine, number), in: machine, number)
            }
            guard let ended else { return pause(number) }
            next = finish(job, ended, in: machine, number)
        }
        machine.collectGarbage(ifOlderThan: Self.collectionInterval)
    }

    /// Ends a call.
    ///
    /// - Returns: the one that runs next in the machine.
    private func finish(_ job: Job, _ ended: EndedCall, in machine: isolated VirtualMachine, _ number: Int) -> Job? {
        // Without a table the engine could not start here.
        let table = machine.attachment as? ScopeTable
        if ended.isExhausted {
            warnOfExhaustion(job.adapter.name)
            table?.closeShared()
        }
        return end(job, in: number, isUseless: table?.hasOwners != true && (ended.isExhausted || table == nil))
    }

    /// The call waits, or has computed for long: another may begin.
    private func pause(_ number: Int) {
        let start = state.withLockedValue { state in
            guard state.machines[number]?.counts == true else { return nil as ScheduledCall? }
            state.machines[number]?.counts = false
            state.begun -= 1
            return try? nextStart(&state)
        }
        begin(start)
    }

    /// Ends a call.
    ///
    /// - Returns: the one that runs next in the machine.
    private func end(_ job: Job, in number: Int, isUseless: Bool) -> Job? {
        let now = now
        let (next, start) = state.withLockedValue { state -> (Job?, ScheduledCall?) in
            let running = (state.running[job.group] ?? 1) - 1
            state.running[job.group] = running > 0 ? running : nil
            if state.machines[number]?.counts == true {
                state.machines[number]?.counts = false
                state.begun -= 1
            }
            state.addPending(job.owner, -1)
            if isUseless, state.machines[number]?.calls == 1, state.machines[number]?.owners == 0 {
                state.machines[number] = nil
            } else {
                leave(number, at: now, &state)
            }
            let start = try? nextStart(&state)
            return start?.number == number ? (start?.job, nil) : (nil, start)
        }
        begin(start)
        return next
    }

    /// Counts a call as ended in its machine.
    func leave(_ number: Int, at now: Int, _ state: inout MachinePoolState) {
        guard let calls = state.machines[number]?.calls else { return }
        state.machines[number]?.lastUsed = now
        state.machines[number]?.calls = calls - 1
        if calls == 1 { state.idle.append(number) }
    }

    /// Begins queued calls, up to the limit.
    func beginWaiting() {
        begin(state.withLockedValue { try? nextStart(&$0) })
    }

    /// Returns the call that begins now, if one waits and may begin, and its machine.
    ///
    /// - Throws: `EngineStartError`.
    private func nextStart(_ state: inout MachinePoolState) throws -> ScheduledCall? {
        guard !state.waiting.isEmpty, state.begun < processors else { return nil }
        // The calls of one adapter, and all polls, have at most half of the machines that are not full of owners: so a back end that
        // hangs leaves some to others.
        let most = max(1, (settings.scopes.machines - state.full) / 2)
        for isPoll in [false, true] {
            guard
                let index = state.waiting.firstIndex(where: {
                    $0.isPoll == isPoll && state.running[$0.group] ?? 0 < most
                }),
                let number = try freeMachine(for: state.waiting[index].adapter.name, isForPolls: isPoll, &state),
                var machine = state.machines[number]
            else { continue }
            let job = state.waiting.remove(at: index)
            machine.calls = 1
            machine.counts = true
            if machine.adapters.last != job.adapter.name {
                machine.adapters.removeAll { $0 == job.adapter.name }
                machine.adapters.append(job.adapter.name)
                if machine.adapters.count > ScopeTable.mostShared { machine.adapters.removeFirst() }
            }
            state.machines[number] = machine
            state.begun += 1
            state.running[job.group, default: 0] += 1
            return ScheduledCall(job: job, number: number, machine: machine.virtual)
        }
        return nil
    }

    /// Takes an idle machine out of ``MachinePoolState/idle``, or adds one; `nil` when all there may be are busy.
    ///
    /// - Throws: `EngineStartError`.
    func freeMachine(for adapter: String, isForPolls: Bool, _ state: inout MachinePoolState) throws -> Int? {
        let machines = state.machines
        /// Returns the position in ``MachinePoolState/idle`` of a machine that has a shared scope of the adapter, or else of the one with the fewest
        /// owners; among equals, of one that has room for a shared scope and was used last.
        func best(ownersBelow limit: Int) -> Int? {
            var best: (index: Int, key: (Int, Int, Int))?
            for (index, number) in state.idle.enumerated() {
                guard let machine = machines[number], machine.isForPolls == isForPolls, machine.owners < limit else {
                    continue
                }
                let key = (
                    machine.adapters.contains(adapter) ? 0 : 1, machine.owners,
                    machine.adapters.count < ScopeTable.mostShared ? 0 : 1
                )
                if let found = best, found.key < key { continue }
                best = (index, key)
            }
            return best?.index
        }
        let mayAdd =
            machines.count < settings.scopes.machines || !machines.values.contains { $0.isForPolls == isForPolls }
        if let index = best(ownersBelow: 1) {
            let machine = machines[state.idle[index]]
            let hasRoom =
                machine.map { $0.adapters.contains(adapter) || $0.adapters.count < ScopeTable.mostShared } ?? true
            // Takes another machine rather than drop scopes, as long as there may be more machines.
            if hasRoom || !mayAdd || machines.values.reduce(0, { $0 + $1.adapters.count }) >= settings.scopes.number {
                return state.idle.remove(at: index)
            }
        }
        if machines.count < max(1, settings.scopes.machines / 4), mayAdd {
            return try addMachine(isForPolls: isForPolls, &state)
        }
        if let index = best(ownersBelow: Self.mostOwners) { return state.idle.remove(at: index) }
        if mayAdd { return try addMachine(isForPolls: isForPolls, &state) }
        return best(ownersBelow: .max).map { state.idle.remove(at: $0) }
    }

    private func addMachine(isForPolls: Bool, _ state: inout MachinePoolState) throws -> Int {
        let number = state.lastNumber + 1
        let virtual = try VirtualMachine.start(name: "js-\(number)")
        state.lastNumber = number
        state.machines[number] = Machine(virtual: virtual, isForPolls: isForPolls, lastUsed: now)
        startIdleCleanup(&state)
        return number
    }

    func warnOfExhaustion(_ adapter: String) {
        logger.warning(
            """
            \(adapter): scopes reset, with those of other adapters in the same machine or session: the script holds more memory than \
            limits.heap after garbage collection; find the variable that grows with each call, or raise limits.heap
            """)
    }
}

/// Removing machines.
extension VirtualMachinePool {
    private func startIdleCleanup(_ state: inout MachinePoolState) {
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
            let free = state.idle.filter { state.machines[$0]?.owners == 0 }
            let surplus = free.dropLast(state.memory > settings.scopes.memory ? 0 : processors).filter {
                state.machines[$0]?.lastUsed ?? 0 <= longAgo
            }
            state.idle.removeAll(where: surplus.contains)
            let unused = surplus.compactMap { state.machines.removeValue(forKey: $0)?.virtual }
            state.hasIdleCleanup = state.machines.count > processors || state.machines.values.contains { $0.owners > 0 }
            return (unused, state.hasIdleCleanup)
        }
        if !unused.isEmpty { beginWaiting() }
        // Released here, outside the lock.
        _ = unused
        return goesOn
    }
}
