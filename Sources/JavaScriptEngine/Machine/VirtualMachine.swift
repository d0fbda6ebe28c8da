import CJavaScriptCore
import Foundation
import Synchronization

/// One JavaScript virtual machine: a heap and any number of global scopes. It has a thread while it has something to do.
///
/// The machine is an actor whose executor is a ``ScriptThread``, so everything in it happens one after the other.
/// ``ScriptContext`` and ``ScriptValue`` are not Sendable and cannot leave it; contexts are named by ``ContextID``s, values
/// are copied. Native functions called by a script run on the thread and may block it: they hold up this machine alone.
///
///     let machine = try VirtualMachine.start(name: "example")
///     let sum = try await machine.run { machine in
///         let context = try machine.contexts.make(name: "example")
///         return try context.evaluate("1 + 2", file: "example.js").number
///     }
public actor VirtualMachine {
    /// The time the machine must have been idle before it collects its garbage.
    public static let idleDelay = Duration.seconds(1)

    /// 10 ms of CPU time, in nanoseconds.
    private static let workWorthCollecting: UInt64 = 10_000_000

    private nonisolated let thread: ScriptThread
    private nonisolated let interruption = Interruption()
    private nonisolated let heapSizeAtCollection = Atomic(0)
    private var startedContexts: ContextTable?
    /// An object of the owner's that holds values of this machine: it is released on the machine's thread, before the scopes.
    public var attachment: AnyObject?
    private var collectionHandler: ((Int) -> Void)?
    /// The machine's CPU time at the last collection, in nanoseconds.
    private var cpuTimeAtCollection: UInt64 = 0
    /// The time of the last garbage collection, in nanoseconds of the monotonic clock. At first some time of the last half minute, so that
    /// machines that are made together do not collect together.
    private var lastCollection =
        LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC) &- .random(in: 0..<30_000_000_000)

    public nonisolated let name: String

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Makes a machine.
    ///
    /// A function rather than the initializer: Swift 6.3.1 with optimization fails to inline the initializer of an actor
    /// with an isolated deinit into another module ("circular reference").
    ///
    /// - Parameters:
    ///   - name: for messages.
    ///   - idleDelay: how long the machine must have had nothing to do before it collects its garbage.
    /// - Throws: ``EngineStartError``.
    @inline(never)
    public static func start(
        name: String, idleDelay: Duration = VirtualMachine.idleDelay
    ) throws(EngineStartError) -> VirtualMachine {
        try VirtualMachine(name: name, idleDelay: idleDelay)
    }

    private init(name: String, idleDelay: Duration) throws(EngineStartError) {
        try EngineProcess.prepare()
        self.name = name
        thread = ScriptThread(idleDelay: idleDelay)
        thread.onIdle { [weak self] in
            self?.assumeIsolated { $0.collectIfWorthwhile() }
        }
    }

    isolated deinit {
        // Contexts go before the heap they live in, and the attachment, which may hold values, before them.
        attachment = nil
        startedContexts?.closeAll()
        startedContexts = nil
    }

    /// Runs `body` on the machine's thread, after what came before it.
    ///
    /// Inlinable, since code for results of any kind takes the processor half a microsecond more than code for the one that
    /// the caller wants.
    @inlinable
    public nonisolated func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (isolated VirtualMachine) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Swift.Result<Result, Failure>, Never>) in
            enqueue { machine in
                let outcome: Swift.Result<Result, Failure>
                do throws(Failure) {
                    outcome = .success(try body(machine))
                } catch {
                    outcome = .failure(error)
                }
                machine.answer { continuation.resume(returning: outcome) }
            }
        }
        return try result.get()
    }

    /// Has the threads of all machines wait for sockets while they have no script to run.
    public static func attend(to sockets: any SocketWork) { ScriptWorkers.shared.attend(to: sockets) }

    /// Has the thread run `work` after what came before it.
    public nonisolated func enqueue(_ work: @escaping @Sendable (isolated VirtualMachine) -> Void) {
        thread.enqueue { [self] in
            assumeIsolated { work($0) }
        }
    }

    /// Has `handler` called, on the machine's thread, with the size of the heap in bytes after each of the machine's own collections.
    public func onCollection(_ handler: @escaping (Int) -> Void) {
        collectionHandler = handler
    }

    /// Delivers a result, which may be delayed for a moment so that several are delivered together.
    public func answer(_ give: @escaping () -> Void) {
        if let worker = thread.answers.worker { worker.add(give) } else { give() }
    }

    /// Has `handler` called, on the machine's thread, whenever the running call begins to wait or has computed for 10 ms.
    public func onPause(_ handler: @escaping () -> Void) {
        thread.answers.onPause = handler
    }

    /// The machine's global scopes. The engine remembers the thread that started it, so it starts with the first job here.
    public var contexts: ContextTable {
        /// - Throws: ``EngineStartError/noDescriptors(_:)``; a later access tries again.
        get throws(EngineStartError) {
            if let startedContexts { return startedContexts }
            try DescriptorReserve.fill()
            defer { DescriptorReserve.empty() }
            let new = ContextTable(engine: Engine(interruption: interruption, answers: thread.answers))
            startedContexts = new
            return new
        }
    }

    /// Ends the running call, if any, and each that comes, with ``LimitExceededError/Limit/interrupted``. A native function that waits
    /// is waited for.
    public nonisolated func interrupt(reason: String) {
        interruption.request(reason)
    }

    /// The size of the scripts' heap after the last garbage collection, in bytes; 0 before the first.
    public nonisolated var heapSizeAfterCollection: Int { heapSizeAtCollection.load(ordering: .relaxed) }

    /// Collects all garbage now.
    public func collectGarbage() {
        guard let engine = startedContexts?.engine else { return }
        engine.drainReleases()
        JSSynchronousGarbageCollectForDebugging(engine.collector)
        engine.drainReleases()
        engine.limits.returnMemoryAfterExcess()
        let size = engine.limits.measureHeap(of: engine.collector)
        heapSizeAtCollection.store(size, ordering: .relaxed)
        cpuTimeAtCollection = thread.cpuTime
        lastCollection = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC)
        collectionHandler?(size)
    }

    /// Collects garbage if that was longer ago than `interval`, or if a step has taken much memory or the process has grown by a tenth since: for a
    /// machine that is never idle for long, whose heap would not be measured otherwise. Call it after each step of a call.
    public func collectGarbage(ifOlderThan interval: Duration) {
        let nanoseconds = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC) &- lastCollection
        if startedContexts?.engine.limits.mustMeasure() == true
            || Duration.nanoseconds(Int64(clamping: nanoseconds)) > interval
        {
            collectGarbage()
        }
    }

    /// The engine collects when it allocates, never because it is idle: that wants a GLib main loop. A poll that does next
    /// to nothing each second leaves too little behind to be worth a collection each time.
    private func collectIfWorthwhile() {
        if thread.cpuTime - cpuTimeAtCollection >= Self.workWorthCollecting { collectGarbage() }
    }
}

