import CCurl
import Foundation
import HTTPTransfer
import Synchronization

/// The thread on which the transfers to back ends run. It waits for the sockets of all of them at once, and runs the tasks that wait for them.
///
/// libcurl names the sockets that a transfer waits for, and epoll reports those that are ready. Every 20 ms, while there are transfers or
/// ``Turn``s, the thread asks each whether it goes on.
final class TransferLoop: TaskExecutor {
    static let shared = TransferLoop()

    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        /// Wakes the thread; `nil` until there is one.
        var alarm: Int32?
    }

    private let inbox = Mutex(Inbox())
    private let sockets = SocketTable()
    /// The loop's thread, as a number; 0 until it runs.
    private let thread = Atomic<UInt>(0)

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Starts the thread, if it does not run yet.
    ///
    /// - Throws: ``BackEndTransferError`` when the process has no file descriptor left for it.
    func start() throws(BackEndTransferError) {
        let isRunning = inbox.withLock { inbox in
            if inbox.alarm == nil { inbox.alarm = makeThread() }
            return inbox.alarm != nil
        }
        guard isRunning else {
            throw BackEndTransferError("the process has no file descriptor left for the thread of transfers")
        }
    }

    /// Runs `body` on the thread, and passes its result on.
    ///
    /// - Throws: ``BackEndTransferError`` when there is no thread.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, then: @escaping @Sendable (Value) -> Void
    ) throws(BackEndTransferError) {
        try start()
        Task(executorPreference: self) { then(await body()) }
    }

    /// Runs a transfer, for which all options of the slot's handle are set.
    ///
    /// - Parameter problem: returns the error that ends the transfer now; `nil` while it goes on.
    /// - Returns: libcurl's result.
    /// - Throws: ``BackEndTransferError``.
    func perform(
        _ transfer: Transfer, in slot: ConnectionSlot, _ problem: @escaping (Transfer) -> BackEndTransferError?
    ) async throws(BackEndTransferError) -> CURLcode {
        try start()
        let result = await withUnsafeContinuation { continuation in
            let running = RunningTransfer(transfer, slot, problem) { continuation.resume(returning: $0) }
            add(.closure { [sockets] in sockets.begin(running) })
        }
        return try result.get()
    }

    /// Waits for a turn.
    ///
    /// - Parameter isOver: returns true if the wait is over without it.
    /// - Throws: ``BackEndTransferError`` when there is no thread.
    func wait(for turn: Turn, unless isOver: @escaping @Sendable () -> Bool) async throws(BackEndTransferError) {
        try start()
        add(.closure { [sockets] in sockets.begin(turn, isOver) })
        await turn.wait()
    }

    private func add(_ work: Work) {
        let isOwn = thread.load(ordering: .relaxed) == UInt(pthread_self())
        let alarm = inbox.withLock { inbox -> Int32? in
            inbox.work.append(work)
            // The thread takes all at once.
            return inbox.work.count == 1 && !isOwn ? inbox.alarm : nil
        }
        if let alarm { eventfd_write(alarm, 1) }
    }

    private func makeThread() -> Int32? {
        let alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard alarm >= 0 else { return nil }
        guard sockets.open(alarm) else {
            close(alarm)
            return nil
        }
        let thread = Thread { [self] in run() }
        thread.name = "back ends"
        thread.start()
        return alarm
    }

    private func run() -> Never {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let executor = asUnownedTaskExecutor()
        while true {
            while true {
                let work = inbox.withLock { inbox in
                    var work: [Work] = []
                    swap(&work, &inbox.work)
                    return work
                }
                guard !work.isEmpty else { break }
                for item in work {
                    switch item {
                    case .job(let job): job.runSynchronously(on: executor)
                    case .closure(let closure): closure()
                    }
                }
            }
            sockets.wait()
        }
    }
}

/// The end of a wait, which comes once, from any thread.
final class Turn: Sendable {
    private struct State {
        var hasCome = false
        var continuation: UnsafeContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var hasCome: Bool { state.withLock { $0.hasCome } }

    func come() {
        let continuation = state.withLock { state in
            defer { state = State(hasCome: true) }
            return state.continuation
        }
        continuation?.resume()
    }

