import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Attempts that are repeated", .defaultTimeLimit)
struct WorkerRetryTests {
    private let settings = OutboxWorkerSettings(longestSleep: .seconds(100_000), purgeInterval: .seconds(1_000_000))

    @Test("A delivery is tried again after the wait of the policy, under the same id")
    func retried() async throws {
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID)], ScriptedMediator(first: .retry(after: nil, reason: "503")), settings: settings)
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(2))
            #expect(try fixture.outbox.all.first?.reason == "503")
            fixture.time.advance(by: .seconds(2))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.mediator.state.value.attempts.map(\.id) == [deliveryID, deliveryID])
        #expect(fixture.mediator.state.value.attempts.map(\.attempts) == [1, 2])
        #expect(try fixture.outbox.all.first?.reason == nil)
    }

    @Test("A delivery to a token that the app has replaced meanwhile is tried again")
    func otherToken() async throws {
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID)],
            ScriptedMediator(first: .deviceGone(reason: "Unregistered", asOf: nil)), settings: settings)
        fixture.fate.update { $0 = .hasOtherToken }
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(2))
            #expect(
                try fixture.outbox.all.first?.reason
                    == "Unregistered; the app has another token since, which is tried next")
            fixture.time.advance(by: .seconds(2))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.gone.value.count == 1)
    }

    @Test("The wait doubles with each attempt")
    func backOff() async throws {
        let fixture = try WorkerFixture(
            [delivery()],
            ScriptedMediator { delivery in
                MediatorOutcome(delivery.attempts <= 3 ? .retry(after: nil, reason: "503") : .delivered, requests: [])
            },
            settings: settings)
        try await fixture.run {
            for seconds in [2, 4, 8] {
                try await fixture.time.waitForSleepers(.seconds(seconds))
                fixture.time.advance(by: .seconds(seconds))
            }
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("The service's Retry-After is honoured")
    func retryAfter() async throws {
        let fixture = try WorkerFixture(
            [delivery()], ScriptedMediator(first: .retry(after: .seconds(300), reason: "429")), settings: settings)
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(300))
            fixture.time.advance(by: .seconds(300))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("A delivery is never tried past its time to live: it expires then, and keeps the reason")
    func expires() async throws {
        let fixture = try WorkerFixture(
            [delivery(timeToLive: 90)],
            ScriptedMediator(first: .retry(after: .seconds(300), reason: "429")), settings: settings)
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(90))
            #expect(try fixture.outbox.all.first?.state == .queued)
            fixture.time.advance(by: .seconds(90))
            try await fixture.outbox.waitUntilAll(are: .expired)
        }
        #expect(fixture.mediator.state.value.attempts.count == 1)
        #expect(try fixture.outbox.all.first?.reason == "429")
    }

    @Test("An expired delivery keeps the requests of its last attempt")
    func expiredRequests() async throws {
        let request = PushRequest(service: .fcm, method: "POST", url: "u", headers: [], body: "b")
        let fixture = try WorkerFixture(
            [delivery(timeToLive: 1)],
            ScriptedMediator { _ in MediatorOutcome(.retry(after: nil, reason: "503"), requests: [request]) },
            settings: settings)
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.waitUntilAll(are: .expired)
        }
        #expect(try fixture.outbox.all.first?.requests == [request])
    }

    @Test("An attempt without a response is cancelled and repeated, and its late response no longer counts")
    func timeout() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true), settings: settings)
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(60))
            fixture.time.advance(by: .seconds(60))
            try await fixture.outbox.waitUntilAll(are: .queued)
            #expect(try fixture.outbox.all.first?.reason == "no response from the push service within 60.0 s")
            try await fixture.mediator.state.wait { $0.cancelled == 1 && $0.running == 0 }
            fixture.mediator.letGo()
            try await fixture.time.waitForSleepers(.seconds(2))
            #expect(try fixture.outbox.all.first?.state == .queued)
            fixture.time.advance(by: .seconds(2))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(try fixture.outbox.all.first?.attempts == 2)
    }

    @Test("An attempt is cancelled when its lease ends")
    func leaseEnd() async throws {
        var settings = settings
        settings.lease = .seconds(20)
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true), settings: settings)
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(20))
            fixture.time.advance(by: .seconds(20))
            try await fixture.mediator.state.wait { $0.cancelled == 1 }
        }
    }
}
