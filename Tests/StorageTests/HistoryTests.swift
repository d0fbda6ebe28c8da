import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Reading and deleting old deliveries", .everyStore)
struct HistoryTests {
    // PostgreSQL forgets whole days.
    private let day = 86_400.0
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("Deliveries are listed newest first, in the order in which they were enqueued, up to the limit")
    func newestFirst() throws {
        let old = delivery(age: 30)
        let middle = delivery(age: 1)
        let young = delivery(age: 5)
        try store.outbox.enqueue([old, middle, young])
        #expect(try store.outbox.deliveries(state: nil, limit: 9) == [young, middle, old])
        #expect(try store.outbox.deliveries(state: nil, limit: 2) == [young, middle])
        #expect(try store.outbox.deliveries(state: nil, limit: 0).isEmpty)
        #expect(try store.outbox.deliveries(state: nil, limit: -1).isEmpty)
    }

    @Test("The last stored of deliveries made at the same moment is the newest")
    func sameMoment() throws {
        let deliveries = (0..<5).map { _ in delivery() }
        try store.outbox.enqueue(deliveries)
        #expect(try store.all() == deliveries.reversed())
    }

    @Test("Deliveries in one state are listed newest first")
    func byState() throws {
        let refused = [delivery(age: 9), delivery(age: 4)]
        try store.finish(refused, .refused(reason: "gone"), at: noon)
        let pending = [delivery(age: 8), delivery(age: 2)]
        try store.outbox.enqueue(pending)
        #expect(try store.outbox.deliveries(state: .queued, limit: 9) == pending.reversed())
        #expect(try store.outbox.deliveries(state: .refused, limit: 1).map(\.id) == [refused[1].id])
        #expect(try store.outbox.deliveries(state: .expired, limit: 9).isEmpty)
    }

    @Test("Deliveries are counted by state")
    func counts() throws {
        #expect(try store.outbox.counts().values.allSatisfy { $0 == 0 })
        try store.finish([delivery(), delivery()], .delivered, at: noon)
        try store.finish([delivery()], .refused(reason: "gone"), at: noon)
        try store.finish([delivery()], .expired, at: noon)
        try store.outbox.enqueue([delivery()])
        _ = try store.claimAtNoon()
        try store.outbox.enqueue([delivery()])
        #expect(try store.outbox.counts() == [.delivered: 2, .refused: 1, .expired: 1, .sending: 1, .queued: 1])
    }

    @Test("The oldest delivery of each channel and application is found, whatever it waits for, until it ends")
    func oldest() throws {
        func oldest() throws -> [Set<String>: Date] {
            let found = try store.outbox.oldestDeliveries()
            return Dictionary(
                uniqueKeysWithValues: found.map { ([$0.channel.description, $0.applicationID ?? ""], $0.created) })
        }
        #expect(try oldest().isEmpty)
        let first = delivery(age: 30, to: subscription(device: "one"))
        let second = delivery(age: 20, to: subscription(device: "one"))
        let channel = first.target.channel.description
        let application = try #require(first.target.applicationID)
        try store.outbox.enqueue([first, second])
        // Nobody has seen it.
        #expect(try oldest() == [[channel, application]: noon - 30])
        // It is being sent, and the second waits for it.
        let claimed = try store.claimAtNoon()
        #expect(claimed.map(\.id) == [first.id])
        #expect(try oldest() == [[channel, application]: noon - 30])
        // It waits for its next attempt.
        try store.outbox.record(claimed.map { .of($0, .retry(at: noon + 600, reason: "busy")) }, worker: "worker")
        #expect(try oldest() == [[channel, application]: noon - 30])
        let other = delivery(age: 10, to: subscription(device: "two", application: "Other"))
        try store.outbox.enqueue([other])
        #expect(try oldest() == [[channel, application]: noon - 30, [channel, "Other"]: noon - 10])
        // It has ended.
        let again = try store.claim(limit: 9, now: noon + 600, leaseEnd: noon + 660, worker: "worker")
        try store.outbox.record(again.map { .of($0, .delivered) }, worker: "worker")
        #expect(try oldest() == [[channel, application]: noon - 20])
    }

    @Test("Deliveries that ended before the date are forgotten, later ones and waiting ones are kept")
    func purge() throws {
        try store.finish([delivery(), delivery()], .delivered, at: noon + day)
        try store.finish([delivery()], .refused(reason: "gone"), at: noon + 2 * day)
        let kept = delivery()
        try store.finish([kept], .expired, at: noon + 3 * day)
        let waiting = delivery(age: 1000)
        try store.outbox.enqueue([waiting])
        #expect(try store.outbox.purge(endedBefore: noon + 3 * day, keeping: .max) == 3)
        #expect(Set(try store.all().map(\.id)) == [kept.id, waiting.id])
        #expect(try store.outbox.purge(endedBefore: noon + 3 * day, keeping: .max) == 0)
    }

    @Test("The oldest of the later ones are deleted when there are too many")
    func purgeExcess() throws {
        let deliveries = (1...5).map { _ in delivery() }
        for (number, delivery) in deliveries.enumerated() {
            try store.finish([delivery], .refused(reason: "no"), at: noon + Double(number) * day)
        }
        try store.outbox.enqueue([delivery()])
        #expect(try store.outbox.purge(endedBefore: noon + day, keeping: 4) == 1)
        #expect(try store.outbox.purge(endedBefore: noon, keeping: 2) == 2)
        #expect(
            try store.outbox.deliveries(state: .refused, limit: 9).map(\.id) == [deliveries[4].id, deliveries[3].id])
        #expect(try store.outbox.counts() == [.refused: 2, .queued: 1])
        #expect(try store.outbox.depth() == OutboxDepth(waiting: 1, ended: 5))
    }

    @Test("Numbers are not given again after everything was forgotten")
    func numbers() throws {
        try store.finish([delivery(), delivery()], at: noon)
        #expect(try store.outbox.purge(endedBefore: noon + day, keeping: .max) == 2)
        let next = delivery()
        try store.outbox.enqueue([next])
        #expect(try store.claimAtNoon().map(\.id) == [next.id])
    }

    @Test("A notification is forgotten with its last delivery")
    func purgeNotifications() throws {
        let shared = UUID()
        try store.outbox.enqueue([delivery(notificationID: shared), delivery(), delivery(notificationID: shared)])
        let claimed = try store.claimAtNoon()
        try store.outbox.record(claimed[..<2].map { .of($0, .delivered, at: noon) }, worker: "worker")
        try store.outbox.record([.of(claimed[2], .delivered, at: noon + 5 * day)], worker: "worker")
        #expect(try folder.notificationCount() == 2)
        #expect(try store.outbox.purge(endedBefore: noon + 3 * day, keeping: .max) == 2)
        #expect(try folder.notificationCount() == 1)
        #expect(try store.all().map(\.options) == [delivery().options])
        #expect(try store.outbox.purge(endedBefore: noon + 9 * day, keeping: .max) == 1)
        #expect(try folder.notificationCount() == 0)
    }

    @Test("More than one transaction's worth is forgotten in one call")
    func purgeMany() throws {
        let notification = UUID()
        try store.finish((0..<4001).map { _ in delivery(notificationID: notification) }, at: noon)
        #expect(try store.outbox.purge(endedBefore: noon + day, keeping: .max) == 4001)
        #expect(try folder.notificationCount() == 0)
    }
}
