import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Where sendMessage puts its broadcasts")
struct OutboxBroadcastSenderTests {
    private let store = MemoryBroadcasts()
    private let pressure = OutboxBackpressure(time: ManualTime(), highWaterMark: 5)
    private let error = StoreError(.diskFull, location: "/data", reason: "full")

    private var sender: OutboxBroadcastSender {
        OutboxBroadcastSender(broadcasts: store, pressure: pressure, worker: nil, batchSize: 3)
    }

    private func broadcast(devices: Int) -> Broadcast {
        Broadcast(
            applicationID: "App", target: .devices((0..<devices).map(String.init)), options: [:],
            createdAt: ManualTime.start, expiresAt: ManualTime.start + 60)
    }

    @Test("All its deliveries are made when it returns, batch by batch")
    func whole() throws {
        #expect(try sender.send(broadcast(devices: 4)) == 0)
        #expect(store.steps.value == [3, 1])
        #expect(store.left.value.isEmpty)
        #expect(pressure.waiting == 4)
    }

    @Test("It tells how long to hold back, counting what was just made")
    func pressureTold() throws {
        #expect(try sender.send(broadcast(devices: 7)) > 0)
        #expect(pressure.waiting == 7)
    }

    @Test("When a step fails the error is thrown, and what was made counts")
    func failedStep() throws {
        store.failAfter.update { $0 = (1, error) }
        #expect(throws: error) { try sender.send(broadcast(devices: 5)) }
        #expect(pressure.waiting == 3)
        #expect(store.left.value.count == 1)
    }

    @Test("What was left unfinished is finished later")
    func resume() throws {
        store.failAfter.update { $0 = (1, error) }
        #expect(throws: error) { try sender.send(broadcast(devices: 5)) }
        store.failAfter.update { $0 = nil }
        #expect(try sender.resume() == 1)
        #expect(store.steps.value == [3, 2])
        #expect(pressure.waiting == 5)
        #expect(try sender.resume() == 0)
    }

    @Test("A broadcast wakes the worker, which delivers it")
    func wakes() async throws {
        let outbox = MemoryOutbox()
        let fixture = WorkerFixture(outbox)
        let store = MemoryBroadcasts(outbox: outbox)
        let sender = OutboxBroadcastSender(broadcasts: store, pressure: fixture.pressure, worker: fixture.worker)
        try await fixture.run {
            _ = try sender.send(broadcast(devices: 2))
            try await fixture.mediator.state.wait { $0.attempts.count == 2 }
        }
        #expect(fixture.pressure.waiting == 0)
    }
}
