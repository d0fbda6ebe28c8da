import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Recording how attempts ended", .everyStore)
struct RecordTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func claimedDelivery() throws -> Delivery {
        try store.outbox.enqueue([delivery()])
        return try #require(try store.claimAtNoon().first)
    }

    @Test("keeps the time and the requests of a delivered message")
    func delivered() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .delivered, requests: [request])], worker: "worker")
        let stored = try #require(try store.all().first)
        #expect(stored.state == .delivered)
        #expect(stored.endedAt == noon + 1)
        #expect(stored.requests == [request])
        #expect(stored.reason == nil)
    }

    @Test("keeps the service's id of a message")
    func serviceID() throws {
        let claimed = try claimedDelivery()
        let report = DeliveryReport(on: claimed, ending: .delivered, date: noon, serviceID: "projects/p/messages/1")
        try store.outbox.record([report], worker: "worker")
        #expect(try store.all().map(\.serviceID) == ["projects/p/messages/1"])
    }

    @Test("Refused: the service's reason is kept")
    func refused() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .refused(reason: "BadDeviceToken"))], worker: "worker")
        let stored = try #require(try store.all().first)
        #expect(stored.state == .refused)
        #expect(stored.endedAt == noon + 1)
        #expect(stored.reason == "BadDeviceToken")
    }

    @Test("A retry is pending until its time, with the reason")
    func retry() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record(
            [.of(claimed, .retry(at: noon + 30, reason: "503"), requests: [request])], worker: "worker")
        let stored = try #require(try store.all().first)
        #expect(stored.state == .queued)
        #expect(stored.due == noon + 30)
        #expect(stored.endedAt == nil)
        #expect(stored.reason == "503")
        #expect(stored.requests == [request])
        #expect(try store.claim(limit: 9, now: noon + 29, leaseEnd: noon + 99, worker: "w").isEmpty)
        #expect(try store.claim(limit: 9, now: noon + 30, leaseEnd: noon + 99, worker: "w").count == 1)
    }

    @Test("an expired delivery keeps the requests and the reason of its last attempt")
    func expired() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .retry(at: noon, reason: "503"), requests: [request])], worker: "worker")
        try store.outbox.record(try store.claimAtNoon().map { .of($0, .expired) }, worker: "worker")
        let stored = try #require(try store.all().first)
        #expect(stored.requests == [request])
        #expect(stored.state == .expired)
        #expect(stored.endedAt == noon + 1)
        #expect(stored.reason == "503")
    }

    @Test("A delivery after a retry has no old reason")
    func deliveredAfterRetry() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .retry(at: noon, reason: "503"))], worker: "worker")
        try store.outbox.record(try store.claimAtNoon().map { .of($0, .delivered) }, worker: "worker")
        #expect(try store.all().first?.reason == nil)
    }

    /// Ends an attempt without success, and claims the delivery again.
    private func fail(_ claimed: Delivery, at date: Date, _ reason: String) throws -> Delivery {
        try store.outbox.record([.of(claimed, .retry(at: noon, reason: reason), at: date)], worker: "worker")
        return try #require(try store.claimAtNoon().first)
    }

    @Test("keeps each failed attempt with its time and response, also after the delivery was delivered")
    func failures() throws {
        let first = try fail(try claimedDelivery(), at: noon + 1, "503 busy")
        let second = try fail(first, at: noon + 2, "429 é \"slow\" {\\}")
        let failed = [
            DeliveryFailure(time: noon + 1, reason: "503 busy"),
            DeliveryFailure(time: noon + 2, reason: "429 é \"slow\" {\\}"),
        ]
        #expect(try store.all().map(\.failures) == [failed])
        try store.outbox.record([.of(second, .delivered, at: noon + 3)], worker: "worker")
        #expect(try store.all().map(\.failures) == [failed])
    }

    @Test("keeps a refusal as the last failed attempt")
    func refusalAfterFailure() throws {
        let claimed = try fail(try claimedDelivery(), at: noon + 1, "503")
        try store.outbox.record([.of(claimed, .refused(reason: "400"), at: noon + 2)], worker: "worker")
        #expect(try store.all().first?.failures.map(\.reason) == ["503", "400"])
    }

    @Test("keeps the failed attempts of a cancelled delivery, and adds none")
    func failuresOfCancelled() throws {
        _ = try fail(try claimedDelivery(), at: noon + 1, "503")
        #expect(try store.outbox.release(worker: "worker") == 1)
        let number = try #require(try store.all().first?.number.value)
        #expect(try store.outbox.cancelDeliveries([number], reason: "cancelled", at: noon + 3) == 1)
        #expect(try store.all().first?.failures.map(\.reason) == ["503"])
    }

    @Test("keeps the newest 20 failed attempts")
    func manyFailures() throws {
        var claimed = try claimedDelivery()
        for number in 1...25 { claimed = try fail(claimed, at: noon + Double(number), "\(number)") }
        #expect(try store.all().first?.failures.map(\.reason) == (6...25).map(String.init))
    }

    @Test("The report of a worker whose lease ran out and whose delivery another took is dropped")
    func staleWorker() throws {
        let claimed = try claimedDelivery()
        let taken = try store.claim(limit: 9, now: noon + 60, leaseEnd: noon + 120, worker: "other")
        try store.outbox.record([.of(claimed, .refused(reason: "late"))], worker: "worker")
        #expect(try store.all() == taken)
    }

    @Test("A late report is accepted while no other worker has claimed the delivery")
    func lateReport() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .delivered, at: noon + 600)], worker: "worker")
        #expect(try store.outbox.counts() == [.delivered: 1])
    }

    @Test("The report of an attempt is dropped when its own worker has claimed the delivery again since")
    func earlierClaim() throws {
        let claimed = try claimedDelivery()
        let again = try #require(
            try store.claim(limit: 9, now: noon + 61, leaseEnd: noon + 120, worker: "worker").first)
        try store.outbox.record([.of(claimed, .delivered)], worker: "worker")
        #expect(try store.all().map(\.state) == [.sending])
        try store.outbox.record([.of(again, .refused(reason: "gone"))], worker: "worker")
        #expect(try store.all().map(\.state) == [.refused])
    }

    @Test("A report about a released, an ended or an unknown delivery is dropped, the others in the batch are not")
    func dropped() throws {
        let (released, ended, held) = (delivery(), delivery(), delivery())
        try store.outbox.enqueue([released])
        _ = try store.claimAtNoon()
        _ = try store.outbox.release(worker: "worker")
        let untouched = try store.all()
        try store.outbox.enqueue([ended, held])
        let claimed = try store.claim(limit: 9, now: noon, leaseEnd: noon + 60, worker: "other")
        #expect(claimed.map(\.id) == [released, ended, held].map(\.id))
        try store.outbox.record([.of(claimed[1], .delivered)], worker: "other")

        let late = ([delivery()] + claimed).map { DeliveryReport.of($0, .refused(reason: "late")) }
        try store.outbox.record(late, worker: "worker")
        try store.outbox.record(late, worker: "other")
        let stored = Dictionary(uniqueKeysWithValues: try store.all().map { ($0.id, $0.state) })
        #expect(untouched.map(\.state) == [.queued])
        #expect(stored == [released.id: .refused, ended.id: .delivered, held.id: .refused])
    }

    @Test("The first of two reports about one delivery in a batch counts")
    func twoReports() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .delivered), .of(claimed, .refused(reason: "late"))], worker: "worker")
        #expect(try store.outbox.counts() == [.delivered: 1])
    }

    @Test("A NUL character in a reason does not keep an ending from being recorded")
    func reasonWithNUL() throws {
        let claimed = try claimedDelivery()
        try store.outbox.record([.of(claimed, .refused(reason: "bad\u{0}token"))], worker: "worker")
        #expect(try store.all().first?.reason == "bad\u{FFFD}token")
    }
}
