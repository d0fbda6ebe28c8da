public import PushModel

/// Where `notify*` puts its deliveries: commits them to the outbox, wakes the worker, and tells the script how long to
/// hold back.
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
