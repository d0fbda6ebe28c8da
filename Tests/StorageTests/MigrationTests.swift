import Core
import Databases
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Storage

@Suite("Migrating a store to PostgreSQL", .onOwnThreads)
struct MigrationTests {
    let folder: StoreFolder
    let store: SQLStore
    let database: String
    let relay: Relay

    init() throws {
        (folder, store) = try StoreFolder.withStore()
        database = try StoreEngine.newPostgreSQLDatabase()
        relay = try Relay(to: try PostgreSQLServer.shared().port)
    }

    private func sessions() throws -> PostgreSQLSessions {
        PostgreSQLSessions(patientlyWith: try PostgreSQLServer.connection(to: database, port: relay.port), limit: 2)
    }

    /// Copies everything; the connection is lost in the transaction after so many pages.
    private func migrate(losingPage page: Int = .max) throws -> [String: Int] {
        var pages = 0
        let counts = try StoreMigration(from: folder.path, to: try sessions(), time: ManualTime()).run { progress in
            guard progress.phase == .copying else { return }
            pages += 1
            if pages == page { relay.set(.losesAnswer("COMMIT")) }
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    private func migrated() throws -> SQLStore {
        try SQLStore(try sessions(), clockOfBoth: ManualTime())
    }

    @Test("Everything is copied, deliveries in their states and in their order") func everything() throws {
        let phone = subscription(options: ["text": "a \"quoted\" \\ {text}, é"])
        _ = try store.subscribe(phone, owing: UUID())
        try store.register(registration("car", user: nil, platform: .apple))
        _ = try store.subscribe(toTag: "cars", applicationID: "Reader", deviceID: "car")
        try store.subscribe(try smsSubscription())
        _ = try store.savePollRecords(
            [
                PollRecord(eventSource: news, interval: 2.5, lastEnded: nil, nextDue: noon, consecutiveFailures: 3)
            ], under: nil)
        let owner = try PreferenceOwner(applicationID: "Reader", kind: .device, name: "phone")
        try store.setPreferences([try Preference(key: "size", value: "12")], of: owner)
        let client = try oauthClient()
        _ = try store.addOAuthClient(client)
        try store.setApplicationRule(try rule(message: "Hi"))
        for _ in 0..<2 { try store.finish([delivery(age: 9, to: phone)], .delivered, at: noon - 86_400) }
        try store.finish([delivery(age: 8)], .refused(reason: "gone"), at: noon)
        try store.outbox.enqueue([delivery(to: phone), delivery(to: phone)])
        let held = try store.claimAtNoon()
        let waiting = broadcast(.devices(["car", "phone"]))
        try store.outbox.begin(waiting)
        _ = try store.outbox.expandBroadcast(waiting.id, limit: 1)
        let before = try store.all()

        let rows = try migrate()
        #expect(rows["delivery"] == 6 && rows["device_subscription"] == 1 && rows["tag_subscription"] == 3)
        let copy = try migrated()
        #expect(try copy.deviceSubscriptions(matching: SubscriptionFilter()) == [phone])
        #expect(try copy.tags(applicationID: "Reader", deviceID: "car") == ["Push.ALL", "cars"])
        #expect(try copy.preferences(of: owner).map(\.value) == ["12"])
        #expect(try copy.oauthClient("client-1") == client)
        #expect(try copy.applicationRules() == store.applicationRules())
        #expect(try copy.pollRecord(of: news) == store.pollRecord(of: news))
        #expect(try copy.pendingCallbacks(of: nil, from: nil, limit: 9).callbacks.count == 1)
        #expect(try copy.all().map(\.id) == before.map(\.id))
        #expect(try copy.outbox.counts() == [.delivered: 2, .refused: 1, .queued: 3])
        #expect(try copy.outbox.depth().ended == store.outbox.depth().ended)
        // A delivery that a worker held is released, before the one that waits for it.
        #expect(try copy.claimAtNoon().map(\.id).contains(held[0].id))
        #expect(try copy.finish(waiting.id) == [1])
        // New numbers come after those that were copied.
        _ = try copy.subscribe(subscription("bob", device: "tablet"), owing: UUID())
        #expect(try copy.pendingCallbacks(of: nil, from: nil, limit: 9).callbacks.count == 2)
    }

    @Test("copies the failed attempts of deliveries") func failedAttempts() throws {
        try store.finish([delivery()], .refused(reason: "gone"), at: noon + 0.1)
        try store.finish([delivery()], .retry(at: noon + 30, reason: "busy"), at: noon + 0.2)
        _ = try migrate()
        let (kept, copied) = (try store.all().map(\.failures), try migrated().all().map(\.failures))
        #expect(copied.map { $0.map(\.reason) } == [["busy"], ["gone"]])
        #expect(copied == kept)
    }

    @Test("An interrupted migration resumes, and no server uses the database until it has ended")
    func interrupted() throws {
        try folder.registerMany(5000)
        try store.outbox.enqueue((0..<3000).map { _ in delivery() })
        for page in [2, 4] {
            let error = #expect(throws: StoreError.self) { try migrate(losingPage: page) }
            #expect(error?.code == .cannotOpen)
            #expect(throws: StoreError.self) { try migrated() }
        }
        let rows = try migrate()
        #expect(rows["device_registration"] == 5000 && rows["tag_subscription"] == 5000 && rows["delivery"] == 3000)
        #expect(try migrated().outbox.counts() == [.queued: 3000])
    }

    @Test("A file that was changed after the migration had begun is noticed") func changed() throws {
        try folder.registerMany(5000)
        #expect(throws: StoreError.self) { try migrate(losingPage: 2) }
        try store.register(registration("00000-and-one"))
        let error = #expect(throws: StoreError.self) { try migrate() }
        #expect(error?.reason == "device_registration: 5001 rows in the file, 5000 in the database")
    }

    @Test("refuses the file after the migration with the database's name, until the migration is undone")
    func moved() throws {
        _ = try store.subscribe(subscription())
        _ = try migrate()
        let error = #expect(throws: StoreError.self) { _ = try SQLStore(folder: folder.path) }
        #expect(error?.reason.hasPrefix("the store was moved to PostgreSQL at ") == true)
        #expect(error?.advice.contains("'lamplighter migrate --undo'") == true)
        #expect(try StoreMigration.undo(in: folder.path))
        #expect(try SQLStore(folder: folder.path).deviceSubscriptions(matching: SubscriptionFilter()).count == 1)
        #expect(try !StoreMigration.undo(in: folder.path))
    }

    @Test("migrates a file again whose migration was lost after the file was flagged as moved")
    func resumedAfterMark() throws {
        _ = try store.subscribe(subscription())
        try SQLiteDatabase(folder: folder.path, busyTimeout: .seconds(5), pragmas: []).markMoved(
            to: "PostgreSQL at elsewhere", at: noon)
        #expect(try migrate()["device_subscription"] == 1)
    }

    @Test("A non-empty database and a folder without a store are refused") func refused() throws {
        _ = try migrated().subscribe(subscription())
        let error = #expect(throws: StoreError.self) { try migrate() }
        #expect(
            error?.reason == "expected an empty database, but the table user_subscription has rows")
        try FileManager.default.removeItem(atPath: folder.database)
        #expect(throws: StoreError.self) { try migrate() }
    }

    @Test("A server does not begin with an empty database while its data folder has a store") func forgotten() throws {
        let address = try #require(
            PostgreSQLAddress(PostgreSQLServer.address(of: database, port: try PostgreSQLServer.shared().port)))
        _ = try SQLStore(address, insteadOf: folder.path)
        _ = try store.subscribe(subscription())
        let error = #expect(throws: StoreError.self) { _ = try SQLStore(address, insteadOf: folder.path) }
        #expect(error?.advice.hasPrefix("run 'lamplighter migrate' to copy it") == true)
        _ = try migrate()
        _ = try SQLStore(address, insteadOf: folder.path)
    }
}
