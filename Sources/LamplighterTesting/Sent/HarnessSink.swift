import Core
import Delivery
import PushModel

/// Takes what adapters send, and tells those who wait for it. Nothing is delivered.
struct HarnessSink: NotificationSink, BroadcastSender {
    private let sink: OutboxSink
    private let broadcasts: OutboxBroadcastSender
    /// How often something was sent.
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

    func resume() throws(StoreError) -> Int {
        try broadcasts.resume()
    }
}
