import Core
import Foundation
import GRDB
import PushModel
import Testing

@testable import Storage

@Suite("Durability")
struct DurabilityTests {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("Subscriptions, states and deliveries survive reopening")
    func reopening() throws {
        let accepted = delivery()
        try { (store: SQLStore) in
            _ = try store.subscribe(subscription())
            _ = try store.saveState(["seen": 3], eventSource: news, userID: "ann")
            try store.outbox.enqueue([accepted])
        }(folder.open())
        let store = try folder.open()
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [subscription()])
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == ["seen": 3])
        #expect(try store.all() == [accepted])
    }

    @Test("Another server's claim reads the options unchanged")
    func storedContents() throws {
        let text = #"{"GCM":{"alert":"\u00e9","badge":1.50}}"#
        let (store, target) = (try folder.open(), subscription())
        _ = try store.subscribe(target)
        let content = try NotificationContent(parsing: text)
        try store.outbox.enqueue([
            Delivery(
                notificationID: UUID(), content: content, target: .subscription(target), createdAt: noon,
                expiresAt: noon + 60)
        ])
        let claimed = try folder.open().claimAtNoon()
        #expect(claimed.map { $0.content !== content && $0.content == content } == [true])
    }

    @Test("A claim outlives the store that made it until its lease runs out")
    func claims() throws {
        try { (store: SQLStore) in
            try store.outbox.enqueue([delivery()])
            _ = try store.claimAtNoon(worker: "a")
        }(folder.open())
        let store = try folder.open()
        #expect(try store.claimAtNoon(worker: "b").isEmpty)
        #expect(try store.outbox.release(worker: "a") == 1)
        #expect(try store.claimAtNoon(worker: "b").count == 1)
    }

    @Test("Deliveries that a killed process had enqueued remain, and its unfinished writes do not")
    func killedProcess() async throws {
        // The child finds the folder by its parent's number.
        let path = NSTemporaryDirectory() + "lamplighter-killed-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try SQLStore(folder: NSTemporaryDirectory() + "lamplighter-killed-\(getppid())")
            try store.outbox.enqueue([delivery(age: 7)])
            try store.sqlite.database.write { (database: Database) in
                var writer = try DeliveryWriter(database)
                try writer.insert([delivery()], store.sqlite.journal)
                kill(getpid(), SIGKILL)
            }
        }
        let store = try SQLStore(folder: path)
        #expect(try store.all().map(\.createdAt) == [noon - 7])
        #expect(try store.sqlite.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notification") } == 1)
    }

    @Test("Every commit waits for the disk, in a write-ahead log, with foreign keys on")
    func pragmas() throws {
        let store = try folder.open()
        let read = { (pragma: String) in
            try store.sqlite.database.write { try String.fetchOne($0, sql: "PRAGMA \(pragma)") }
        }
        #expect(try read("synchronous") == "2")
        #expect(try read("journal_mode") == "wal")
        #expect(try read("foreign_keys") == "1")
    }

    @Test("Enqueuing, which does not wait for the disk, leaves the next commit waiting for it")
    func afterEnqueuing() throws {
        let store = try folder.open()
        try store.outbox.enqueue([delivery()])
        #expect(throws: StoreError.self) { try store.outbox.enqueue([delivery(to: subscription("\u{0}"))]) }
        #expect(try store.sqlite.database.write { try String.fetchOne($0, sql: "PRAGMA synchronous") } == "2")
    }

    @Test("A flush is a commit, which takes along what was enqueued before it")
    func flush() throws {
        let store = try folder.open()
        let mark = { try store.sqlite.database.read { try Int.fetchOne($0, sql: "SELECT number FROM flush_mark") } }
        try store.outbox.enqueue([delivery()])
        #expect(try mark() == 0)
        try store.outbox.flush()
        #expect(try mark() == 1)
    }

    @Test("The busy timeout holds for connections that write and for those that read")
    func busyTimeout() throws {
        let store = try SQLStore(folder: folder.path, busyTimeout: .milliseconds(1250))
        let pragma = { (database: Database) in try Int.fetchOne(database, sql: "PRAGMA busy_timeout") }
        #expect(try store.sqlite.database.write(pragma) == 1250)
        #expect(try store.sqlite.database.read(pragma) == 1250)
    }

    @Test("A new folder and its files are for this user alone")
    func permissions() throws {
        let path = folder.path + "/.lamplighter"
        let store = try SQLStore(folder: path)
        try store.outbox.enqueue([delivery()])
        let mode = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o700)
        #expect(try mode(store.path) == 0o600)
        #expect(try mode(store.path + "-wal") == 0o600)
        #expect(try mode(store.path + "-shm") == 0o600)
    }

    @Test("A file with group permissions keeps them")
    func keptPermissions() throws {
        _ = try folder.open()
        try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: folder.database)
        _ = try folder.open()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.database)
        #expect(attributes[.posixPermissions] as? Int == 0o660)
    }
}
