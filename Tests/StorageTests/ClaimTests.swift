import Foundation
import PushModel
import Storage
import Testing

@Suite("Claiming")
struct ClaimTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.open()
    }

    @Test("A claimed delivery says so, counts the attempt and is due at the end of the lease")
    func claimed() throws {
        var expected = delivery()
        try store.enqueue([expected])
        expected.state = .claimed
        expected.attempts = 1
        expected.due = noon + 60
        #expect(try store.claimAtNoon() == [expected])
        #expect(try store.all() == [expected])
    }

    @Test("Deliveries are claimed oldest first, by when they are due and then by when they were made")
    func order() throws {
        let early = delivery(age: 30)
        let middle = delivery(age: 20)
        let first = delivery(age: 10)
        let second = delivery(age: 10)
        var retried = delivery(age: 40)
        retried.due = noon - 20
        try store.enqueue([first, second, middle, retried, early])
        #expect(try store.claimAtNoon().map(\.id) == [early, retried, middle, first, second].map(\.id))
    }

    @Test(
        "No more than the limit is claimed, and the rest stays",
        arguments: [(2, 2), (3, 3), (9, 3), (0, 0), (-1, 0)]
    )
    func limit(_ limit: Int, expected: Int) throws {
        try store.enqueue([delivery(), delivery(), delivery()])
        #expect(try store.claimAtNoon(limit).count == expected)
        #expect(try store.claimAtNoon().count == 3 - expected)
    }

    @Test("What is not due yet is not claimed, what is due at this very moment is")
    func due() throws {
        var later = delivery()
        later.due = noon + 0.5
        try store.enqueue([later, delivery()])
        #expect(try store.claimAtNoon().count == 1)
        #expect(try store.claim(limit: 9, now: noon + 0.5, leaseEnd: noon + 60, worker: "w").map(\.id) == [later.id])
    }

    @Test("What one worker holds no other gets")
    func alone() throws {
        try store.enqueue([delivery(), delivery()])
        #expect(try store.claimAtNoon(1, worker: "a").count == 1)
        #expect(try store.claimAtNoon(worker: "b").count == 1)
        #expect(try store.claimAtNoon(worker: "c").isEmpty)
    }

    @Test("A claim comes back when its lease has run out, and not before")
    func lease() throws {
        let held = delivery()
        try store.enqueue([held])
        _ = try store.claimAtNoon(worker: "a")
        #expect(try store.claim(limit: 9, now: noon + 59.9, leaseEnd: noon + 120, worker: "b").isEmpty)
        let again = try store.claim(limit: 9, now: noon + 60, leaseEnd: noon + 120, worker: "b")
        #expect(again.map(\.id) == [held.id])
        #expect(again.map(\.attempts) == [2])
    }

    @Test("What has ended is never claimed again")
    func ended() throws {
        let endings: [DeliveryReport.Ending] = [.delivered, .refused(reason: "gone"), .expired]
        for ending in endings { try store.finish([delivery()], ending, at: noon) }
        #expect(try store.claim(limit: 9, now: noon + 9e9, leaseEnd: noon + 9e9 + 1, worker: "w").isEmpty)
    }

    @Test("A delivery that has expired is still handed out, for the worker to say so")
    func expired() throws {
        try store.enqueue([delivery()])
        #expect(try store.claim(limit: 9, now: noon + 90_000, leaseEnd: noon + 90_060, worker: "w").count == 1)
    }

    @Test("A released delivery is due at once, keeps its attempts and its place")
    func release() throws {
        let old = delivery(age: 10)
        try store.enqueue([old])
        _ = try store.claimAtNoon(worker: "a")
        try store.enqueue([delivery(age: 5)])
        _ = try store.claimAtNoon(worker: "b")
        try store.enqueue([delivery(age: 1)])

        #expect(try store.release(worker: "a") == 1)
        #expect(try store.release(worker: "a") == 0)
        let again = try store.claimAtNoon(worker: "c")
        #expect(again.first?.id == old.id)
        #expect(again.map(\.attempts) == [2, 1])
    }

    @Test("The next delivery is due with the earliest attempt or lease end, or never")
    func nextDue() throws {
        #expect(try store.nextDue() == nil)
        var later = delivery()
        later.due = noon + 90
        try store.enqueue([later, delivery(age: 3)])
        #expect(try store.nextDue() == noon - 3)
        let claimed = try #require(try store.claimAtNoon().first)
        #expect(try store.nextDue() == noon + 60)
        try store.record([.of(claimed, .delivered)], worker: "worker")
        #expect(try store.nextDue() == noon + 90)
    }
}
