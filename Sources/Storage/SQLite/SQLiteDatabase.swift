import Core
import Foundation
import GRDB
import PushModel

/// A SQLite file, or a database in memory.
final class SQLiteDatabase: StoreDatabase {
    let location: String
    private let database: any DatabaseWriter
    private let metrics: StoreMetrics
    let formerVersion: Int?

    /// Opens the file of a store in a folder, creates its tables in a new file, and upgrades those of an earlier version.
    ///
    /// - Parameter pragmas: run on every connection, so that tests can have a full disk or a file that cannot be written.
    /// - Throws: `StoreError`.
    init(
        folder: String, busyTimeout: Duration, pragmas: [String], metrics: StoreMetrics = StoreMetrics(),
        plan: SchemaPlan = Schema.plan
    ) throws(StoreError) {
        self.metrics = metrics
        let folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        location = folder.appendingPathComponent(SQLStore.fileName).path
        do {
            try Self.createFolder(folder.path)
            var former: Int?
            database = try Self.openPool(path: location, busyTimeout: busyTimeout, pragmas: pragmas) { pool in
                former = try Schema.create(in: pool, plan: plan) ?? former
            }
            formerVersion = former
        } catch {
            throw StoreError(error, path: location)
        }
    }

    /// A database in memory.
    ///
    /// - Throws: `StoreError`.
    init() throws(StoreError) {
        (metrics, formerVersion) = (StoreMetrics(), nil)
        location = ":memory:"
        do {
            var configuration = Configuration()
            configuration.label = "Lamplighter"
            configuration.foreignKeysEnabled = true
            let queue = try DatabaseQueue(configuration: configuration)
            try Self.emptyStore.get().backup(to: queue)
            database = queue
        } catch {
            throw StoreError(error, path: location)
        }
    }

    /// The tables, which are copied many times sooner than they are made.
    private static let emptyStore = Result {
        let queue = try DatabaseQueue()
        try Schema.create(in: queue)
        return queue
    }

    func read<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
        try inSQLite(.read) { try database.read { try body($0) } }
    }

    func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
        try inSQLite(.write) { try database.write { try body($0) } }
    }

    func writeAhead(_ body: (any StoreTransaction) throws -> Void) throws(StoreError) {
        try writeAhead { (database: Database) in try body(database) }
    }

    /// Reads what is committed at this moment.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try inSQLite(.read) { try database.read(body) }
    }

    /// Runs `body` in a transaction that holds the write lock from its start, and commits it, or takes everything back when it throws.
    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try inSQLite(.write) { try database.write(body) }
    }

    /// Like ``write(_:)``, but does not wait for the disk: its commit outlives the process at once, and a power failure
    /// only after the next ``write(_:)``.
    func writeAhead(_ body: (Database) throws -> Void) throws(StoreError) {
        try inSQLite(.write) {
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
                try database.inTransaction(.immediate) {
                    try body(database)
                    return .commit
                }
            }
        }
    }

    private func inSQLite<Value>(
        _ operation: StoreMetrics.Operation, _ body: () throws -> Value
    ) throws(StoreError) -> Value {
        try metrics.record(operation, body) { StoreError($0, path: location) }
    }

    static func configuration(path: String, busyTimeout: Duration, pragmas: [String]) -> Configuration {
        let timeout = min(max(busyTimeout, .zero), .seconds(3600)).components
        let milliseconds = timeout.seconds * 1000 + timeout.attoseconds / 1_000_000_000_000_000
        let isNew = !FileManager.default.fileExists(atPath: path)

        var configuration = Configuration()
        configuration.label = "Lamplighter"
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // Set here because GRDB's own setting does not reach the connections that read.
            try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
            for pragma in pragmas { try database.execute(sql: pragma) }
            if isNew, !database.configuration.readonly {
                // The files beside it get the same permissions from SQLite.
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        }
        return configuration
    }

    /// Opens a file and creates its tables, again and again until the timeout while it is locked: when several connections turn a new
    /// file to WAL, SQLite fails all but one of them without waiting.
    static func openPool(
        path: String, busyTimeout: Duration, pragmas: [String], create: (DatabasePool) throws -> Void
    ) throws -> DatabasePool {
        let configuration = configuration(path: path, busyTimeout: busyTimeout, pragmas: pragmas)
        let deadline = ContinuousClock.now + min(busyTimeout, .seconds(3600))
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                // GRDB turns this down to NORMAL, with which the last commits may be gone after a power failure.
                try pool.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                    for pragma in pragmas { try database.execute(sql: pragma) }
                }
                try create(pool)
                return pool
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                usleep(1000)
            }
        }
    }

    private static func createFolder(_ folder: String) throws {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            // Somebody else may have been quicker.
            guard FileManager.default.fileExists(atPath: folder) else { throw error }
        }
    }
}
