import Core
import Foundation
import GRDB
import PushModel
import Testing

@testable import Storage

@Suite("Changes of deliveries", .everyStore)
struct DeliveryChangeTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func changes(after: Int = 0, to state: DeliveryState? = nil, limit: Int = 100) throws -> [DeliveryChange] {
        try store.outbox.deliveryChanges(after: after, state: state, limit: limit).changes
    }

    @Test("A delivery is reported when it is new, when it is being sent, and when it has ended")
    func wholeWay() throws {
        let one = delivery(age: 9)
        try store.finish([one], at: noon + 1)
        let changes = try changes()
        #expect(changes.map(\.delivery.id) == [one.id, one.id, one.id])
        #expect(changes.map(\.delivery.state) == [.queued, .sending, .delivered])
        #expect(changes.map(\.delivery.attempts) == [0, 1, 1])
        #expect(changes.map(\.number) == [1, 2, 3])
        #expect(changes.map(\.delivery.endedAt) == [nil, nil, noon + 1])
        #expect([changes[0].time, changes[2].time] == [noon - 9, noon + 1])
    }

    @Test("A refusal and an attempt that is to be repeated are reported with their reasons")
    func reasons() throws {
        try store.finish([delivery()], .refused(reason: "gone"), at: noon)
        try store.finish([delivery()], .retry(at: noon + 30, reason: "busy"), at: noon)
        #expect(
            try changes().map { "\($0.delivery.state) \($0.delivery.reason ?? "-")" } == [
                "queued -", "sending -", "refused gone", "queued -", "sending -", "queued busy",
            ])
    }

    @Test(
        "Pages of any size report nothing twice and leave nothing out", arguments: [1, 2, 5, 7, 100])
    func pages(limit: Int) throws {
        try store.finish((0..<5).map { _ in delivery() }, at: noon)
        try store.finish([delivery()], .expired, at: noon)
        var told: [DeliveryChange] = []
        var after = 0
        while true {
            let page = try store.outbox.deliveryChanges(after: after, state: nil, limit: limit)
            #expect(page.lost == 0)
            if page.changes.isEmpty { break }
            #expect(page.changes.count <= limit)
            told += page.changes
            after = page.last
        }
        #expect(told.map(\.number) == Array(1...18))
        #expect(told.map(\.delivery.state).filter(\.isEnd).count == 6)
    }

    @Test("A query without a number returns only the last one's, and after the last there is nothing")
    func last() throws {
        try store.finish([delivery(), delivery()], at: noon)
        let start = try store.outbox.deliveryChanges(after: nil, state: nil, limit: 9)
        #expect(start.changes.isEmpty)
        #expect(start.last == 6)
        #expect(try changes(after: 6).isEmpty)
        #expect(try changes(after: 5).count == 1)
    }

    @Test("Only the changes to one state are reported if the query names it")
    func oneState() throws {
        try store.finish([delivery(), delivery()], at: noon)
        try store.finish([delivery()], .refused(reason: "no"), at: noon)
        #expect(try changes(to: .refused).map(\.delivery.reason) == ["no"])
        #expect(try changes(to: .sending).count == 3)
        #expect(try store.outbox.deliveryChanges(after: 0, state: .expired, limit: 9).last == 9)
    }

    @Test("Changes that are rolled back are not reported")
    func failure() throws {
        let bad = delivery(to: subscription(device: "a NUL \0"))
        #expect(code { () throws(StoreError) in try store.outbox.enqueue([delivery(), bad]) } != nil)
        #expect(try changes().isEmpty)
    }

    @Test("Deliveries of a broadcast are reported, and those that a worker releases")
    func otherWays() throws {
        try store.register(registration("a"))
        try store.register(registration("b"))
        let message = broadcast()
        try store.outbox.begin(message)
        _ = try store.finish(message.id)
        _ = try store.claimAtNoon()
        #expect(try store.outbox.release(worker: "worker") == 2)
        #expect(try changes().map(\.delivery.state) == [.queued, .queued, .sending, .sending, .queued, .queued])
    }

    @Test("A deleted delivery is left out")
    func forgotten() throws {
        try store.finish([delivery()], at: noon)
        _ = try store.outbox.purge(endedBefore: noon + 86_400, keeping: .max)
        let page = try store.outbox.deliveryChanges(after: 0, state: nil, limit: 9)
        #expect(page.changes.isEmpty)
        #expect(page.last == 3)
    }

    @Test("A change is found by the delivery's number, however many deliveries there are")
    func plan() throws {
        guard StoreEngine.current == .sqlite else { return }
        let plan = try store.database.read { database in
            try database.rows("EXPLAIN QUERY PLAN " + Database.deliveryByNumber, [1])
                .map { try $0.value("detail") as String }
        }
        // The fourth search is for the delivery that it waits for.
        let searches = plan.filter { $0.hasPrefix("SEARCH") }
        #expect(searches.count == 4 && !plan.contains { $0.contains("SCAN") }, "\(plan)")
        #expect(searches.count { $0.contains("USING INTEGER PRIMARY KEY (rowid=?)") } == 3, "\(plan)")
    }
}

@Suite("Journal of deliveries")
struct DeliveryJournalTests {
    private func span(_ event: DeliveryJournal.Event, _ first: Int64, _ count: Int = 1) -> DeliveryJournal.Span {
        DeliveryJournal.Span(event: event, first: first, count: count)
    }

    @Test("Neighbours that change alike are one note, in any order")
    func joined() {
        var spans = JournalSpans()
        for number in [5, 3, 4, 9, 1, 2] as [Int64] { spans.add(.delivered, number) }
        spans.add(.refused, 6)
        #expect(spans.joined == [span(.delivered, 1, 5), span(.delivered, 9), span(.refused, 6)])
    }

    @Test("The oldest are dropped when there are too many, and their number is reported")
    func full() {
        let journal = DeliveryJournal(capacity: 2, time: SystemTime())
        for number in 0..<10 { journal.append([span(.added, Int64(number * 100), 50)]) }
        let (entries, last, lost) = journal.entries(after: 20, to: nil, limit: 1000)
        #expect(lost == 380)
        #expect(entries.count == 100)
        #expect(entries.first?.number == 401)
        #expect(entries.first?.delivery == 800)
        #expect(last == 500)
    }

    @Test("A read continues from any position in the middle of a note")
    func middle() {
        let journal = DeliveryJournal(time: SystemTime())
        journal.append([span(.added, 10, 3), span(.taken, 7, 2)])
        for after in 0...5 {
            let entries = journal.entries(after: after, to: nil, limit: 10).entries
            #expect(entries.map(\.delivery) == Array([10, 11, 12, 7, 8].dropFirst(after)))
        }
    }
}
