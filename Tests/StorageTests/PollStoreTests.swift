import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Poll records", .everyStore)
struct PollStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func record(
        _ source: EventSourceID, interval: Double = 0.25, lastEnded: Date? = nil, nextDue: Date = noon,
        failures: Int = 0
    ) -> PollRecord {
        PollRecord(
            eventSource: source, interval: interval, lastEnded: lastEnded, nextDue: nextDue,
            consecutiveFailures: failures)
    }

    @Test("A source that was never scheduled has no record")
    func unknown() throws {
        _ = try store.savePollRecords([record(news)], under: nil)
        #expect(try store.pollRecord(of: sport) == nil)
    }

    @Test("Records are read back whole, each its own")
    func roundTrip() throws {
        let first = record(news)
        let second = record(weather, interval: 604_800, lastEnded: noon - 0.5, nextDue: noon + 604_800, failures: 7)
        _ = try store.savePollRecords([first, second], under: nil)
        #expect(try store.pollRecord(of: news) == first)
        #expect(try store.pollRecord(of: weather) == second)
    }

    @Test("A record replaces the one before, and the last of a batch counts")
    func replacement() throws {
        _ = try store.savePollRecords([record(news, lastEnded: noon, failures: 3)], under: nil)
        _ = try store.savePollRecords([record(news, failures: 1), record(news, interval: 9)], under: nil)
        #expect(try store.pollRecord(of: news) == record(news, interval: 9))
    }

    @Test("One record that cannot be stored stops all")
    func allOrNone() throws {
        let bad = record(EventSourceID(adapter: "A", name: "b\u{0}"))
        #expect(
            code { () throws(StoreError) in _ = try store.savePollRecords([record(news), bad], under: nil) } == .other)
        #expect(try store.pollRecord(of: news) == nil)
    }

    @Test("Records survive reopening")
    func reopening() throws {
        _ = try store.savePollRecords([record(news, lastEnded: noon, failures: 2)], under: nil)
        #expect(try folder.open().pollRecord(of: news) == record(news, lastEnded: noon, failures: 2))
    }

    @Test("One server at a time has the lease of the polls; another gets it after its end, with a higher epoch")
    func lease() throws {
        let first = try #require(try store.leasePolls(nil, holder: "a", for: .seconds(30)))
        #expect(try store.leasePolls(nil, holder: "b", for: .seconds(30)) == nil)
        store.setClock(to: noon + 29)
        #expect(try store.leasePolls(first, holder: "a", for: .seconds(30)) == first)
        store.setClock(to: noon + 58)
        #expect(try store.leasePolls(nil, holder: "b", for: .seconds(30)) == nil)
        store.setClock(to: noon + 60)
        let second = try #require(try store.leasePolls(nil, holder: "b", for: .seconds(30)))
        #expect(second.epoch > first.epoch)
        #expect(try store.leasePolls(first, holder: "a", for: .seconds(30)) == nil)
    }

    @Test("A poll under a lease that another server has taken since is not saved") func lostLease() throws {
        let first = try #require(try store.leasePolls(nil, holder: "a", for: .seconds(30)))
        #expect(try store.savePollRecords([record(news)], under: first))
        store.setClock(to: noon + 31)
        let second = try #require(try store.leasePolls(nil, holder: "b", for: .seconds(30)))
        #expect(try !store.savePollRecords([record(news, failures: 3), record(sport)], under: first))
        #expect(try store.pollRecord(of: news) == record(news))
        #expect(try store.pollRecord(of: sport) == nil)
        #expect(try store.savePollRecords([record(sport)], under: second))
    }

    @Test("A lease that is ended, or whose server restarts, is free at once") func freeLease() throws {
        let first = try #require(try store.leasePolls(nil, holder: "a", for: .seconds(30)))
        let again = try #require(try store.leasePolls(nil, holder: "a", for: .seconds(30)))
        #expect(again.epoch > first.epoch)
        try store.endPollLease(first)
        #expect(try store.leasePolls(nil, holder: "b", for: .seconds(30)) == nil)
        try store.endPollLease(again)
        #expect(try store.leasePolls(nil, holder: "b", for: .seconds(30)) != nil)
    }
}
