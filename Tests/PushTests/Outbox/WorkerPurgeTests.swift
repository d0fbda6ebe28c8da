import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Forgetting old deliveries", .defaultTimeLimit)
struct WorkerPurgeTests {
    @Test("Deliveries that ended longer ago than the retention are forgotten at the start and every hour")
    func hourly() async throws {
        let settings = OutboxWorkerSettings(longestSleep: .seconds(100_000))
        let fixture = try WorkerFixture(settings: settings)
        try await fixture.run {
            for _ in 0..<2 {
                try await fixture.time.waitForSleepers(.seconds(3600))
                fixture.time.advance(by: .seconds(3600))
            }
            try await fixture.time.waitForSleepers(.seconds(3600))
        }
        let week = 7.0 * 24 * 3600
        let expected = [-week, 3600 - week, 7200 - week].map { ManualTime.start + $0 }
        #expect(fixture.outbox.state.value.purgeLimits == expected)
    }

    @Test("Only what has ended before is forgotten")
    func oldOnly() async throws {
        var old = delivery(id: deliveryID)
        old.state = .delivered
        old.endedAt = ManualTime.start - 61
        var recent = delivery()
        recent.state = .refused
        recent.endedAt = ManualTime.start - 60
        let fixture = try WorkerFixture([old, recent], settings: OutboxWorkerSettings(retention: .seconds(60)))
        try await fixture.run { try await fixture.outbox.wait(for: [.refused: 1]) }
        #expect(try fixture.outbox.all.map(\.id) == [recent.id])
    }

    @Test("The oldest ended deliveries are deleted before the hour is over if there are many")
    func excess() async throws {
        let fixture = try WorkerFixture(
            (0..<30).map { _ in delivery() },
            settings: OutboxWorkerSettings(concurrency: 1, batchSize: 1, maximumEnded: 20))
        try await fixture.run {
            try await waitUntil { try fixture.outbox.all.count <= 22 && fixture.outbox.count(.purge) > 1 }
        }
        #expect(fixture.time.now == ManualTime.start)
    }

    @Test("Deliveries go on while a purge takes its time")
    func unhindered() async throws {
        let purging = DispatchSemaphore(value: 0)
        let outbox = try FailingOutbox([delivery()]) { call in
            if call == .purge { purging.wait() }
        }
        let fixture = WorkerFixture(outbox)
        try await fixture.run {
            try await outbox.waitUntilAll(are: .delivered)
            #expect(outbox.count(.purge) == 0)
            purging.signal()
        }
        #expect(outbox.count(.purge) == 1)
    }

    @Test("A purge that becomes due during another follows at once and not in parallel")
    func overdue() async throws {
        let (begun, purging) = (AwaitableValue(0), DispatchSemaphore(value: 0))
        let outbox = try FailingOutbox { call in
            guard call == .purge else { return }
            begun.update { $0 += 1 }
            purging.wait()
        }
        let fixture = WorkerFixture(outbox, settings: OutboxWorkerSettings(longestSleep: .seconds(100_000)))
        try await fixture.run {
            try await begun.wait { $0 == 1 }
            try await fixture.time.waitForSleepers(.seconds(3600))
            fixture.time.advance(by: .seconds(3700))
            try await fixture.time.waitForSleepers(.seconds(96_300))
            #expect(begun.value == 1)
            purging.signal()
            try await begun.wait { $0 == 2 }
            purging.signal()
        }
        #expect(outbox.count(.purge) == 2)
    }
}
