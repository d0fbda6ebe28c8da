import Core
import Foundation
import GRDB
import PushModel
import TestSupport
import Testing

@testable import Storage

/// Stores of earlier and of later builds. A file in `Versions` has a store of each released version: the statements of `.dump` of the sqlite3
/// program, or of `pg_dump --inserts`, with the rows of ``fill(_:)``.
@Suite("Versions of the store's tables", .defaultTimeLimit)
struct StoreVersionTests {
    private static let engines = [StoreEngine.sqlite, .postgreSQL]

    /// The tables of this build.
    private static var plan: SchemaPlan {
        StoreEngine.current == .sqlite ? Schema.plan : PostgreSQLSchema.plan
    }

    /// The tables of a made-up later build, with a further column in each table.
    private static func later(_ tables: [String], breaking: Bool = false) -> SchemaPlan {
        var later = plan
        later.version += 1
        if breaking { later.oldestReader = later.version }
        later.upgrades[later.version] = tables.map { "ALTER TABLE \($0) ADD COLUMN later TEXT" }
        return later
    }

    private static func tables(of store: SQLStore) throws -> [String] {
        let sql =
            StoreEngine.current == .sqlite
            ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            : "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace ORDER BY 1"
        return try store.database.read { try $0.rows(sql).map { try $0.value(at: 0) } }
    }

    /// The rows of the committed files.
    static func fill(_ store: SQLStore) throws {
        _ = try store.subscribe(subscription("ann", device: "phone-1"))
        _ = try store.subscribe(subscription("bob", device: "phone-2"))
        try store.outbox.enqueue([delivery()])
    }

    private static func check(_ store: SQLStore) throws {
        #expect(
            try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.userID).sorted() == ["ann", "bob"])
        #expect(try store.outbox.depth().waiting == 1)
    }

    /// A store as the committed file has it.
    private static func stored() throws -> StoreFolder {
        let folder = try StoreFolder()
        let name = StoreEngine.current == .sqlite ? "SQLite" : "PostgreSQL"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Versions/\(name)-\(plan.version).sql")
        try folder.runScript(try String(contentsOf: file, encoding: .utf8))
        if StoreEngine.current == .sqlite { try folder.run("PRAGMA user_version = \(plan.version)") }
        return folder
    }

    @Test("The committed store has the tables of this build, and its rows", arguments: engines)
    func committed(engine: StoreEngine) throws {
        try StoreEngine.$current.withValue(engine) {
            let (old, new) = (try Self.stored().open(), try StoreFolder.withStore())
            try Self.check(old)
            let sql =
                engine == .sqlite
                ? "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
                : """
                SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
                FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE 'delivery\\_end\\_%'
                UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename NOT LIKE 'delivery\\_end\\_%' ORDER BY 1
                """
            func definitions(_ store: SQLStore) throws -> [String] {
                try store.database.read { try $0.rows(sql).map { try $0.value(at: 0) } }
            }
            #expect(try definitions(old).count > 50)
            #expect(
                try definitions(old) == definitions(new.1),
                "The tables have changed: raise the version, and commit a store of it")
        }
    }

    @Test(
        "A later build upgrades the committed store after a copy of it, and both builds use it side by side",
        arguments: engines)
    func upgrade(engine: StoreEngine) throws {
        try StoreEngine.$current.withValue(engine) {
            let folder = try Self.stored()
            let before = try folder.open()
            let later = try folder.open(as: Self.later(try Self.tables(of: before)))
            #expect(later.upgradeRemark?.contains("from version \(Self.plan.version)") == true)
            if engine == .sqlite {
                let copy = try DatabaseQueue(
                    path: Schema.backupPath(of: folder.database, version: Self.plan.version))
                let version = try copy.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
                #expect(version == Self.plan.version)
                #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notification") } == 1)
            }
            for store in [before, later, try folder.open()] {
                try Self.check(store)
                #expect(store.upgradeRemark == nil || store === later)
            }
            for (number, store) in [before, later].enumerated() {
                _ = try store.subscribe(subscription("user \(number)", device: "new-\(number)"))
                try store.outbox.enqueue([delivery()])
                _ = try store.register(
                    DeviceRegistration(
                        applicationID: "App", deviceID: "d\(number)", platform: .apple,
                        token: try DeviceToken(exampleOf: "\(number)", platform: .apple)))
                #expect(
                    (try store.leasePolls(nil, holder: "server \(number)", for: .seconds(30)) != nil) == (number == 0))
            }
            #expect(try before.outbox.depth().waiting == 3)
            #expect(try later.deviceSubscriptions(matching: SubscriptionFilter()).count == 4)
        }
    }

    @Test("A change that this build does not survive is refused with both versions", arguments: engines)
    func breaking(engine: StoreEngine) throws {
        try StoreEngine.$current.withValue(engine) {
            let folder = try Self.stored()
            _ = try folder.open(as: Self.later(["notification"], breaking: true))
            let error = #expect(throws: StoreError.self) { _ = try folder.open() }
            let version = Self.plan.version
            #expect(error?.code == .newerSchema)
            #expect(
                error?.reason
                    == "a later Lamplighter has changed its tables to version \(version + 1); this one reads up to \(version)"
            )
        }
    }

    @Test("A failed upgrade leaves the store unchanged", arguments: engines)
    func failed(engine: StoreEngine) throws {
        try StoreEngine.$current.withValue(engine) {
            let folder = try Self.stored()
            #expect(throws: StoreError.self) { _ = try folder.open(as: Self.later(["notification", "nonsense"])) }
            try Self.check(try folder.open())
            _ = try folder.open(as: Self.later(["notification"]))
        }
    }

    @Test("The last version before this one is upgraded", arguments: engines)
    func former(engine: StoreEngine) throws {
        try StoreEngine.$current.withValue(engine) {
            let folder = try Self.stored()
            if engine == .sqlite {
                try folder.run("DROP TABLE store_version")
                try folder.run("PRAGMA user_version = \(Self.plan.version - 1)")
            } else {
                try folder.run("ALTER TABLE lamplighter_schema DROP COLUMN oldest_reader")
                try folder.run("UPDATE lamplighter_schema SET version = \(Self.plan.version - 1)")
            }
            let store = try folder.open()
            #expect(store.upgradeRemark != nil)
            try Self.check(store)
            #expect(try folder.open().upgradeRemark == nil)
        }
    }

    /// Writes the stores that are to be committed, for a new version: `WRITE_STORES=1 swift test --filter StoreVersionTests`.
    @Test(
        "The store of a new version is written on request",
        .enabled(if: ProcessInfo.processInfo.environment["WRITE_STORES"] != nil))
    func write() throws {
        for engine in Self.engines {
            try StoreEngine.$current.withValue(engine) {
                let (folder, store) = try StoreFolder.withStore()
                try Self.fill(store)
                let name = engine == .sqlite ? "SQLite" : "PostgreSQL"
                let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                    path: "Versions/\(name)-\(Self.plan.version).sql")
                let command =
                    engine == .sqlite
                    ? ["sqlite3", folder.database, ".dump"]
                    : ["pg_dump", "--inserts", "--no-owner", "--no-privileges", "--dbname", try folder.connection]
                let output = Pipe()
                let process = try ChildProcess("/usr/bin/env", command, output: output)
                try output.fileHandleForWriting.close()
                let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                #expect(process.waitUntilExit() == 0)
                // Commands of psql.
                let lines = text.split(separator: "\n").filter { !$0.hasPrefix("\\") && !$0.hasPrefix("--") }
                try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            }
        }
    }
}