/// The engine's own machine with its data. Used only on its virtual machine's thread.
final class Engine {
    let group: JSContextGroupRef
    /// A scope of no script, through which the heap can be collected when no other is left.
    let collector: JSGlobalContextRef
    let limits: LimitEnforcer
    let releases = ReleaseQueue()
    let answers: AnswerQueue

    init(interruption: Interruption, answers: AnswerQueue) {
        guard let group = JSContextGroupCreate(), let collector = JSGlobalContextCreateInGroup(group, nil) else {
            fatalError("JavaScriptCore could not start: out of memory or address space")
        }
        self.group = group
        self.collector = collector
        self.answers = answers
        limits = LimitEnforcer(group: group, interruption: interruption) { answers.pause() }
    }

    deinit {
        JSGlobalContextRelease(collector)
        JSContextGroupRelease(group)
        drainReleases()
    }

    /// Releases the Swift objects whose JavaScript objects have been collected.
    func drainReleases() {
        releases.drain()
    }
}

/// Swift objects whose JavaScript objects have been collected.
///
/// A finalizer runs inside the collector, where nothing may touch the engine; the members of a released object might. So it is put here, and released
/// when no collection runs.
final class ReleaseQueue {
    private var objects: [Unmanaged<AnyObject>] = []

    func append(_ object: Unmanaged<AnyObject>) {
        objects.append(object)
    }

    func drain() {
        while !objects.isEmpty {
            let batch = objects
            objects = []
            for object in batch { object.release() }
        }
    }
}
