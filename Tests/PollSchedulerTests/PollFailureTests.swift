import Logging
import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("Polls that fail", .defaultTimeLimit)
struct PollFailureTests {
    let fixture = PollFixture()

    @Test("a failing poll goes on at its next time")
    func goesOn() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.runPoll(mail, every: 2, for: .seconds(6), inStepsOf: .seconds(1))
        #expect(fixture.probe.starts(of: mail) == [2, 4, 6])
    }

    @Test("a failure is logged as an error with its description and the event source")
    func logged() async throws {
        fixture.probe.fail(mail, with: "TypeError: x is null\n  onPoll@Mail-impl.js:7:3")
        try await fixture.runPoll(mail, every: 2, for: .seconds(2))
        let errors = fixture.log.lines.value.filter { $0.level == .error }
        #expect(errors.map(\.message) == ["poll failed: TypeError: x is null\n  onPoll@Mail-impl.js:7:3"])
        #expect(errors.map { $0.metadata["eventSource"] } == ["Mail.inbox"])
    }

    @Test("further failures are logged once a minute, with their number and the last reason")
    func shortened() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.runPoll(mail, every: 5, for: .seconds(130), inStepsOf: .seconds(5))
        #expect(
            fixture.log.messages(at: .error) == [
                "poll failed: TypeError", "poll failed: TypeError; 11 more like it in the last 60 s",
                "poll failed: TypeError; 11 more like it in the last 60 s",
            ]
        )
    }

    @Test("one source's failures do not shorten another's")
    func separate() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        fixture.probe.fail(news, with: "TypeError")
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 1))
            await scheduler.schedule(try poll(news, every: 1))
            try await fixture.pass(.seconds(1), scheduler)
        }
        #expect(fixture.log.messages(at: .error) == ["poll failed: TypeError", "poll failed: TypeError"])
    }

    @Test("recovery is logged once")
    func recovery() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            try await fixture.pass(.seconds(3), inStepsOf: .seconds(1), scheduler)
            fixture.probe.fail(mail, with: nil)
            try await fixture.pass(.seconds(3), inStepsOf: .seconds(1), scheduler)
            #expect(await scheduler.status().map(\.consecutiveFailures) == [0])
        }
        #expect(fixture.log.messages(at: .notice) == ["poll works again after 3 failed runs"])
    }

    @Test("failures are counted across a restart")
    func countedAcrossRestart() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        for _ in 1...2 {
            try await fixture.runPoll(mail, every: 1, for: .seconds(1))
        }
        #expect(fixture.store.state.value.records[mail]?.consecutiveFailures == 2)
        #expect(fixture.log.messages(at: .error) == ["poll failed: TypeError", "poll failed: TypeError"])
    }

    @Test("polls that go well are logged at debug only")
    func quiet() async throws {
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            let before = fixture.log.lines.value.count
            try await fixture.pass(.seconds(5), inStepsOf: .seconds(1), scheduler)
            let lines = fixture.log.lines.value.dropFirst(before)
            #expect(lines.map(\.level) == Array(repeating: Logger.Level.debug, count: 5))
        }
    }

    @Test("a failing poll disturbs no other")
    func othersGoOn() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 1))
            await scheduler.schedule(try poll(news, every: 1))
            try await fixture.pass(.seconds(3), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: news) == [1, 2, 3])
    }
}
