import CCurl
import Foundation
import HTTPTransfer
import NIOConcurrencyHelpers
import Synchronization

/// The transfers to back ends that hold no thread, and the tasks that wait for them.
///
/// libcurl names the sockets that a transfer waits for, and epoll reports those that are ready. Other threads poll: at any time one, which then
/// goes on with the transfers and the tasks. Every 20 ms it asks each transfer and each ``Turn`` whether it goes on; with thousands of transfers, every
/// 20 ms for each thousand.
///
/// A task begins on the thread that begins it, up to its first wait: so that thread sends the request.
package final class TransferLoop: TaskExecutor {
    package static let shared = TransferLoop()

    private let jobs = NIOLockedValueBox<[UnownedJob]>([])
    private let sockets = SocketTable()

    /// True while there is something to poll for.
    package var isNeeded: Bool { sockets.load.load(ordering: .acquiring) > 0 }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLockedValue { $0.append(job) }
        if !isInside { wake() }
    }

    /// Runs `body`, whose waits hold no thread, and passes its result on.
    ///
    /// - Throws: ``BackEndTransferError`` when the process has no file descriptor left for it.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, then: @escaping @Sendable (Value) -> Void
    ) throws(BackEndTransferError) {
        try sockets.open()
        run {
            Task(executorPreference: self) {
                let value = await body()
                then(value)
            }
        }
    }

    /// Runs a transfer, for which all options of the slot's handle are set.
    ///
    /// - Parameter problem: returns the error that ends the transfer now; `nil` while it goes on.
    /// - Returns: libcurl's result.
    func perform(
        _ transfer: Transfer, in slot: ConnectionSlot, _ problem: @escaping (Transfer) -> BackEndTransferError?
    ) async throws(BackEndTransferError) -> CURLcode {
        try await withUnsafeContinuation { continuation in
            sockets.begin(
                RunningTransfer(transfer, slot, problem) { continuation.resume(returning: $0) })
        }.get()
    }

    /// Waits for a turn.
    ///
    /// - Parameter isOver: returns true if the wait is over without it.
    func wait(for turn: Turn, unless isOver: @escaping @Sendable () -> Bool) async {
        sockets.begin(turn, isOver)
        await turn.wait()
        // Not before: a thread must poll until this task has gone on.
        sockets.load.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Waits until something is to be done, and does it. One thread at a time.
    package func poll(upTo milliseconds: Int) {
        let events = sockets.wait(upTo: milliseconds)
        run { sockets.handle(events) }
    }

    /// Ends a wait of ``poll(upTo:)``.
    package func wake() { sockets.wake() }

    // MARK: Tasks

    /// Set while this thread is in ``run(_:)``.
    private static let inside: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private var isInside: Bool { pthread_getspecific(Self.inside) != nil }

    /// Runs `body`, and then all that can go on.
    private func run(_ body: () -> Void) {
        pthread_setspecific(Self.inside, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(Self.inside, nil) }
        body()
        let executor = asUnownedTaskExecutor()
        while true {
            for completion in sockets.goOn() { completion() }
            let next = jobs.withLockedValue { jobs in
                var next: [UnownedJob] = []
                swap(&next, &jobs)
                return next
            }
            guard !next.isEmpty else { return }
            for job in next { job.runSynchronously(on: executor) }
        }
    }
}

/// The way in which a request waits.
enum WaitingWay: Sendable {
    /// It blocks its thread.
    case onThread
    /// It holds no thread; see ``TransferLoop``.
    case inLoop
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

/// A transfer that the loop runs.
///
/// `@unchecked Sendable`: from ``SocketTable/begin(_:)`` to its completion it is used under the table's lock, and the task that made it waits.
private final class RunningTransfer: @unchecked Sendable {
    private let transfer: Transfer
    let slot: ConnectionSlot
    private let problemOf: (Transfer) -> BackEndTransferError?
    let completion: (Result<CURLcode, BackEndTransferError>) -> Void

    init(
        _ transfer: Transfer, _ slot: ConnectionSlot, _ problem: @escaping (Transfer) -> BackEndTransferError?,
        completion: @escaping (Result<CURLcode, BackEndTransferError>) -> Void
    ) {
        (self.transfer, self.slot) = (transfer, slot)
        (problemOf, self.completion) = (problem, completion)
    }

    /// The error that ends the transfer now; `nil` while it goes on.
    var problem: BackEndTransferError? { problemOf(transfer) }
}

/// The transfers and turns of a ``TransferLoop``.
///
/// `@unchecked Sendable`: ``load`` is atomic, the descriptors are set once, and the rest is used under the lock, also by libcurl's callbacks.
private final class SocketTable: @unchecked Sendable {
    /// The number of transfers and turns.
    let load = Atomic(0)
    private let lock = NIOLock()
    private var epoll: Int32 = -1
    private var alarm: Int32 = -1
    /// libcurl's handle for all transfers.
    private var multi: UnsafeMutableRawPointer?
    /// The transfers, by their easy handles.
    private var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]
    /// The sockets that epoll watches.
    private var watched: Set<Int32> = []
    /// The time at which libcurl is to be called; `nil` for never.
    private var timer: ContinuousClock.Instant?
    /// True if libcurl is to be called at once.
    private var isDue = false
    private var turns: [(turn: Turn, isOver: () -> Bool)] = []
    /// To be called without the lock.
    private var completions: [() -> Void] = []
    private var nextCheck = ContinuousClock.now

    private static let interval = Duration.milliseconds(20)

