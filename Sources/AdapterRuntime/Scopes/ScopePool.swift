import JavaScriptEngine
import Logging
import PushModel
import Synchronization

/// The virtual machines, and who has scopes in which.
///
/// A script that waits for its back end holds up its machine, so owners who are active at the same time should not share
/// one: a newcomer gets a machine on which nobody has called for ``RuntimeSettings/Scopes/quietTime``, or a new one, and
/// only when there are as many as there may be the least loaded. Polls, which may take minutes, keep to machines of their own.
/// A scope cannot move to another machine. Machines without
/// scopes are given up after the same time.
final class ScopePool: Sendable {
    fileprivate struct State {
        var homes: [ScopeOwner: ScopeHome] = [:]
        var machines: [ScopeMachine] = []
        /// Homes of ``ScopeOwner/anybody(_:)`` that nobody uses now, the last used at the end.
        var idle: [ScopeHome] = []
        var lastNumber = 0
        var hasJanitor = false
        var isStopped = false
    }

    private let settings: RuntimeSettings
    private let time: any TimeSource
    private let logger: Logger
    private let count = ScopeCount()
    private let state = Mutex(State())

    init(settings: RuntimeSettings, time: any TimeSource, logger: Logger) {
        self.settings = settings
        self.time = time
        self.logger = logger
    }

    /// Runs `body` in the adapter's scope of that owner.
    ///
    /// - Throws: ``ScopeShortage``, `EngineStartError`, and what ``ScopeHome/run(_:caller:_:)`` throws.
    func run<Result: Sendable>(
        _ adapter: AdapterCommon, for owner: ScopeOwner, caller: Caller = Caller(),
        _ body: @escaping @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        let home = try enter(owner)
        defer { leave(home, adapter) }
        return try await home.run(adapter, caller: caller, body)
    }

    /// Runs `body` in a scope of the adapter that nobody uses at the moment.
    ///
    /// - Throws: as ``run(_:for:caller:_:)``.
    func runAnywhere<Result: Sendable>(
        _ adapter: AdapterCommon, caller: Caller, _ body: @escaping @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        let home = try enterAny()
        defer { leave(home, adapter) }
        return try await home.run(adapter, caller: caller, body)
    }

