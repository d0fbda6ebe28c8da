import Foundation
import GRDB
public import PushModel
import Synchronization

/// Subscriptions, the outbox and the poll records in one SQLite file.
///
/// What a call has written is on the disk when it returns, and stays there when the power fails. Several stores, in this
/// process or in others, may be open on the same file: their writes wait for each other. A failed write leaves nothing
/// behind.
///
/// Texts with a NUL character and JSON nested deeper than `JSONValue.maximumDepth`, which could not be read back, are
/// refused with `StoreError.Code.other`.
public final class SQLiteStore: Sendable {
    /// The file's name inside its folder.
    public static let fileName = "lamplighter.sqlite"

    /// The absolute path of the database file. SQLite keeps two more beside it, ending in `-wal` and `-shm`.
    public let path: String

    /// Says when devices registered.
    let time: any TimeSource
    /// What has become of deliveries since the store was opened.
    package let journal: DeliveryJournal
    /// The number of bytes that clients without a user have stored in all, and until when, in uptime, it need not be summed again.
    let guestTotal = Mutex<(bytes: Int, validUntil: Duration)>((0, .zero))
    private let database: any DatabaseWriter

    /// Opens the store in `folder`, and creates its tables in a new file.
    ///
    /// The folder is created when only its last component is missing. What is created is for this user alone, because
    /// device tokens and user names are private.
    ///
    /// - Parameters:
    ///   - folder: holds the database file, ``fileName``.
    ///   - busyTimeout: how long a call waits while others write to the file, an hour at most, before it fails with
    ///     `StoreError.Code.locked`.
    ///   - time: says when devices registered.
    /// - Throws: `StoreError`: the file is locked, cannot be read or written, is no database, or was written by a later
    ///   Lamplighter or an earlier build.
    public convenience init(
        folder: String, busyTimeout: Duration = .seconds(5), time: any TimeSource = SystemTime()
    ) throws(StoreError) {
        try self.init(folder: folder, busyTimeout: busyTimeout, time: time, pragmas: [])
    }

    /// Like ``init(folder:busyTimeout:time:)``, and runs `pragmas` on every connection, so that tests can have a full disk or
    /// a file that cannot be written.
    package init(
        folder: String, busyTimeout: Duration, time: any TimeSource = SystemTime(), pragmas: [String]
    ) throws(StoreError) {
        self.time = time
        journal = DeliveryJournal(time: time)
        let folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        path = folder.appendingPathComponent(Self.fileName).path
        do {
            try Self.createFolder(folder.path)
            database = try Self.openPool(
                path: path, busyTimeout: busyTimeout, pragmas: pragmas, create: Schema.create(in:))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A store that nothing else can see and that is gone with this object: for tests, and for trying things out.
    ///
    /// - Throws: `StoreError` when there is no memory for it.
    public init(inMemoryAt time: any TimeSource) throws(StoreError) {
        self.time = time
        path = ":memory:"
        journal = DeliveryJournal(time: time)
        do {
            var configuration = Configuration()
            configuration.label = "Lamplighter"
            configuration.foreignKeysEnabled = true
            let queue = try DatabaseQueue(configuration: configuration)
            try Self.emptyStore.get().backup(to: queue)
            database = queue
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The tables, which are copied many times sooner than they are made.
    private static let emptyStore = Result {
        let queue = try DatabaseQueue()
        try Schema.create(in: queue)
        return queue
    }

    /// Reads what is committed at this moment.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(body) } catch { throw StoreError(error, path: path) }
    }

    /// Runs `body` in a transaction that holds the write lock from its start, and commits it, or takes everything back
    /// when it throws.
    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.write(body) } catch { throw StoreError(error, path: path) }
    }

    /// Like ``write(_:)``, but does not wait for the disk: what it commits outlives the process at once, and a power failure
    /// only after the next ``write(_:)``.
    func writeAhead(_ body: (Database) throws -> Void) throws(StoreError) {
        do {
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
                try database.inTransaction(.immediate) {
                    try body(database)
                    return .commit
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
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

extension SQLiteStore: Store {}