    /// Waits until it has come.
    func wait() async {
        await withUnsafeContinuation { continuation in
            let hasCome = state.withLock { state in
                if !state.hasCome { state.continuation = continuation }
                return state.hasCome
            }
            if hasCome { continuation.resume() }
        }
    }
}

/// A transfer that the loop runs. libcurl's callbacks get it.
///
/// `@unchecked Sendable`: from ``SocketTable/begin(_:)`` to its completion the loop's thread alone uses it, and the task that made it waits.
private final class RunningTransfer: @unchecked Sendable {
    private let transfer: Transfer
    let slot: ConnectionSlot
    private let problemOf: (Transfer) -> BackEndTransferError?
    let completion: (Result<CURLcode, BackEndTransferError>) -> Void
    /// The table that runs it.
    weak var table: SocketTable?
    /// The time at which libcurl is to be called; `nil` for never.
    var timer: ContinuousClock.Instant?

    init(
        _ transfer: Transfer, _ slot: ConnectionSlot, _ problem: @escaping (Transfer) -> BackEndTransferError?,
        completion: @escaping (Result<CURLcode, BackEndTransferError>) -> Void
    ) {
        (self.transfer, self.slot, problemOf, self.completion) = (transfer, slot, problem, completion)
    }

    /// The error that ends the transfer now; `nil` while it goes on.
    var problem: BackEndTransferError? { problemOf(transfer) }

    static func of(_ context: UnsafeMutableRawPointer?) -> RunningTransfer? {
        context.map { Unmanaged<RunningTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The transfers and turns of a ``TransferLoop``.
///
/// `@unchecked Sendable`: ``open(_:)`` is called before the thread starts, and everything else by the thread alone.
private final class SocketTable: @unchecked Sendable {
    private var epoll: Int32 = -1
    private var alarm: Int32 = -1
    /// The transfers, by their multi handles.
    private var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]
    /// The multi handles whose transfers wait for a socket.
    private var multiOfSocket: [Int32: UnsafeMutableRawPointer] = [:]
    /// The multi handles that libcurl wants to continue at once.
    private var due: Set<UnsafeMutableRawPointer> = []
    private var turns: [(turn: Turn, isOver: () -> Bool)] = []
    private var nextCheck = ContinuousClock.now
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    private static let interval = Duration.milliseconds(20)

    func open(_ alarm: Int32) -> Bool {
        self.alarm = alarm
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return false }
        return watch(alarm, EPOLL_CTL_ADD, EPOLLIN.rawValue)
    }

    @discardableResult
    private func watch(_ socket: Int32, _ operation: Int32, _ events: UInt32 = 0) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = socket
        return epoll_ctl(epoll, operation, socket, &event) == 0
    }

    func begin(_ turn: Turn, _ isOver: @escaping () -> Bool) { turns.append((turn, isOver)) }

    func begin(_ transfer: RunningTransfer) {
        let multi = transfer.slot.multi
        transfer.table = self
        running[multi] = transfer
        lamplighterCurlSetCallbacks(
            multi,
            { _, socket, what, context, _ in
                if let transfer = RunningTransfer.of(context) { transfer.table?.note(socket, what, of: transfer) }
                return 0
            },
            { _, milliseconds, context in
                if let transfer = RunningTransfer.of(context) {
                    transfer.table?.set(milliseconds, of: transfer)
                }
                return 0
            }, Unmanaged.passUnretained(transfer).toOpaque())
        // Asks for a call at once, by the timer.
        curl_multi_add_handle(multi, transfer.slot.handle.pointer)
    }

    /// - Parameter milliseconds: the time after which libcurl is to be called; -1 for never.
    private func set(_ milliseconds: Int, of transfer: RunningTransfer) {
        transfer.timer = nil
        if milliseconds == 0 { due.insert(transfer.slot.multi) }
        guard milliseconds > 0 else { return }
        let time = ContinuousClock.now + .milliseconds(milliseconds)
        transfer.timer = time
        nextCheck = min(nextCheck, time)
    }

