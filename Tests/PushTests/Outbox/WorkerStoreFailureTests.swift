import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

private let locked = StoreError(.locked, location: "/data/lamplighter.db", reason: "database is locked")
private let full = StoreError(.diskFull, location: "/data/lamplighter.db", reason: "disk is full")

@Suite("A store that fails", .defaultTimeLimit)
struct WorkerStoreFailureTests {
    @Test(
        "A failing call loses no delivery, and the worker goes on when it works again",
        arguments: [FailingOutbox.Call.release, .depth, .claim, .record])
    func recovers(call: FailingOutbox.Call) async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.outbox.fail(call, locked)
        try await fixture.run {
            try await fixture.log.waitForStoreFailures(1)
            fixture.time.advance(by: .seconds(1))
            try await fixture.log.waitForStoreFailures(2)
            #expect(try fixture.outbox.all.first?.state != .delivered)
            fixture.outbox.fail(call, nil)
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.mediator.state.value.attempts.count == 1)
        #expect(fixture.log.messages(at: .notice) == ["the outbox works again"])
    }

    @Test("A failure to read the next due time is survived too")
    func nextDue() async throws {
        let fixture = try WorkerFixture()
        fixture.outbox.fail(.nextDue, locked)
        try await fixture.run {
            try await fixture.log.waitForStoreFailures(1)
            fixture.outbox.fail(.nextDue, nil)
            try fixture.outbox.enqueue([delivery()])
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("A failing store is paused for a while even when the worker is woken")
    func pause() async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.outbox.fail(.claim, locked)
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .milliseconds(400))
            fixture.worker.wake()
            try await fixture.time.waitForSleepers(.milliseconds(600))
            #expect(fixture.outbox.count(.claim) == 1)
            fixture.outbox.fail(.claim, nil)
            fixture.time.advance(by: .milliseconds(600))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("An unchanged failure is logged as an error once, another one again")
    func logged() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            for error in [locked, locked, locked, full] {
                fixture.outbox.fail(.release, error)
                fixture.outbox.fail(.nextDue, error)
                let before = fixture.log.lines.value.count
                fixture.time.advance(by: .seconds(1))
                try await fixture.log.lines.wait { $0.count > before }
                try await fixture.time.waitForSleepers(.seconds(1))
            }
        }
        let lead = "the outbox failed and will be tried again; nothing is lost meanwhile: "
        #expect(fixture.log.messages(at: .error).prefix(2) == [lead + "\(locked)", lead + "\(full)"])
    }

    @Test("A failed purge is logged and does not stop deliveries")
    func purge() async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.outbox.fail(.purge, full)
        try await fixture.run {
            try await fixture.outbox.waitUntilAll(are: .delivered)
            try await fixture.log.lines.wait { lines in lines.contains { $0.level == .error } }
        }
        #expect(
            fixture.log.messages(at: .error)
                == ["old deliveries could not be forgotten; tried again in a while: \(full)"])
    }
}
