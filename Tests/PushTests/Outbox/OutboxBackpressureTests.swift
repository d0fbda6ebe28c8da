import Core
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Back-pressure on scripts", .defaultTimeLimit)
struct OutboxBackpressureTests {
    private let time = ManualTime()

    private func pressure(waiting: Int, highWaterMark: Int = 1000) -> OutboxBackpressure {
        let pressure = OutboxBackpressure(time: time, highWaterMark: highWaterMark)
        pressure.add(waiting)
        return pressure
    }

    @Test("Up to the high-water mark there is no wait", arguments: [0, 1, 1000])
    func low(waiting: Int) {
        #expect(pressure(waiting: waiting).millisecondsToWait == 0)
    }

    @Test("The high-water mark is 10,000 unless set otherwise")
    func defaultMark() {
        let pressure = OutboxBackpressure(time: time)
        pressure.add(10_000)
        #expect(pressure.millisecondsToWait == 0)
        pressure.add(1)
        #expect(pressure.millisecondsToWait > 0)
    }

    @Test("Before anything was measured, the worker is taken to manage 200 a second")
    func unmeasured() {
        #expect(pressure(waiting: 1001).millisecondsToWait == 5)
        #expect(pressure(waiting: 3000).millisecondsToWait == 10_000)
    }

    @Test("Beyond it the wait is what the worker needs for the excess at its recent rate")
    func measured() {
        let pressure = pressure(waiting: 200_000)
        for _ in 0..<60 {
            time.advance(by: .seconds(1))
            pressure.ended(1000)
        }
        #expect(pressure.waiting == 140_000)
        pressure.ended(138_500)
        // 500 too many; the burst at the end made the rate much higher, so let it be forgotten.
        pressure.add(1_000_000)
        for _ in 0..<200 {
            time.advance(by: .seconds(1))
            pressure.ended(500)
        }
        pressure.reset(waiting: 1500)
        #expect((950...1050).contains(pressure.millisecondsToWait))
    }

    @Test("A worker that gets nowhere makes scripts wait a minute, and never more")
    func stalled() {
        let pressure = pressure(waiting: 1100)
        time.advance(by: .seconds(300))
        #expect(pressure.millisecondsToWait == 60_000)
        pressure.add(1_000_000_000)
        #expect(pressure.millisecondsToWait == 60_000)
    }

    @Test("Idle time does not make the worker look slow")
    func idle() {
        let pressure = pressure(waiting: 0)
        time.advance(by: .seconds(100_000))
        pressure.add(3000)
        #expect(pressure.millisecondsToWait == 10_000)
    }

    @Test("What other workers have done counts into the rate, and what others enqueued into the number")
    func otherWorkers() {
        let pressure = pressure(waiting: 0)
        pressure.reset(OutboxDepth(waiting: 11_000, ended: 500))
        for second in 1...60 {
            time.advance(by: .seconds(1))
            pressure.ended(250)
            pressure.reset(OutboxDepth(waiting: 11_000, ended: 500 + second * 1000))
        }
        #expect(pressure.waiting == 11_000)
        #expect((9500...10_500).contains(pressure.millisecondsToWait))
    }

    @Test("A few that wait for their next attempt do not make the worker look slow")
    func repeats() {
        let pressure = pressure(waiting: 50)
        time.advance(by: .seconds(100_000))
        pressure.add(2950)
        #expect(pressure.millisecondsToWait == 10_000)
    }

    @Test("A service that stalls is noticed within seconds")
    func stalling() {
        let pressure = pressure(waiting: 100_000)
        for _ in 0..<60 {
            time.advance(by: .seconds(1))
            pressure.ended(1000)
        }
        let (waiting, before) = (pressure.waiting, pressure.millisecondsToWait)
        #expect((35_000...42_000).contains(before))
        time.advance(by: .seconds(4))
        #expect(pressure.waiting == waiting)
        #expect(Double(pressure.millisecondsToWait) > Double(before) * 1.4)
    }

    @Test("Ends and submissions that failed are taken off, but never below nothing")
    func count() {
        let pressure = pressure(waiting: 10)
        pressure.ended([.delivered, .refused, .delivered])
        #expect(pressure.endings == [.delivered: 2, .refused: 1])
        pressure.takeBack(2)
        #expect(pressure.waiting == 5)
        pressure.ended(100)
        #expect(pressure.waiting == 0)
        pressure.takeBack(100)
        #expect(pressure.waiting == 0)
    }

    @Test("The worker starts with what the store holds")
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

    @Test("What ends no longer waits, and what is to be repeated does")
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
