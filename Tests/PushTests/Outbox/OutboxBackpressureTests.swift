import Core
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Back-pressure on scripts", .defaultTimeLimit)
struct OutboxBackpressureTests {
    private func pressure(waiting: Int, highWaterMark: Int = 1000) -> OutboxBackpressure {
        let pressure = OutboxBackpressure(highWaterMark: highWaterMark)
        pressure.add(waiting)
        return pressure
    }

    @Test("A queue up to the high-water threshold needs no wait", arguments: [0, 1, 1000])
    func low(waiting: Int) {
        #expect(pressure(waiting: waiting).millisecondsToWait == 0)
    }

    @Test("The high-water threshold is 10,000 unless set otherwise")
    func defaultMark() {
        let pressure = OutboxBackpressure()
        pressure.add(10_000)
        #expect(pressure.millisecondsToWait == 0)
        pressure.add(1)
        #expect(pressure.millisecondsToWait > 0)
    }

    @Test("Each delivery beyond the threshold adds a millisecond, up to a minute")
    func excess() {
        #expect(pressure(waiting: 1001).millisecondsToWait == 1)
        #expect(pressure(waiting: 3000).millisecondsToWait == 2000)
        #expect(pressure(waiting: 1_000_000_000).millisecondsToWait == 60_000)
    }

    @Test("Ended and failed submissions are subtracted, but never below zero")
    func count() {
        let pressure = pressure(waiting: 10)
        pressure.ended([.delivered, .refused, .delivered])
        #expect(pressure.endings == [.delivered: 2, .refused: 1])
        pressure.takeBack(2)
        #expect(pressure.waiting == 5)
        pressure.takeBack(100)
        #expect(pressure.waiting == 0)
    }

    @Test("the worker starts with the number of deliveries in the store")
    func start() async throws {
        var ended = delivery()
        ended.state = .delivered
        ended.endedAt = ManualTime.start
        let fixture = try WorkerFixture([delivery(), delivery(), ended], ScriptedMediator(isHeld: true))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(2)
            #expect(fixture.pressure.waiting == 2)
        }
    }

    @Test("A delivery that has ended no longer waits, and one to be repeated does")
    func outcomes() async throws {
        let fixture = try WorkerFixture(
            [delivery(id: deliveryID), delivery()],
            ScriptedMediator {
                MediatorOutcome($0.id == deliveryID ? .retry(after: nil, reason: "503") : .delivered, requests: [])
            },
            settings: OutboxWorkerSettings(longestSleep: .seconds(1000)))
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(2))
            #expect(fixture.pressure.waiting == 1)
        }
    }

    @Test("A store that is found empty sets the count right")
    func setRight() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.pressure.add(50)
            fixture.time.advance(by: .seconds(1))
            try await fixture.time.waitForSleepers(.seconds(1))
            #expect(fixture.pressure.waiting == 0)
        }
    }
}
