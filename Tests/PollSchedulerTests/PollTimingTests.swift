import Core
import Foundation
import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("When polls run", .defaultTimeLimit)
struct PollTimingTests {
    let fixture = PollFixture()

    @Test("a poll runs again and again, one interval after the last run")
    func repeats() async throws {
        try await fixture.runPoll(mail, every: 3, for: .seconds(10), inStepsOf: .seconds(1))
        #expect(fixture.probe.starts(of: mail) == [3, 6, 9])
    }

    @Test("the wait begins when the callback has ended")
    func fixedDelay() async throws {
        try await fixture.whilePolling(mail, every: 10) { scheduler in
            fixture.probe.hold(mail)
            fixture.time.advance(by: .seconds(10))
            try await fixture.probe.waitForStart(of: mail)
            fixture.time.advance(by: .seconds(4))
            fixture.probe.release(mail)
            try await fixture.settle(scheduler)
            try await fixture.pass(.seconds(20), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [10, 24, 34])
    }

    @Test(
        "polls that are scheduled together are spread over ten seconds, or over the interval if that is shorter",
        arguments: [60.0, 4])
    func spread(interval: Double) async throws {
        try await fixture.whileRunning { scheduler in
            let sources = (1...100).map { EventSourceID(adapter: "A", name: "\($0)") }
            await scheduler.schedule(try sources.map { try poll($0, every: interval) })
            let start = fixture.time.now
            let waits = await scheduler.status().compactMap { $0.nextDue?.timeIntervalSince(start) }
            let spread = min(interval, 10)
            // In each tenth of the time about a tenth of the polls.
            for tenth in 0..<10 {
                let range = (interval + spread * Double(tenth) / 10)...(interval + spread * Double(tenth + 1) / 10)
                #expect((9...12).contains(waits.count { range.contains($0) }))
            }
        }
    }

    @Test("a poll that takes many intervals never overlaps itself, and delays no other")
    func noOverlap() async throws {
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 1))
            await scheduler.schedule(try poll(news, every: 1))
            fixture.probe.hold(mail)
            for second in 1...20 {
                fixture.time.advance(by: .seconds(1))
                try await fixture.probe.waitForStart(of: mail)
                try await fixture.probe.waitForStart(second, of: news)
                try await fixture.waitUntilIdle(news, scheduler)
            }
            fixture.probe.release(mail)
            try await fixture.settle(scheduler)
            try await fixture.pass(.seconds(2), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [1, 21, 22])
        #expect(fixture.probe.starts(of: news) == (1...22).map { Double($0) })
        #expect(fixture.probe.mostAtOnce(of: mail) == 1)
    }

    @Test("fractions of a second count")
    func fractions() async throws {
        try await fixture.runPoll(mail, every: 0.75, for: .seconds(2.5), inStepsOf: .milliseconds(250))
        #expect(fixture.probe.starts(of: mail) == [0.75, 1.5, 2.25])
    }

    @Test("the first wait is exact too, although it was reckoned with dates")
    func exactFirstWait() async throws {
        try await fixture.whilePolling(mail, every: 0.3) { _ in
            try await fixture.time.waitForSleepers(until: 0.3)
        }
    }

    @Test("an interval of a tenth of a second is not rounded away: 600 runs make a minute")
    func tenths() async throws {
        try await fixture.runPoll(mail, every: 0.1, for: .seconds(60), inStepsOf: .milliseconds(100))
        #expect(fixture.probe.starts(of: mail).count == 600)
    }

    @Test("of 200 sources due together every second none is skipped over a minute")
    func manySources() async throws {
        let sources = (1...200).map { EventSourceID(adapter: "Adapter\($0)", name: "events") }
        try await fixture.whileRunning { scheduler in
            for source in sources { await scheduler.schedule(try poll(source, every: 1)) }
            try await fixture.pass(.seconds(60), inStepsOf: .seconds(1), scheduler)
        }
        let everySecond = (1...60).map(Double.init)
        #expect(sources.allSatisfy { fixture.probe.starts(of: $0) == everySecond })
        #expect(sources.allSatisfy { fixture.probe.mostAtOnce(of: $0) == 1 })
    }

    @Test("200 sources with different intervals each keep their own")
    func differentIntervals() async throws {
        let sources = (1...200).map { EventSourceID(adapter: "Adapter\($0)", name: "events") }
        try await fixture.whileRunning { scheduler in
            for (index, source) in sources.enumerated() {
                await scheduler.schedule(try poll(source, every: Double(index % 20 + 1)))
            }
            try await fixture.pass(.seconds(60), inStepsOf: .seconds(1), scheduler)
        }
        for (index, source) in sources.enumerated() {
            #expect(fixture.probe.starts(of: source).count == 60 / (index % 20 + 1))
        }
    }

    @Test("no poll runs before the scheduler does, and one due meanwhile runs once")
    func scheduledBeforeRun() async throws {
        let scheduler = fixture.makeScheduler()
        await scheduler.schedule(try poll(mail, every: 1))
        fixture.time.advance(by: .seconds(5))
        #expect(fixture.probe.starts(of: mail) == [])
        let running = Task { await scheduler.run() }
        try await fixture.settle(scheduler)
        #expect(fixture.probe.starts(of: mail) == [5])
        await scheduler.stop(gracePeriod: .zero)
        await running.value
    }

    @Test("setting the machine's clock moves no poll", arguments: [-86_400.0, 86_400])
    func clockSet(seconds: Double) async throws {
        try await fixture.whilePolling(mail, every: 3) { scheduler in
            fixture.time.setClock(forwardBy: seconds)
            try await fixture.time.waitForSleepers(until: 3)
            fixture.time.advance(by: .seconds(3))
            try await fixture.settle(scheduler)
            try await fixture.pass(.seconds(3), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [3, 6])
    }
}
