import Core
import Logging
import PollScheduler
import PushModel
import TestSupport
import Testing

import struct Foundation.Date

@Suite("Stored poll records", .defaultTimeLimit)
struct PollKeepingTests {
    let fixture = PollFixture()
    var store: InMemoryPollStore { fixture.store }

    @Test("the first due time is stored when the poll is first scheduled")
    func firstScheduled() async throws {
        await fixture.makeScheduler().schedule(try poll(mail, every: 60))
        #expect(
            try await store.waitForRecord(of: mail)
                == PollRecord(
                    eventSource: mail, interval: 60, lastEnded: nil, nextDue: date(60), consecutiveFailures: 0
                )
        )
    }

    @Test("the next due time is stored after each run")
    func afterRun() async throws {
        try await fixture.whilePolling(mail, every: 60) { scheduler in
            for run in 1...3 {
                try await fixture.pass(.seconds(60), scheduler)
                let end = date(60 * Double(run))
                let record = try await store.waitForRecord(of: mail) { $0.lastEnded == end }
                #expect(record.nextDue == end.addingTimeInterval(60))
            }
        }
    }

    @Test("a failed run is stored with the number of failures")
    func afterFailure() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.runPoll(mail, every: 60, for: .seconds(120), inStepsOf: .seconds(60))
        #expect(store.state.value.records[mail]?.consecutiveFailures == 2)
    }

    @Test("the store is never called on the cooperative thread pool")
    func offThePool() async throws {
        try await fixture.runPoll(mail, every: 1, for: .seconds(2), inStepsOf: .seconds(1))
        #expect(!store.state.value.attempts.isEmpty)
        #expect(!store.state.value.wasCalledInTask)
    }

    @Test("polls scheduled together are stored in one go")
    func scheduledTogether() async throws {
        await fixture.makeScheduler().schedule([try poll(news, every: 60), try poll(mail, every: 60)])
        _ = try await store.waitForRecord(of: news)
        #expect(store.state.value.attempts == [[mail, news]])
    }

    @Test("a known poll is not stored again for being scheduled")
    func knownNotStored() async throws {
        let record = PollRecord(
            eventSource: mail, interval: 60, lastEnded: date(-10), nextDue: date(50), consecutiveFailures: 0
        )
        store.state.update { $0.records[mail] = record }
        try await fixture.whilePolling(mail, every: 60) { _ in }
        #expect(store.state.value.attempts == [])
    }

    @Test("runs that end while the store is busy are stored together")
    func batch() async throws {
        let sources = (1...200).map { EventSourceID(adapter: "Adapter\($0)", name: "events") }
        for source in sources {
            let known = PollRecord(
                eventSource: source, interval: 1, lastEnded: nil, nextDue: date(1), consecutiveFailures: 0
            )
            store.state.update { $0.records[source] = known }
        }
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try sources.map { try poll($0, every: 1) })
            store.hold()
            await scheduler.schedule(try poll(mail, every: 600))
            try await store.state.wait { $0.attempts.count == 1 }
            try await fixture.pass(.seconds(1), scheduler)
            store.release()
            try await store.state.wait { state in sources.allSatisfy { state.records[$0]?.lastEnded == date(1) } }
            let attempts = store.state.value.attempts
            // At most the last of them can have reached the keeper after the store was free again.
            #expect(attempts.count <= 3)
            #expect(attempts.dropFirst().flatMap { $0 }.sorted() == sources.sorted())
        }
    }

    @Test("a store that blocks delays no poll")
    func blockedStore() async throws {
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            _ = try await store.waitForRecord(of: mail)
            store.hold()
            try await fixture.pass(.seconds(5), inStepsOf: .seconds(1), scheduler)
            #expect(fixture.probe.starts(of: mail) == [1, 2, 3, 4, 5])
            #expect(store.state.value.records[mail]?.lastEnded == nil)
            store.release()
        }
    }

    @Test("polling goes on while the store fails")
    func failingStore() async throws {
        store.state.update { $0.saveError = InMemoryPollStore.diskFull }
        try await fixture.runPoll(mail, every: 1, for: .seconds(3), inStepsOf: .seconds(1))
        #expect(fixture.probe.starts(of: mail) == [1, 2, 3])
    }

    @Test("a failing store is tried once for all runs that ended together")
    func failingBatch() async throws {
        let sources = (1...200).map { EventSourceID(adapter: "Adapter\($0)", name: "events") }
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try sources.map { try poll($0, every: 1) })
            try await store.state.wait { $0.records.count == 200 }
            store.state.update { $0.saveError = InMemoryPollStore.diskFull }
            store.hold()
            await scheduler.schedule(try poll(mail, every: 600))
            try await store.state.wait { $0.attempts.count == 2 }
            try await fixture.pass(.seconds(2), scheduler)
            store.release()
        }
        // All of the first, the one that was held, those behind it in one or two, and the one at the stop.
        let attempts = store.state.value.attempts
        #expect((4...5).contains(attempts.count))
        #expect(attempts.last?.count == 201)
    }

    @Test("what could not be stored is stored the next time, for all sources")
    func storedNextTime() async throws {
        store.state.update { $0.saveError = InMemoryPollStore.diskFull }
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule([try poll(news, every: 5), try poll(mail, every: 60)])
            try await store.state.wait { $0.attempts.count == 1 }
            try await fixture.log.lines.wait { $0.contains { $0.level == .error } }
            store.state.update { $0.saveError = nil }
            try await fixture.pass(.seconds(5), scheduler)
            #expect(try await store.waitForRecord(of: mail).nextDue == date(60))
            #expect(try await store.waitForRecord(of: news).nextDue == date(10))
        }
    }

    @Test("a failing store is logged at once, then once a minute, and then that it works again")
    func storeLogged() async throws {
        store.state.update { $0.saveError = InMemoryPollStore.diskFull }
        try await fixture.whilePolling(mail, every: 20) { scheduler in
            try await fixture.log.lines.wait { $0.contains { $0.level == .error } }
            try await fixture.pass(.seconds(60), inStepsOf: .seconds(20), scheduler)
            try await fixture.log.lines.wait { $0.count { $0.level == .error } == 2 }
            store.state.update { $0.saveError = nil }
            try await fixture.pass(.seconds(20), scheduler)
            try await fixture.log.lines.wait { $0.contains { $0.level == .notice } }
        }
        let errors = fixture.log.messages(at: .error)
        #expect(errors.count == 2)
        #expect(errors.first == "saving poll times failed: \(InMemoryPollStore.diskFull)")
        let notices = fixture.log.messages(at: .notice)
        #expect(notices.count == 1 && notices[0].hasPrefix("saving poll times works again after"))
    }

    @Test("a poll whose record can't be read counts as new, and says so")
    func unreadable() async throws {
        store.state.update { $0.readError = InMemoryPollStore.diskFull }
        try await fixture.runPoll(mail, every: 2, for: .seconds(2), inStepsOf: .seconds(1))
        #expect(fixture.probe.starts(of: mail) == [2])
        #expect(
            fixture.log.messages(at: .error)
                == ["poll time could not be read, so the poll counts as new: \(InMemoryPollStore.diskFull)"]
        )
    }

    @Test("a record that can't be read is not overwritten before the poll has run")
    func unreadableKept() async throws {
        let record = PollRecord(
            eventSource: mail, interval: 9_000, lastEnded: date(-8_000), nextDue: date(1_000), consecutiveFailures: 0
        )
        store.state.update {
            $0.records[mail] = record
            $0.readError = InMemoryPollStore.diskFull
        }
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 9_000))
            try await fixture.pass(.seconds(500), scheduler)
        }
        #expect(store.state.value.records[mail] == record)
    }
}