    /// Lets go of an owner's scopes once what runs in them has ended.
    func forget(_ owner: ScopeOwner) async {
        let home = state.withLock { $0.remove(owner) }
        await home?.close()
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

    /// Takes the homes of these owners away at once: whoever comes next gets a new one.
    ///
    /// - Returns: the homes, which ``close(_:)`` closes.
    func detach(_ owners: Set<ScopeOwner>) -> [ScopeHome] {
        state.withLock { state in owners.compactMap { state.remove($0) } }
    }

    /// Has the scopes of versions that have been replaced given up, on each machine once what it runs and what waits there
    /// has ended. Those of owners who call do it themselves, the others would keep them for as long as they are idle.
    func giveUpReplaced(in directory: AdapterDirectory) async {
        let homes = state.withLock { Array($0.homes.values) }
        await withTaskGroup(of: Void.self) { group in
            for residents in Dictionary(grouping: homes, by: { ObjectIdentifier($0.machine) }).values {
                guard let machine = residents.first?.machine else { continue }
                group.addTask {
                    await machine.virtual.run { machine in
                        let adapters = directory.current
                        for home in residents { home.tidy(in: machine, for: adapters) }
                    }
                }
            }
        }
    }

    /// Ends every running call, and refuses those that wait or come.
    func stop(reason: String) {
        let machines = state.withLock { state in
            state.isStopped = true
            return state.machines
        }
        for machine in machines { machine.stop(reason: reason) }
    }

    /// Whether ``stop(reason:)`` was called.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// One of the machines, for tests of their end.
    var anyMachine: VirtualMachine? { state.withLock { $0.machines.first?.virtual } }

    /// Gives everything up. The scopes hold the pool in turn, so somebody must.
    func removeAll() {
        let state = state.withLock { state in
            defer { state = State(hasJanitor: state.hasJanitor) }
            return state
        }
        // Released here, outside the lock.
        _ = state
    }

    var status: ScopeStatus {
        state.withLock { state in
            ScopeStatus(machines: state.machines.count, owners: state.homes.count, scopes: count.value)
        }
    }

    /// In milliseconds of uptime.
    private var now: Int {
        let (seconds, attoseconds) = time.uptime.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private func enter(_ owner: ScopeOwner) throws -> ScopeHome {
        let now = now
        let (home, evicted) = try state.withLock { state in
            if let home = state.homes[owner] {
                home.begin(at: now)
                return (home, [ScopeHome]())
            }
            let evicted = try makeRoom(for: owner, &state)
            return (try settle(owner, at: now, &state), evicted)
        }
        close(evicted)
        return home
    }

    private func enterAny() throws -> ScopeHome {
        let now = now
        let (home, evicted) = try state.withLock { state in
            if let home = state.idle.popLast() {
                home.begin(at: now)
                return (home, [ScopeHome]())
            }
            state.lastNumber += 1
            let owner = ScopeOwner.anybody(state.lastNumber)
            let evicted = try makeRoom(for: owner, &state)
            return (try settle(owner, at: now, &state), evicted)
        }
        close(evicted)
        return home
    }

    private func leave(_ home: ScopeHome, _ adapter: AdapterCommon) {
        home.end(at: now)
        if home.isExhausted {
            let wasThere = state.withLock { state in
                guard state.homes[home.owner] === home else { return false }
                state.remove(home.owner)
                return true
            }
            guard wasThere else { return }
            adapter.logger.warning(
                """
                the adapter's variables hold on to more memory than limits.heap allows, so they were given up: the script is \
                loaded anew, and its variables begin anew
                """)
            close([home])
        } else if case .anybody = home.owner {
            state.withLock { state in
                if state.homes[home.owner] === home { state.idle.append(home) }
            }
        }
    }

    /// Lets go of the scopes in homes that are in the pool no more, in each once what runs there has ended. Waits for nothing.
    func close(_ homes: [ScopeHome]) {
        for home in homes { Task { await home.close() } }
    }
}

/// How much is in use.
public struct ScopeStatus: Sendable, Hashable {
    /// Virtual machines, each with a thread.
    public let machines: Int
    /// Sessions and others that have scopes.
    public let owners: Int
    public let scopes: Int

    public init(machines: Int, owners: Int, scopes: Int) {
        self.machines = machines
        self.owners = owners
        self.scopes = scopes
    }
}

/// Every scope that there may be is in use.
struct ScopeShortage: Error, CustomStringConvertible {
    let ceiling: Int

    var description: String {
        "the server is busy: all \(ceiling) scopes that there may be (limits.scopes) are in use; try again later"
    }
}

extension ScopePool.State {
    @discardableResult
    fileprivate mutating func remove(_ owner: ScopeOwner) -> ScopeHome? {
        guard let home = homes.removeValue(forKey: owner) else { return nil }
        home.machine.homes.subtract(1, ordering: .relaxed)
        idle.removeAll { $0 === home }
        return home
    }
}

// MARK: Placing and making room. Everything here runs under the pool's lock.

extension ScopePool {
    private func settle(_ owner: ScopeOwner, at now: Int, _ state: inout State) throws -> ScopeHome {
        guard !state.isStopped else { throw ServerStoppingError() }
        let machine = try place(owner, &state, now: now)
        let home = ScopeHome(owner, on: machine, count: count)
        machine.homes.add(1, ordering: .relaxed)
        home.begin(at: now)
        state.homes[owner] = home
        return home
    }

    private func place(_ owner: ScopeOwner, _ state: inout State, now: Int) throws -> ScopeMachine {
        let limits = settings.scopes
        let quiet = limits.sharesIdleMachines ? .max : now - Int(limits.quietTime / .milliseconds(1))
        let heap = (settings.calls.heap ?? .max) / 2
        let candidates = state.machines.filter { $0.isForPolls == owner.isPatient }
        let free = candidates.filter { $0.isQuiet(since: quiet) && $0.virtual.heapSizeAfterCollection < heap }
        if let machine = free.min(by: { $0.homes.load(ordering: .relaxed) < $1.homes.load(ordering: .relaxed) }) {
            return machine
        }
        if state.machines.count >= limits.machines,
            let machine = candidates.min(by: { ($0.load, $0.lastUsed) < ($1.load, $1.lastUsed) })
        {
            return machine
        }
        state.lastNumber += 1
        let machine = ScopeMachine(
            try VirtualMachine.start(name: "js-\(state.lastNumber)"), isForPolls: owner.isPatient)
        state.machines.append(machine)
        startJanitor(&state)
        return machine
    }

    /// Evicts those who have been idle longest, when there are too many scopes or they hold too much memory.
    private func makeRoom(for owner: ScopeOwner, _ state: inout State) throws -> [ScopeHome] {
        let limits = settings.scopes
        let memory = state.machines.reduce(0) { $0 + $1.virtual.heapSizeAfterCollection }
        let isFull = count.value >= limits.number
        guard isFull || memory > limits.memory else { return [] }
        let idle = state.homes.values.filter { $0.owner.isEvictable && $0.isIdle }
        guard let longestIdle = idle.min(by: { $0.lastUsed < $1.lastUsed }) else {
            if isFull, owner.isEvictable { throw ScopeShortage(ceiling: limits.number) }
            return []
        }
        state.remove(longestIdle.owner)
        logger.info(
            """
            a session's variables were dropped to make room: \
            \(isFull ? "limits.scopes is \(limits.number)" : "limits.scopeMemory is \(limits.memory >> 20) MB")
            """)
        return [longestIdle]
    }
}

// MARK: Giving up what is idle

extension ScopePool {
    private func startJanitor(_ state: inout State) {
        guard !state.hasJanitor else { return }
        state.hasJanitor = true
        let pause = settings.scopes.quietTime
        Task { [weak self, time] in
            repeat {
                do {
                    try await time.sleep(untilUptime: time.uptime + pause)
                } catch {
                    return
                }
            } while self?.tidy() == true
        }
    }

    /// Gives up idle homes that nobody owns, and machines without homes.
    ///
    /// - Returns: whether there are machines left.
    private func tidy() -> Bool {
        let quiet = now - Int(settings.scopes.quietTime / .milliseconds(1))
        let (idle, goesOn) = state.withLock { state in
            let idle = state.idle.filter { $0.lastUsed <= quiet }
            for home in idle { state.remove(home.owner) }
            // A machine that is running a call of a home forgotten meanwhile has no homes either.
            state.machines.removeAll { $0.homes.load(ordering: .relaxed) == 0 && $0.load == 0 && $0.lastUsed <= quiet }
            state.hasJanitor = !state.machines.isEmpty
            return (idle, state.hasJanitor)
        }
        close(idle)
        return goesOn
    }
}