    /// - Throws: ``BackEndTransferError`` when the process has no descriptor left.
    func open() throws(BackEndTransferError) {
        lock.lock()
        defer { lock.unlock() }
        if multi != nil { return }
        let newAlarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        let newEpoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard newAlarm >= 0, newEpoll >= 0, let newMulti = curl_multi_init() else {
            for descriptor in [newAlarm, newEpoll] where descriptor >= 0 { close(descriptor) }
            throw BackEndTransferError("the process has no file descriptor left to wait for back ends")
        }
        (alarm, epoll, multi) = (newAlarm, newEpoll, newMulti)
        watch(alarm, EPOLL_CTL_ADD, EPOLLIN.rawValue)
        lamplighterCurlSetCallbacks(
            newMulti,
            { _, socket, what, table, _ in
                SocketTable.of(table)?.note(socket, what)
                return 0
            },
            { _, milliseconds, table in
                SocketTable.of(table)?.setTimer(milliseconds)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SocketTable? {
        context.map { Unmanaged<SocketTable>.fromOpaque($0).takeUnretainedValue() }
    }

    func wake() { eventfd_write(alarm, 1) }

    @discardableResult
    private func watch(_ socket: Int32, _ operation: Int32, _ events: UInt32 = 0) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = socket
        return epoll_ctl(epoll, operation, socket, &event) == 0
    }

    func begin(_ turn: Turn, _ isOver: @escaping () -> Bool) {
        lock.withLock { turns.append((turn, isOver)) }
        load.add(1, ordering: .acquiringAndReleasing)
    }

    func begin(_ transfer: RunningTransfer) {
        load.add(1, ordering: .acquiringAndReleasing)
        let handle = transfer.slot.handle.pointer
        lock.withLock {
            running[handle] = transfer
            // Asks for a call at once, by the timer.
            curl_multi_add_handle(multi, handle)
        }
    }

    /// - Parameter milliseconds: the time after which libcurl is to be called; -1 for never.
    private func setTimer(_ milliseconds: Int) {
        isDue = milliseconds == 0
        timer = milliseconds > 0 ? ContinuousClock.now + .milliseconds(milliseconds) : nil
    }

    private func note(_ socket: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            watched.remove(socket)
            watch(socket, EPOLL_CTL_DEL)
            return
        }
        let events =
            (what & CURL_POLL_IN != 0 ? EPOLLIN.rawValue : 0) | (what & CURL_POLL_OUT != 0 ? EPOLLOUT.rawValue : 0)
        let isKnown = !watched.insert(socket).inserted
        // A socket that was closed is no longer watched, and another one may have its number.
        if !isKnown || !watch(socket, EPOLL_CTL_MOD, events) { watch(socket, EPOLL_CTL_ADD, events) }
    }

    /// Waits until something is to be done.
    ///
    /// - Returns: the sockets that are ready.
    func wait(upTo milliseconds: Int) -> [epoll_event] {
        let pause = lock.withLock {
            isDue ? 0 : min(milliseconds, (min(nextCheck, timer ?? nextCheck) - ContinuousClock.now).inMilliseconds + 1)
        }
        return withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), Int32(clamping: max(0, pause)))
            return Array(events.prefix(max(0, Int(count))))
        }
    }

    /// Goes on with the transfers of these sockets, and checks all now and then.
    func handle(_ events: [epoll_event]) {
        lock.withLock {
            for event in events {
                let socket = event.data.fd
                if socket == alarm {
                    var value: eventfd_t = 0
                    eventfd_read(alarm, &value)
                } else {
                    act(on: socket, flags(event.events))
                }
            }
            let now = ContinuousClock.now
            if let timer, timer <= now {
                self.timer = nil
                act(on: CURL_SOCKET_TIMEOUT, 0)
            }
            if now >= nextCheck { check(at: now) }
        }
    }

    /// Goes on with the transfers that need not wait.
    ///
    /// - Returns: the completions of those that have ended.
    func goOn() -> [() -> Void] {
        lock.withLock {
            while isDue {
                isDue = false
                act(on: CURL_SOCKET_TIMEOUT, 0)
            }
            defer { completions = [] }
            return completions
        }
    }

    private func flags(_ events: UInt32) -> Int32 {
        (events & EPOLLIN.rawValue != 0 ? CURL_CSELECT_IN : 0)
            | (events & EPOLLOUT.rawValue != 0 ? CURL_CSELECT_OUT : 0)
            | (events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 ? CURL_CSELECT_ERR : 0)
    }

    private func act(on socket: Int32, _ flags: Int32) {
        var count: Int32 = 0
        curl_multi_socket_action(multi, socket, flags, &count)
        var result = CURLE_OK
        while let handle = lamplighterCurlEnded(multi, &result) { end(handle, .success(result)) }
    }

    /// Ends what does not go on. One transfer takes up to a microsecond.
    private func check(at now: ContinuousClock.Instant) {
        nextCheck = now + Self.interval * max(1, running.count / 1000)
        for (handle, transfer) in running {
            if let problem = transfer.problem { end(handle, .failure(problem)) }
        }
        turns.removeAll { turn, isOver in
            if !turn.hasCome {
                guard isOver() else { return false }
                completions.append(turn.come)
            }
            return true
        }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ result: Result<CURLcode, BackEndTransferError>) {
        guard let transfer = running.removeValue(forKey: handle) else { return }
        // Closes the connection of a transfer that has not ended.
        curl_multi_remove_handle(multi, handle)
        completions.append { transfer.completion(result) }
        load.subtract(1, ordering: .acquiringAndReleasing)
    }
}

/// The thread that runs a task whose waits block it.
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
