import Core
import Foundation
import GRDB
import PushModel
import Storage
import Testing

@Suite("Opening what cannot be opened")
struct OpeningTests {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Tries to open the store; the error must name the file.
    private func failure(folder path: String? = nil, pragmas: [String] = []) -> StoreError? {
        do throws(StoreError) {
            _ = try SQLStore(folder: path ?? folder.path, busyTimeout: .milliseconds(20), pragmas: pragmas)
            return nil
        } catch {
            #expect(error.location == (path ?? folder.path) + "/" + SQLStore.fileName)
            return error
        }
    }

    @Test("A file that is not a database is refused and left unchanged")
    func noDatabase() throws {
        let text = Data(String(repeating: "This is a letter, not a database.\n", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: folder.database))
        #expect(failure()?.code == .corrupt)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == text)
    }

    @Test("A damaged database is refused, on opening or when the damage is met")
    func damaged() throws {
        try folder.open().outbox.enqueue((0..<100).map { _ in delivery() })
        try folder.otherConnection().run("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.database))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size) - 4096))
        try file.close()
        let folder = folder
        #expect(code { () throws(StoreError) in _ = try SQLStore(folder: folder.path).all() } == .corrupt)
    }

    @Test("An empty file becomes a store")
    func emptyFile() throws {
        try Data().write(to: URL(fileURLWithPath: folder.database))
        #expect(failure() == nil)
    }

    @Test("A folder whose parent is missing is not made up")
    func missingParent() {
        #expect(failure(folder: folder.path + "/missing/data")?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/missing"))
    }

    @Test("A folder that is a file cannot hold a store")
    func folderIsFile() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/data"))
        #expect(failure(folder: folder.path + "/data")?.code == .cannotOpen)
    }

    @Test("A folder instead of the database file cannot be opened")
    func fileIsFolder() throws {
        try FileManager.default.createDirectory(atPath: folder.database, withIntermediateDirectories: false)
        #expect(failure()?.code == .cannotOpen)
    }

    @Test("A file that another process holds is locked, and opens afterwards")
    func locked() throws {
        let other = try folder.otherConnection()
        try other.run("BEGIN EXCLUSIVE")
        #expect(failure()?.code == .locked)
        try other.run("COMMIT")
        #expect(failure() == nil)
    }

    @Test("A file that a later Lamplighter wrote is refused and not touched")
    func newerSchema() throws {
        try folder.open().outbox.enqueue([delivery()])
        let other = try folder.otherConnection()
        let version = try other.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        try other.run("PRAGMA user_version = \(version + 1)")
        try other.run("UPDATE store_version SET oldest_reader = \(version + 1)")
        #expect(failure()?.code == .newerSchema)
        try other.run("PRAGMA user_version = \(version)")
        #expect(try folder.open().all().count == 1)
    }

    @Test("refuses a file of an earlier build, names it, and leaves it as it is")
    func olderSchema() throws {
        try folder.otherConnection().run("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let error = try #require(failure())
        #expect(error.code == .olderSchema)
        #expect(error.description.hasPrefix(folder.path + "/lamplighter.sqlite: "))
        #expect(error.advice.contains("move the file away"))
        #expect(try folder.otherConnection().read { try $0.tableExists("grdb_migrations") })
    }

    @Test("refuses a client log of an earlier build")
    func olderClientLog() throws {
        try folder.otherConnection(to: SQLiteClientLog.fileName)
            .run("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        do throws(StoreError) {
            _ = try SQLiteClientLog(folder: folder.path)
            Issue.record("the log was opened")
        } catch {
            #expect(error.code == .olderSchema)
        }
    }

    @Test("A disk without room for the tables is full")
    func fullDisk() {
        #expect(failure(pragmas: ["PRAGMA max_page_count = 4"])?.code == .diskFull)
    }

    @Test("A connection that may not write is read-only")
    func queryOnly() {
        #expect(failure(pragmas: ["PRAGMA query_only = true"])?.code == .readOnly)
    }

    #if os(Linux)
    @Test("A folder without write permission is read-only, even for root")
    func folderThatCannotBeMade() {
        #expect(failure(folder: "/sys/lamplighter")?.code == .readOnly)
    }

    @Test("reports a file and folder without write permission as read-only")
    func withoutPermission() async {
        await #expect(processExitsWith: .success) {
            let folder = try StoreFolder()
            try folder.open().outbox.enqueue([delivery()])
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.database)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
            // Root may write everywhere, so this process becomes nobody for a moment.
            let user = geteuid()
            if user == 0 { #expect(seteuid(65534) == 0) }
            let code = code { () throws(StoreError) in _ = try SQLStore(folder: folder.path) }
            if user == 0 { #expect(seteuid(user) == 0) }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            #expect(code == .readOnly)
        }
    }
    #endif
}
