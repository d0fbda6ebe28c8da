import Core
import Push
import PushModel
import Storage
import Synchronization

extension AdapterHarness {
    /// The notifications that adapters have sent since the last ``clearSent()``, in order.
    ///
    /// ```swift
    /// let sent = try harness.sent
    /// try #require(sent.count == 1)
    /// try sent[0].expect(bodyContaining: ["aps": ["badge": 1]])
    /// ```
    ///
    /// - Throws: `StoreError`.
    public var sent: [SentNotification] {
        get throws {
            let builder = PushRequestBuilder(settings: pushSettings)
            return try deliveries().dropFirst(cleared.withLock { $0 }).map { SentNotification($0, builder) }
        }
    }

    /// Removes the notifications sent so far from ``sent``.
    ///
    /// - Throws: `StoreError`.
    public func clearSent() throws {
        let count = try deliveries().count
        cleared.withLock { $0 = count }
    }

    /// Waits until adapters have sent at least this number of notifications, for calls that other tasks make.
    ///
    /// - Parameters:
    ///   - count: the number of notifications since the last ``clearSent()``.
    ///   - limit: the timeout in real time, 0 to 1e9 seconds.
    /// - Returns: all notifications sent since the last ``clearSent()``, in order.
    /// - Throws: ``TooFewSentError`` at the timeout; `CancellationError` when the task is cancelled, for example by the test's time limit;
    ///   ``HarnessMisuseError``, `StoreError`.
    public func sent(
        atLeast count: Int, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws -> [SentNotification] {
        try await TestPlace(fileID: fileID, line: line).during {
            try backEnds.checkUse()
            guard limit >= .zero, limit <= .seconds(1e9) else {
                throw HarnessMisuseError("sent(atLeast:within:): expected 0 to 1e9 seconds, got \(limit)")
            }
            let isThere = try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask { [self] in
                    try await waitForSent(count)
                    return true
                }
                group.addTask {
                    try await Task.sleep(for: limit)
                    return false
                }
                return try await group.next() ?? false
            }
            let sent = try sent
            guard isThere else { throw TooFewSentError(expected: count, limit: limit, sent: sent) }
            return sent
        }
    }

    private func waitForSent(_ count: Int) async throws {
        while true {
            let times = sink.times.value
            if try sent.count >= count { return }
            try await sink.times.wait { $0 > times }
        }
    }

    private func deliveries() throws -> [Delivery] {
        try store.outbox.deliveries(state: nil, limit: 1_000_000).reversed()
    }
}

/// An error for a wait that ended before enough notifications were sent.
public struct TooFewSentError: HarnessError, Hashable {
    /// The number of notifications that the test waited for.
    public let expected: Int
    /// The timeout that has passed.
    public let limit: Duration
    public let sent: [SentNotification]
    public var place: TestPlace?

    init(expected: Int, limit: Duration, sent: [SentNotification]) {
        (self.expected, self.limit, self.sent) = (expected, limit, sent)
    }

    public var message: String {
        "sent within \(limit): " + (sent.isEmpty ? "none" : sent.map(\.description).joined(separator: ", "))
            + "; expected at least \(expected)"
    }
}

/// Records what adapters send, and notifies waiting tests. Delivers nothing.
struct HarnessSink: NotificationSink, BroadcastSender {
    private let sink: OutboxSink
    private let broadcasts: OutboxBroadcastSender
    /// The number of times that an adapter has sent something.
    let times = AwaitableValue(0)

    init(outbox: any Outbox, broadcasts: any BroadcastStore, pressure: OutboxBackpressure) {
        sink = OutboxSink(outbox: outbox, pressure: pressure, worker: nil)
        self.broadcasts = OutboxBroadcastSender(broadcasts: broadcasts, pressure: pressure, worker: nil)
    }

    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int {
        let wait = try sink.submit(deliveries)
        times.update { $0 += 1 }
        return wait
    }

    func flush() throws(StoreError) {
        try sink.flush()
    }

    func send(_ broadcast: Broadcast) throws(StoreError) -> Int {
        let wait = try broadcasts.send(broadcast)
        times.update { $0 += 1 }
        return wait
    }
}
