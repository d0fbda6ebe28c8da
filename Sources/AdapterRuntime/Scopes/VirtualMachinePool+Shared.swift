import JavaScriptEngine
import Logging
import PushModel
import Synchronization

/// Calls that belong to nobody's variables.
extension VirtualMachinePool {
    /// A call, and the machine in which it begins.
    struct Start {
        let job: Job
        let number: Int
        let machine: VirtualMachine
    }

    func submit(_ job: Job) throws {
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

    func begin(_ start: Start?) {
        guard let start else { return }
        start.machine.enqueue { [self] in serve(start.job, in: $0, start.number) }
    }

    /// How often the heap of a shared machine that is never idle for long is collected and measured, for ``RuntimeSettings/Scopes/memory``.
    static let collectionInterval = Duration.seconds(30)

    /// Runs a call, and then those that wait, until there is none.
    func serve(_ first: Job, in machine: isolated VirtualMachine, _ number: Int) {
        machine.onPause { [weak self] in self?.pause(number) }
        var next: Job? = first
        while let job = next {
            machine.answer(job.run(machine))
            // Without a table the engine could not start here.
            let table = machine.attachment as? ScopeTable
            next = end(job, in: number, isUseless: table?.isExhausted ?? true)
            if next == nil, table?.isExhausted == true { warnOfExhaustion(job.adapter) }
        }
        machine.collectGarbage(ifOlderThan: Self.collectionInterval)
    }

    /// The call of a shared machine waits, or has computed for long: another may begin.
    func pause(_ number: Int) {
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
    func end(_ job: Job, in number: Int, isUseless: Bool) -> Job? {
        let now = now
        let (next, start) = state.withLock { state -> (Job?, Start?) in
            let running = (state.running[job.group] ?? 1) - 1
            state.running[job.group] = running > 0 ? running : nil
            if state.machines[number]?.counts == true {
                state.machines[number]?.counts = false
                state.begun -= 1
            }
            guard !isUseless else {
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
        begin(start)
        return next
    }

    /// The call that begins now, if one waits and may begin, and its machine.
    ///
    /// - Throws: `EngineStartError`.
    func nextStart(_ state: inout State) throws -> Start? {
        // The calls of one adapter, and all polls, have at most half of the machines that sessions leave: so a back end that hangs leaves
        // some to others.
        let most = max(1, (settings.scopes.machines - state.owned) / 2)
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
    func freeMachine(for adapter: String, _ state: inout State) throws -> Int? {
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

    func addMachine(for purpose: Purpose, _ state: inout State) throws -> Int {
        let number = state.lastNumber + 1
        let virtual = try VirtualMachine.start(name: "js-\(number)")
        state.lastNumber = number
        if purpose != .shared { state.owned += 1 }
        state.machines[number] = Machine(virtual: virtual, purpose: purpose, lastUsed: now)
        startIdleCleanup(&state)
        return number
    }

    func warnOfExhaustion(_ adapter: String) {
        logger.warning(
            """
            \(adapter): scopes reset, with those of other adapters in the same machine or session: the script holds more memory than \
            limits.heap after garbage collection; look for a variable that grows with each call, or raise limits.heap
            """)
    }
}

/// Removing machines.
extension VirtualMachinePool {
    func startIdleCleanup(_ state: inout State) {
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
    func removeIdleMachines() -> Bool {
        let longAgo = now - Int(settings.scopes.idleTime / .milliseconds(1))
        let (unused, starts, goesOn) = state.withLock { state in
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
            state.owned -= empty.count
            var starts: [Start] = []
            while !unused.isEmpty, let start = try? nextStart(&state) { starts.append(start) }
            state.hasIdleCleanup =
                state.machines.count > processors || state.machines.values.contains { $0.purpose != .shared }
            return (unused, starts, state.hasIdleCleanup)
        }
        for start in starts { begin(start) }
        // Released here, outside the lock.
        _ = unused
        return goesOn
    }
}
