public import PushModel
import Synchronization

/// Takes the deliveries of `notify*`: commits them to the outbox, wakes the worker, and returns how long the script should
/// wait.
public struct OutboxSink: NotificationSink {
    private let outbox: any Outbox
    private let pressure: OutboxBackpressure
    private let worker: OutboxWorker?

    /// - Parameters:
    ///   - pressure: the worker's.
    ///   - worker: the worker of this process, or `nil` when another process has it, which finds the deliveries within
    ///     its ``OutboxWorkerSettings/longestSleep``.
    public init(outbox: any Outbox, pressure: OutboxBackpressure, worker: OutboxWorker?) {
        self.outbox = outbox
        self.pressure = pressure
        self.worker = worker
    }

    public func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int {
        guard !deliveries.isEmpty else { return pressure.millisecondsToWait }
        pressure.add(deliveries.count)
        do {
            try outbox.enqueue(deliveries)
        } catch {
            pressure.takeBack(deliveries.count)
            throw error
        }
        worker?.wake()
        return pressure.millisecondsToWait
    }

    public func flush() throws(StoreError) {
        try outbox.flush()
    }
}

/// Counts the queued deliveries and returns the time for which a script should hold back because of them (server-api 2.8: `notify*` returns the
/// milliseconds to wait before submitting again): a millisecond for each delivery above `highWaterMark`, at most a minute.
///
/// The count is an estimate between two queries of the store, since other servers may use it.
public final class OutboxBackpressure: Sendable {
    private let highWaterMark: Int
    private let state = Mutex(State())

    /// The longest wait that is ever asked for, in milliseconds.
    public static let longestWait = 60_000

    private struct State {
        var waiting = 0
        var endings: [DeliveryState: Int] = [:]
    }

    /// - Parameter highWaterMark: how many deliveries may wait before scripts are asked to hold back.
    public init(highWaterMark: Int = 10_000) {
        self.highWaterMark = highWaterMark
    }

    /// The number of accepted deliveries that have not ended yet.
    public var waiting: Int { state.withLock { $0.waiting } }

    /// The time that a script should wait before it submits more, in milliseconds.
    public var millisecondsToWait: Int { min(max(waiting - highWaterMark, 0), Self.longestWait) }

    /// Counts deliveries that are about to be enqueued. Call it before they are, so that the worker cannot end them first.
    public func add(_ count: Int) {
        state.withLock { $0.waiting += count }
    }

    /// Subtracts deliveries that were counted and then not enqueued.
    public func takeBack(_ count: Int) {
        state.withLock { $0.waiting = max($0.waiting - count, 0) }
    }

    /// The number of deliveries that this server has brought to each end since its start.
    public var endings: [DeliveryState: Int] { state.withLock { $0.endings } }

    /// Counts deliveries that have ended.
    func ended(_ states: [DeliveryState]) {
        state.withLock { state in
            state.waiting = max(state.waiting - states.count, 0)
            for ending in states { state.endings[ending, default: 0] += 1 }
        }
    }

    /// Sets the count to the number of open deliveries in the store.
    func reset(waiting: Int) {
        state.withLock { $0.waiting = waiting }
    }
}
