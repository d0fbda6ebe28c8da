import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Claiming", .everyStore)
struct ClaimTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A claimed delivery is sending, counts the attempt and is due at the end of the lease")
    func claimed() throws {
        var expected = delivery()
        try store.outbox.enqueue([expected])
        expected.state = .sending
        expected.attempts = 1
        expected.due = noon + 60
        #expect(try store.claimAtNoon() == [expected])
        #expect(try store.all() == [expected])
    }

    @Test("Deliveries are claimed in the order in which they were enqueued, behind those that are to be tried again")
    func order() throws {
        let new = [delivery(age: 1), delivery(age: 30), delivery(age: -1000)]
        var (retried, longDue) = (delivery(age: 40), delivery(age: 40))
        retried.due = noon - 20
        longDue.due = noon - 25
        try store.outbox.enqueue(new + [retried, longDue])
        #expect(try store.claimAtNoon().map(\.id) == ([longDue, retried] + new).map(\.id))
    }

    @Test("Retries and new deliveries share the limit, and either takes the other's rest")
    func shares() throws {
        // PostgreSQL goes by the time alone.
        guard StoreEngine.current == .sqlite else { return }
        let new = (0..<4).map { _ in delivery() }
        let due = (0..<4).map { _ in
            var delivery = delivery(age: 5)
            delivery.due = noon - 1
            return delivery
        }
        try store.outbox.enqueue(new + due)
        #expect(try store.claimAtNoon(4).map(\.id) == (due[..<2] + new[..<2]).map(\.id))
        #expect(try store.claimAtNoon(1).map(\.id) == [due[2].id])
        #expect(try store.claimAtNoon(9).map(\.id) == ([due[3]] + new[2...]).map(\.id))
    }

    @Test("A claim takes up to the limit of each channel, and nothing of the others")
    func channels() throws {
        let apple = (0..<3).map { delivery(to: subscription(device: "a\($0)", platform: .apple)) }
        let android = (0..<3).map { delivery(to: subscription(device: "b\($0)")) }
        try store.outbox.enqueue(android + apple)
        let claim = { (channels: Set<DeliveryChannel>) throws(StoreError) in
            try store.claim(limit: 2, of: channels, now: noon, leaseEnd: noon + 60, worker: "w").map(\.id)
        }
        #expect(try claim([]).isEmpty)
        #expect(try claim([.devices(.apple)]) == apple[..<2].map(\.id))
        #expect(try store.nextDue(of: [.devices(.windows), .sms]) == nil)
        #expect(try claim(.all) == [apple[2], android[0], android[1]].map(\.id))
        #expect(try store.nextDue(of: [.devices(.apple)]) == noon + 60)
        #expect(try store.nextDue(of: [.devices(.apple), .devices(.android)]) == .distantPast)
    }

    @Test(
        "No more than the limit is claimed, and the rest stays",
        arguments: [(2, 2), (3, 3), (9, 3), (0, 0), (-1, 0)]
    )
    func limit(_ limit: Int, expected: Int) throws {
        try store.outbox.enqueue([delivery(), delivery(), delivery()])
        #expect(try store.claimAtNoon(limit).count == expected)
        #expect(try store.claimAtNoon().count == 3 - expected)
    }

    @Test("A delivery is not claimed before it is due, but at that very moment")
    func due() throws {
        var later = delivery()
        later.due = noon + 0.5
        try store.outbox.enqueue([later, delivery()])
        #expect(try store.claimAtNoon().count == 1)
        #expect(try store.claim(limit: 9, now: noon + 0.5, leaseEnd: noon + 60, worker: "w").map(\.id) == [later.id])
    }

    @Test("A delivery that one worker holds goes to no other")
    func alone() throws {
        try store.outbox.enqueue([delivery(), delivery()])
        #expect(try store.claimAtNoon(1, worker: "a").count == 1)
        #expect(try store.claimAtNoon(worker: "b").count == 1)
        #expect(try store.claimAtNoon(worker: "c").isEmpty)
    }

    @Test("A claim comes back when its lease has run out, and not before")
    func lease() throws {
        let held = delivery()
        try store.outbox.enqueue([held])
        _ = try store.claimAtNoon(worker: "a")
        #expect(try store.claim(limit: 9, now: noon + 59.9, leaseEnd: noon + 120, worker: "b").isEmpty)
        let again = try store.claim(limit: 9, now: noon + 60, leaseEnd: noon + 120, worker: "b")
        #expect(again.map(\.id) == [held.id])
        #expect(again.map(\.attempts) == [2])
    }

    @Test("An ended delivery is never claimed again")
    func ended() throws {
        let endings: [DeliveryReport.Ending] = [.delivered, .refused(reason: "gone"), .expired]
        for ending in endings { try store.finish([delivery()], ending, at: noon) }
        #expect(try store.claim(limit: 9, now: noon + 9e9, leaseEnd: noon + 9e9 + 1, worker: "w").isEmpty)
    }

    @Test("An expired delivery is still claimed, so that the worker records it")
    func expired() throws {
        try store.outbox.enqueue([delivery()])
        #expect(try store.claim(limit: 9, now: noon + 90_000, leaseEnd: noon + 90_060, worker: "w").count == 1)
    }

    @Test("A released delivery is due at once, keeps its attempts and its position")
    func release() throws {
        let old = delivery(age: 10)
        try store.outbox.enqueue([old])
        _ = try store.claimAtNoon(worker: "a")
        try store.outbox.enqueue([delivery(age: 5)])
        _ = try store.claimAtNoon(worker: "b")
        try store.outbox.enqueue([delivery(age: 1)])

        #expect(try store.outbox.release(worker: "a") == 1)
        #expect(try store.outbox.release(worker: "a") == 0)
        let again = try store.claimAtNoon(worker: "c")
        #expect(again.first?.id == old.id)
        #expect(again.map(\.attempts) == [2, 1])
    }

    @Test("The next delivery is due with the earliest attempt or lease end, or never")
    func nextDue() throws {
        #expect(try store.nextDue() == nil)
        var later = delivery()
        later.due = noon + 90
        try store.outbox.enqueue([later, delivery(age: 3)])
        #expect(try store.nextDue() == .distantPast)
        let claimed = try #require(try store.claimAtNoon().first)
        #expect(try store.nextDue() == noon + 60)
        try store.outbox.record([.of(claimed, .delivered)], worker: "worker")
        #expect(try store.nextDue() == noon + 90)
    }
}
