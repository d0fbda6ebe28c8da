import Core
import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@testable import Push

@Suite("Broadcasts of sendMessage")
struct OutboxBroadcastSenderTests {
    private let store: FailingOutbox
    private let pressure = OutboxBackpressure(highWaterMark: 5)
    private let error = StoreError(.diskFull, location: "/data", reason: "full")

    init() throws { store = try FailingOutbox() }

    private var sender: OutboxBroadcastSender {
        OutboxBroadcastSender(broadcasts: store, pressure: pressure, worker: nil, batchSize: 3)
    }

    /// Registers so many devices.
    private func broadcast(devices: Int) throws -> Broadcast {
        for number in 0..<devices {
            try store.store.register(
                DeviceRegistration(
                    applicationID: "App", deviceID: "\(number)", platform: .android,
                    token: DeviceToken(stored: "token \(number)")))
        }
        return Broadcast(
            applicationID: "App", target: .everybody, options: [:], createdAt: ManualTime.start,
            expiresAt: ManualTime.start + 60)
    }

    @Test("creates all deliveries of a broadcast in batches before it returns")
    func whole() throws {
        #expect(try sender.send(broadcast(devices: 4)) == 0)
        #expect(store.count(.expandBroadcast) == 2)
        #expect(try store.counts() == [.queued: 4])
        #expect(try store.unfinishedBroadcasts().isEmpty)
        #expect(pressure.waiting == 4)
    }

    @Test("A send returns the time to hold back, counting the deliveries just made")
    func pressureTold() throws {
        #expect(try sender.send(broadcast(devices: 7)) > 0)
        #expect(pressure.waiting == 7)
    }

    @Test("A failing step throws its error, and the deliveries made before it count")
    func failedStep() throws {
        store.fail(.expandBroadcast, error, after: 1)
        #expect(throws: error) { try sender.send(broadcast(devices: 5)) }
        #expect(pressure.waiting == 3)
        #expect(try store.unfinishedBroadcasts().count == 1)
    }

    @Test("An unfinished broadcast is finished later")
    func resume() throws {
        store.fail(.expandBroadcast, error, after: 1)
        #expect(throws: error) { try sender.send(broadcast(devices: 5)) }
        store.fail(.expandBroadcast, nil)
        #expect(try sender.resume() == 1)
        #expect(try store.counts() == [.queued: 5])
        #expect(pressure.waiting == 5)
        #expect(try sender.resume() == 0)
    }

    @Test("A broadcast wakes the worker, which delivers it")
    func wakes() async throws {
        let fixture = WorkerFixture(store)
        let sender = OutboxBroadcastSender(broadcasts: store, pressure: fixture.pressure, worker: fixture.worker)
        try await fixture.run {
            _ = try sender.send(broadcast(devices: 2))
            try await fixture.mediator.state.wait { $0.attempts.count == 2 }
        }
        #expect(fixture.pressure.waiting == 0)
    }
}
