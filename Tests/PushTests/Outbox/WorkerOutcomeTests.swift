import Core
import Foundation
import Logging
import PushModel
import Storage
import TestSupport
import Testing

@testable import Push

@Suite("The outcome of a delivery", .defaultTimeLimit)
struct WorkerOutcomeTests {
    @Test("a delivery that a service accepts is delivered, with its requests")
    func delivered() async throws {
        let request = PushRequest(service: .fcm, method: "POST", url: "u", headers: [], body: "b")
        let fixture = try WorkerFixture(
            [delivery()], ScriptedMediator { _ in MediatorOutcome(.delivered, requests: [request]) })
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .delivered) }
        let ended = try #require(try fixture.outbox.all.first)
        #expect(ended.requests == [request])
        #expect(ended.attempts == 1)
        #expect(ended.endedAt == fixture.time.now)
    }

    @Test("An accepted message keeps its service's id without the requests; a refused one keeps both")
    func serviceID() async throws {
        let request = PushRequest(service: .fcm, method: "POST", url: "u", headers: [], body: "b")
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID), delivery()],
            ScriptedMediator { delivery in
                MediatorOutcome(
                    delivery.id == deliveryID ? .delivered : .refused(reason: "no"), serviceID: "7",
                    requests: [request])
            })
        try await fixture.run { try await fixture.outbox.wait(for: [.delivered: 1, .refused: 1]) }
        #expect(try fixture.outbox.all.map(\.serviceID) == ["7", "7"])
        #expect(try fixture.outbox.all.map(\.requests) == [[], [request]])
    }

    @Test("The mediator gets the delivery unchanged from the claim")
    func claimed() async throws {
        let delivery = delivery(id: deliveryID)
        let fixture = try WorkerFixture([delivery])
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .delivered) }
        let attempt = try #require(fixture.mediator.state.value.attempts.first)
        #expect(attempt.id == deliveryID)
        #expect(attempt.options == delivery.options)
        #expect(attempt.attempts == 1)
        #expect(attempt.due == ManualTime.start + 600)
    }

    @Test("A delivery that a service refuses is refused with its reason, and logged")
    func refused() async throws {
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID)], ScriptedMediator(first: .refused(reason: "BadTopic")))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .refused) }
        #expect(try fixture.outbox.all.first?.reason == "BadTopic")
        #expect(
            fixture.log.lines.value.map(\.withoutMessageID).contains(
                LogRecorder.Line(
                    level: .warning, message: "refused: BadTopic",
                    metadata: [
                        "delivery": "00000000-0000-4000-8000-00000000000a", "eventSource": "NewsAdapter.News",
                        "platform": "Android", "attempt": "1",
                    ])))
        #expect(fixture.gone.value.isEmpty)
    }

    @Test("A device that is gone is reported to the subscriptions' owner before the refusal is recorded")
    func gone() async throws {
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID)],
            ScriptedMediator(first: .deviceGone(reason: "Unregistered", asOf: ManualTime.start - 60)))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .refused) }
        let expected = WorkerFixture.Gone(id: deliveryID, reason: "Unregistered", asOf: ManualTime.start - 60)
        #expect(fixture.gone.value == [expected])
    }

    @Test("A delivery whose recipient has unsubscribed is refused without an attempt")
    func withdrawn() async throws {
        let subscription = subscription()
        let fixture = try WorkerFixture([delivery(to: subscription)])
        try fixture.outbox.store.register(DeviceRegistration(subscription))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .refused) }
        #expect(fixture.mediator.state.value.attempts.isEmpty)
        let reason = "the device is no longer subscribed to NewsAdapter.News for user 'ann'"
        #expect(try fixture.outbox.all.map(\.reason) == [reason])
    }

    @Test("A delivery whose time to live ran out before it was claimed expires without an attempt")
    func expired() async throws {
        let fixture = try WorkerFixture([delivery(timeToLive: 60)])
        fixture.time.advance(by: .seconds(70))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .expired) }
        #expect(fixture.mediator.state.value.attempts.isEmpty)
        #expect(fixture.log.messages(at: .warning) == ["expired before a push service took it"])
    }

    @Test("A time to live of 0 means now, so the first attempt is made")
    func nowOrNever() async throws {
        let fixture = try WorkerFixture([delivery(timeToLive: 0)])
        fixture.time.advance(by: .seconds(9))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .delivered) }
    }

    @Test("A time to live of 0 means never again, so there is no second attempt")
    func onlyOnce() async throws {
        let fixture = try WorkerFixture(
            [delivery(timeToLive: 0)], ScriptedMediator(first: .retry(after: nil, reason: "busy")))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .expired) }
        #expect(fixture.mediator.state.value.attempts.count == 1)
        #expect(try fixture.outbox.all.first?.reason == "busy")
    }

    @Test("Deliveries that came after a full batch are claimed at once too")
    func severalBatches() async throws {
        let fixture = try WorkerFixture((0..<7).map { _ in delivery() }, settings: OutboxWorkerSettings(batchSize: 3))
        try await fixture.run { try await fixture.outbox.waitUntilAll(are: .delivered) }
        #expect(fixture.time.now == ManualTime.start)
    }

    @Test("No more attempts are under way at once than allowed")
    func concurrency() async throws {
        let fixture = try WorkerFixture(
            (0..<10).map { _ in delivery() }, ScriptedMediator(isHeld: true),
            settings: OutboxWorkerSettings(concurrency: 3))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(3)
            // All slots are taken; the worker waits for deliveries that the other channels may get.
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.mediator.letGo()
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.mediator.state.value.mostRunning == 3)
    }

    @Test("Outcomes that come while the store is busy are recorded together afterwards")
    func reportsInBatches() async throws {
        let recording = DispatchSemaphore(value: 0)
        let outbox = try FailingOutbox((0..<9).map { _ in delivery() }) { call in
            if call == .record { recording.wait() }
        }
        let fixture = WorkerFixture(outbox)
        try await fixture.run {
            // However many the first batch has, the others are in the second.
            try await fixture.log.lines.wait { lines in lines.count { $0.message == "delivered" } == 9 }
            recording.signal()
            recording.signal()
            try await outbox.waitUntilAll(are: .delivered)
        }
        #expect(outbox.state.value.batches.count <= 2)
        #expect(outbox.state.value.batches.reduce(0, +) == 9)
    }
}
