import JavaScriptEngine
import Synchronization

/// A virtual machine of the pool, with what placing scopes needs to know of it.
final class ScopeMachine: Sendable {
    let virtual: VirtualMachine
    /// Whether it is for polls, which hold it up for as long as they like, or for those whom somebody waits for.
    let isForPolls: Bool
    /// Calls that run or wait here.
    private let calls = Atomic(0)
    private let lastUse = Atomic(Int.min)
    private let stopped = Atomic(false)
    /// How many homes are here. Only the pool changes it, under its lock.
    let homes = Atomic(0)

    init(_ virtual: VirtualMachine, isForPolls: Bool) {
        self.virtual = virtual
        self.isForPolls = isForPolls
    }

    var load: Int { calls.load(ordering: .relaxed) }

    /// When the last call began or ended, as milliseconds of uptime; long ago before the first.
    var lastUsed: Int { lastUse.load(ordering: .relaxed) }

    func begin(at now: Int) {
        calls.add(1, ordering: .relaxed)
        lastUse.store(now, ordering: .relaxed)
    }

    func end(at now: Int) {
        lastUse.store(now, ordering: .relaxed)
        calls.subtract(1, ordering: .relaxed)
    }

    /// Ends the running call, and refuses those that wait and come.
    func stop(reason: String) {
        stopped.store(true, ordering: .releasing)
        virtual.interrupt(reason: reason)
    }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Whether nobody has called here since `time`, so that a newcomer will most likely have it to itself.
    func isQuiet(since time: Int) -> Bool {
        load == 0 && lastUsed < time
    }
}
