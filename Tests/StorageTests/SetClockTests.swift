import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("A clock that is set, seen by the store", .everyStore)
struct SetClockTests {
    private static let day = 86_400.0
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("What was made by a clock that ran a day ahead is handed out all the same")
    func fromTheFuture() throws {
        let future = delivery(age: -Self.day)
        try store.enqueue([future])
        #expect(try store.nextDue() == .distantPast)
        #expect(try store.claimAtNoon().map(\.id) == [future.id])
    }

    @Test("A retry decided a day ahead waits no longer than it was to")
    func retry() throws {
        try store.enqueue([delivery()])
        let claimed = try store.claimAtNoon()
        let ahead = noon + Self.day
        try store.record([.of(claimed[0], .retry(at: ahead + 30, reason: "503"), at: ahead)], worker: "worker")
        #expect(try store.clockWasSetBack() == 1)
        #expect(try store.nextDue() == noon + 30)
    }

    @Test("A lease taken a day ahead lasts as long as it was to, and belongs to whom it did")
    func lease() throws {
        try store.enqueue([delivery()])
        let ahead = noon + Self.day
        let held = try store.claim(limit: 9, now: ahead, leaseEnd: ahead + 60, worker: "a")
        store.setClock(to: noon)
        #expect(try store.clockWasSetBack() == 1)
        #expect(try store.claim(limit: 9, now: noon + 59, leaseEnd: noon + 99, worker: "b").isEmpty)
        try store.record([.of(held[0], .delivered)], worker: "a")
        #expect(try store.counts() == [.delivered: 1])
    }

    @Test("Saying it twice, or when nothing was ahead, changes nothing")
    func twice() throws {
        try store.enqueue([delivery()])
        _ = try store.claimAtNoon()
        store.setClock(to: noon + 10)
        #expect(try store.clockWasSetBack() == 0)
        store.setClock(to: noon - Self.day)
        #expect(try store.clockWasSetBack() == 1)
        store.setClock(to: noon - Self.day + 1)
        #expect(try store.clockWasSetBack() == 0)
        #expect(try store.nextDue() == noon - Self.day + 60)
    }
}
