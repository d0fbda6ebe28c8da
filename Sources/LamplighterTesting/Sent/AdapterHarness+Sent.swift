import Delivery
import PushModel
import Storage
import Synchronization
import TestClock

extension AdapterHarness {
    /// What adapters have sent, in order, without what ``clearSent()`` has taken away.
    ///
    /// - Throws: `StoreError`.
    public var sent: [SentNotification] {
        get throws {
            let builder = PushRequestBuilder(settings: pushSettings)
            return try deliveries().dropFirst(cleared.withLock { $0 }).map { SentNotification($0, builder) }
        }
    }

    /// Takes away what has been sent so far.
    ///
    /// - Throws: `StoreError`.
    public func clearSent() throws {
        let count = try deliveries().count
        cleared.withLock { $0 = count }
    }

    /// Waits until so many notifications have been sent, by calls that other tasks have made.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit; `StoreError`.
    public func sent(atLeast count: Int) async throws -> [SentNotification] {
        while true {
            let times = sink.times.value
            let sent = try sent
            if sent.count >= count { return sent }
            try await sink.times.wait { $0 > times }
        }
    }

    private func deliveries() throws -> [Delivery] {
        try store.deliveries(state: nil, limit: 1_000_000).reversed()
    }
}
