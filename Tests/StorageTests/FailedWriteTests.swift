import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Writes that fail")
struct FailedWriteTests {
    let folder: StoreFolder
    /// Holds `accepted` and ann's subscription.
    let store: SQLStore
    let accepted = delivery()

    init() throws {
        folder = try StoreFolder()
        store = try SQLStore(folder: folder.path, busyTimeout: .milliseconds(20))
        try store.outbox.enqueue([accepted])
        _ = try store.subscribe(subscription())
    }

    private func open(_ pragma: String) throws -> SQLStore {
        try SQLStore(folder: folder.path, busyTimeout: .milliseconds(20), pragmas: [pragma])
    }

    /// Expects everything that was accepted before, and nothing else.
    private func expectUntouched(_ store: SQLStore) throws {
        #expect(try store.all() == [accepted])
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [subscription()])
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == [:])
    }

    /// The codes with which each kind of write fails.
    private func codes(_ store: SQLStore) -> [StoreError.Code?] {
        let poll = PollRecord(eventSource: news, interval: 1, lastEnded: nil, nextDue: noon, consecutiveFailures: 0)
        return [
            code { () throws(StoreError) in try store.outbox.enqueue([delivery()]) },
            code { () throws(StoreError) in _ = try store.claimAtNoon() },
            code { () throws(StoreError) in _ = try store.subscribe(subscription("bob")) },
            code { () throws(StoreError) in _ = try store.saveState(["a": 1], eventSource: news, userID: "ann") },
            code { () throws(StoreError) in _ = try store.savePollRecords([poll], under: nil) },
        ]
    }

    @Test("A write is refused as locked during another's transaction, and works afterwards")
    func locked() throws {
        let other = try folder.otherConnection()
        try other.run("BEGIN EXCLUSIVE")
        #expect(Set(codes(store)) == [.locked])
        try expectUntouched(store)
        try other.run("COMMIT")
        #expect(Set(codes(store)) == [nil])
    }

    @Test("A read-only connection refuses every write as read-only, and reading goes on")
    func readOnly() throws {
        let readOnly = try open("PRAGMA query_only = true")
        #expect(Set(codes(readOnly)) == [.readOnly])
        try expectUntouched(readOnly)
    }

    @Test("A fan-out on a full disk is refused whole, and deliveries accepted before stay")
    func fullDisk() throws {
        let full = try open("PRAGMA max_page_count = 1")
        let fanOut = (0..<1000).map { _ in delivery() }
        #expect(code { () throws(StoreError) in try full.outbox.enqueue(fanOut) } == .diskFull)
        try expectUntouched(full)
        try expectUntouched(folder.open())
        try store.outbox.enqueue(fanOut)
        #expect(try store.outbox.counts() == [.queued: 1001])
    }

    @Test("A store goes on after a full disk once there is room")
    func afterFullDisk() throws {
        let full = try open("PRAGMA max_page_count = 1")
        let fanOut = (0..<1000).map { _ in delivery() }
        #expect(code { () throws(StoreError) in try full.outbox.enqueue(fanOut) } == .diskFull)
        let claimed = try #require(try full.claimAtNoon().first)
        try full.outbox.record([.of(claimed, .delivered)], worker: "worker")
        #expect(try full.outbox.counts() == [.delivered: 1])
    }

    @Test("The error names the file, the failure and the remedy")
    func message() throws {
        let other = try folder.otherConnection()
        try other.run("BEGIN EXCLUSIVE")
        let error = #expect(throws: StoreError.self) { try store.outbox.enqueue([delivery()]) }
        let text = try #require(error).description
        #expect(text.hasPrefix(folder.database + ": database is locked"))
        #expect(text.hasSuffix(try #require(error).advice))
    }

    @Test("An error never quotes a token")
    func noSecrets() throws {
        let secret = delivery(to: subscription(token: "SECRET\u{0}"))
        let error = #expect(throws: StoreError.self) { try store.outbox.enqueue([secret]) }
        #expect(try !#require(error).description.contains("SECRET"))
    }

    @Test("A name with a NUL character is refused, rather than taken for a shorter one")
    func nul() throws {
        #expect(code { () throws(StoreError) in _ = try store.subscribe(subscription("ann\u{0}bob")) } == .other)
        #expect(
            code { () throws(StoreError) in _ = try store.userSubscription(eventSource: news, userID: "ann\u{0}") }
                == .other)
        try expectUntouched(store)
    }

    @Test("JSON too deep to be read back is refused, JSON as deep as may be is kept")
    func depth() throws {
        let nested = { (depth: Int) in (0..<depth).reduce(JSONValue.null) { value, _ in .array([value]) } }
        let deepest = nested(JSONValue.maximumDepth)
        let tooDeep = nested(JSONValue.maximumDepth + 1)
        #expect(code { () throws(StoreError) in try store.outbox.enqueue([delivery(options: tooDeep)]) } == .other)
        #expect(
            code { () throws(StoreError) in _ = try store.saveState(tooDeep, eventSource: news, userID: "ann") }
                == .other)
        try expectUntouched(store)
        #expect(try store.saveState(deepest, eventSource: news, userID: "ann"))
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == deepest)
    }

    @Test("A damaged row is reported as damage, without a crash")
    func spoiledRows() throws {
        let other = try folder.otherConnection()
        try other.run("UPDATE user_subscription SET state = '{'; UPDATE delivery SET id = x'00'")
        #expect(
            code { () throws(StoreError) in _ = try store.userSubscription(eventSource: news, userID: "ann") }
                == .corrupt)
        #expect(code { () throws(StoreError) in _ = try store.all() } == .corrupt)
        try other.run("UPDATE delivery SET id = zeroblob(16), channel = 99")
        #expect(code { () throws(StoreError) in _ = try store.all() } == .corrupt)
        try other.run("DELETE FROM notification; UPDATE delivery SET channel = 2")
        #expect(code { () throws(StoreError) in _ = try store.claimAtNoon() } == .corrupt)
        #expect(try store.outbox.counts() == [.queued: 1])
    }
}
