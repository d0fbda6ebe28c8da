import JavaScriptEngine
import Synchronization

/// Where an owner's scopes live, for use from outside their machine.
final class ScopeHome: Sendable {
    let owner: ScopeOwner
    let machine: ScopeMachine
    private let family = ResidentID()
    private let count: ScopeCount
    /// Calls that run or wait here.
    private let calls = Atomic(0)
    private let lastUse: Atomic<Int>
    private let exhausted = Atomic(false)
    private let closed = Atomic(false)

    init(_ owner: ScopeOwner, on machine: ScopeMachine, count: ScopeCount) {
        self.owner = owner
        self.machine = machine
        self.count = count
        lastUse = Atomic(0)
    }

    /// Whether what the scripts hold on to is more than their heap may have: it will not get better.
    var isExhausted: Bool { exhausted.load(ordering: .relaxed) }

    var isIdle: Bool { calls.load(ordering: .acquiring) == 0 }

    /// When the last call began or ended, as milliseconds of uptime.
    var lastUsed: Int { lastUse.load(ordering: .relaxed) }

    /// Announces a call. Only the pool does, under its lock.
    func begin(at now: Int) {
        calls.add(1, ordering: .acquiringAndReleasing)
        lastUse.store(now, ordering: .relaxed)
        machine.begin(at: now)
    }

    /// Takes the announcement back, when the call is over.
    func end(at now: Int) {
        lastUse.store(now, ordering: .relaxed)
        calls.subtract(1, ordering: .acquiringAndReleasing)
        machine.end(at: now)
    }

    /// Runs `body` in the adapter's scope, on the machine's thread, after those who came before: in that of the version which
    /// is deployed when its turn has come.
    ///
    /// Nothing in it is limited but what it puts into a call.
    ///
    /// - Throws: what `body` throws, ``ProjectProblem`` when the script cannot be loaded, ``ScopeGoneError``,
    ///   ``UnknownNameError`` when there is no such adapter any more, `CancellationError` when the caller has given it up before.
    func run<Result: Sendable>(
        _ adapter: AdapterCommon, caller: Caller, _ body: @escaping @Sendable (AdapterScope) throws -> Result
    ) async throws -> Result {
        let watcher = CallWatcher.current
        return try await machine.virtual.run { [self] machine in
            guard !self.machine.isStopped else { throw ServerStoppingError() }
            let contexts = try machine.contexts
            if let interruption = caller.interruption {
                guard interruption.reason == nil else { throw CancellationError() }
                contexts.interruption = interruption
            }
            defer { if caller.interruption != nil { contexts.interruption = nil } }
            let family = try family(in: machine)
            let adapters = adapter.directory.current
            family.begin(RunningCall(caller: caller), among: adapters)
            defer { family.end() }
            return try CallWatcher.$current.withValue(watcher) {
                let scope = try family.scope(of: adapters.adapter(named: adapter.name).common)
                defer { if scope.isExhausted { exhausted.store(true, ordering: .relaxed) } }
                return try body(scope)
            }
        }
    }

    private func family(in machine: isolated VirtualMachine) throws -> ScopeFamily {
        if let family = machine.resident(family) as? ScopeFamily { return family }
        guard !closed.load(ordering: .acquiring) else { throw ScopeGoneError() }
        let new = ScopeFamily(in: try machine.contexts, for: owner, count: count)
        machine.settle(new, as: family)
        return new
    }

    /// Lets go of the scopes of versions that have been replaced.
    func tidy(in machine: isolated VirtualMachine, for adapters: AdapterSet) {
        (machine.resident(family) as? ScopeFamily)?.giveUpScopes(notAmong: adapters)
    }

    /// Lets go of the scopes, once the calls that are there already have been answered.
    func close() async {
        closed.store(true, ordering: .releasing)
        await machine.virtual.run { [family] machine in
            (machine.resident(family) as? ScopeFamily)?.close()
            machine.dismiss(family)
        }
    }
}

/// The scope was closed while a call was on its way there.
struct ScopeGoneError: Error, CustomStringConvertible {
    let description = "the session has ended; call again"
}

/// The server stops, and has waited long enough for what was running.
struct ServerStoppingError: Error, CustomStringConvertible {
    let description = "the server is stopping; call again when it is back"
}
