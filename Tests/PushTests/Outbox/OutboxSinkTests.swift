import Core
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Deliveries of notify*")
struct OutboxSinkTests {
    private let outbox: FailingOutbox
    private let pressure = OutboxBackpressure(highWaterMark: 2)

    init() throws { outbox = try FailingOutbox() }

    private var sink: OutboxSink { OutboxSink(outbox: outbox, pressure: pressure, worker: nil) }

    @Test("stores submitted deliveries in the outbox before it returns")
    func committed() throws {
        let deliveries = [delivery(), delivery()]
        #expect(try sink.submit(deliveries) == 0)
        #expect(try outbox.all == deliveries)
        #expect(pressure.waiting == 2)
    }

    @Test("A submission returns the time to hold back, counting the deliveries just submitted")
    func pressureTold() throws {
        #expect(try sink.submit([delivery(), delivery(), delivery()]) == 1)
    }

    @Test("An empty submission touches nothing, and still returns the time to hold back")
    func nothing() throws {
        pressure.add(4)
        #expect(try sink.submit([]) == 2)
        #expect(outbox.state.value.calls.isEmpty)
    }

    @Test("A failing store throws its error, and nothing counts as waiting")
    func failed() {
        let error = StoreError(.diskFull, location: "/data", reason: "full")
        outbox.fail(.enqueue, error)
        #expect(throws: error) { try sink.submit([delivery()]) }
        #expect(pressure.waiting == 0)
    }

    @Test("A flush is the outbox's")
    func flush() throws {
        try sink.flush()
        #expect(outbox.state.value.calls == [.flush])
    }

    @Test("A flush that fails throws the store's error")
    func flushFailed() {
        let error = StoreError(.diskFull, location: "/data", reason: "full")
        outbox.fail(.flush, error)
        #expect(throws: error) { try sink.flush() }
    }
}