    private func note(_ socket: Int32, _ what: Int32, of transfer: RunningTransfer) {
        guard what != CURL_POLL_REMOVE else {
            multiOfSocket[socket] = nil
            watch(socket, EPOLL_CTL_DEL)
            return
        }
        let events =
            (what & CURL_POLL_IN != 0 ? EPOLLIN.rawValue : 0) | (what & CURL_POLL_OUT != 0 ? EPOLLOUT.rawValue : 0)
        let isKnown = multiOfSocket.updateValue(transfer.slot.multi, forKey: socket) != nil
        // A socket that was closed is no longer watched, and another one may have its number.
        if !isKnown || !watch(socket, EPOLL_CTL_MOD, events) { watch(socket, EPOLL_CTL_ADD, events) }
    }

    /// Waits until something is to be done, and does it.
    func wait() {
        let count = epoll_wait(epoll, &events, Int32(events.count), pause)
        for event in events.prefix(max(0, Int(count))) {
            let socket = event.data.fd
            if socket == alarm {
                var value: eventfd_t = 0
                eventfd_read(alarm, &value)
            } else if let multi = multiOfSocket[socket] {
                act(on: multi, socket, flags(event.events))
            }
        }
        while let multi = due.popFirst() { act(on: multi, CURL_SOCKET_TIMEOUT, 0) }
        if isWaiting, ContinuousClock.now >= nextCheck { check() }
    }

    private var isWaiting: Bool { !running.isEmpty || !turns.isEmpty }

    /// In milliseconds; -1 for no limit.
    private var pause: Int32 {
        guard due.isEmpty else { return 0 }
        guard isWaiting else { return -1 }
        return Int32(clamping: max(0, (nextCheck - ContinuousClock.now).inMilliseconds + 1))
    }

    private func flags(_ events: UInt32) -> Int32 {
        (events & EPOLLIN.rawValue != 0 ? CURL_CSELECT_IN : 0)
            | (events & EPOLLOUT.rawValue != 0 ? CURL_CSELECT_OUT : 0)
            | (events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 ? CURL_CSELECT_ERR : 0)
    }

    private func act(on multi: UnsafeMutableRawPointer, _ socket: Int32, _ flags: Int32) {
        guard running[multi] != nil else { return }
        var count: Int32 = 0
        curl_multi_socket_action(multi, socket, flags, &count)
        let code = lamplighterCurlResult(multi)
        if code >= 0 { end(multi, .success(CURLcode(UInt32(code)))) }
    }

    /// Calls libcurl where its time has come, and ends what does not go on.
    private func check() {
        let now = ContinuousClock.now
        nextCheck = now + Self.interval
        for (multi, transfer) in running {
            if let timer = transfer.timer, timer <= now {
                transfer.timer = nil
                act(on: multi, CURL_SOCKET_TIMEOUT, 0)
            }
            if running[multi] != nil, let problem = transfer.problem { end(multi, .failure(problem)) }
        }
        turns.removeAll { turn, isOver in
            guard !turn.hasCome else { return true }
            guard isOver() else { return false }
            turn.come()
            return true
        }
    }

    private func end(_ multi: UnsafeMutableRawPointer, _ result: Result<CURLcode, BackEndTransferError>) {
        guard let transfer = running.removeValue(forKey: multi) else { return }
        // Closes the connection of a transfer that has not ended.
        curl_multi_remove_handle(multi, transfer.slot.handle.pointer)
        // Their context ends here.
        lamplighterCurlSetCallbacks(multi, nil, nil, nil)
        due.remove(multi)
        transfer.completion(result)
    }
}

/// The thread that waits for a task and runs it meanwhile.
final class CallersThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let work = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        work.signal()
    }

    /// Runs `body` on this thread.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let thread = CallersThread()
        let result = ResultBox<Value>()
        return withExtendedLifetime(thread) {
            Task(executorPreference: thread) {
                let value = await body()
                result.value.withLock { $0 = value }
            }
            while true {
                thread.work.wait()
                thread.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }?
                    .runSynchronously(on: thread.asUnownedTaskExecutor())
                if let value = result.value.withLock({ $0 }) { return value }
            }
        }
    }
}

private final class ResultBox<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
