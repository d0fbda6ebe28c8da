public import Core
import Databases
public import PushModel
import Synchronization

/// Subscriptions, the outbox and the poll records in a database: a SQLite file, or PostgreSQL.
///
/// The writes of a call are on the disk when it returns, and stay there when the power fails. Several stores, in this process or in others, may be
/// open on the same file: their writes wait for each other. A failed write leaves nothing behind.
///
/// Strings with a NUL character and JSON nested deeper than `JSONValue.maximumDepth`, which could not be read back, are refused with
/// `StoreError.Code.other`.
///
/// The tables of the file are in `SQLite/Schema`. `PostgreSQL/PostgreSQLSchema.swift` translates these for PostgreSQL,
/// except those of the outbox, which `PostgreSQL/Outbox/PostgreSQLSchema+Outbox.swift` declares.
public final class SQLStore: Sendable {
    /// The name of the SQLite file inside its folder.
    public static let fileName = "lamplighter.sqlite"

    /// The location of the tables: the server and the database, or the absolute path of the SQLite file, beside which SQLite keeps two more, ending
    /// in `-wal` and `-shm`.
    public var path: String { database.location }

    /// A sentence about the upgrade of the tables when the store was opened; `nil` if they had this version.
    public var upgradeRemark: String? {
        database.formerVersion.map { former in
            "upgraded the store's tables from version \(former)"
                + (database is SQLiteDatabase
                    ? "; the former file is \(Schema.backupPath(of: path, version: former))" : "")
        }
    }

    let database: any StoreDatabase
    /// Deliveries, which each database has in its own way.
    public let outbox: any BroadcastStore & DeliveryHistory & Outbox
    /// Says when devices registered.
    let time: any TimeSource
    /// The number of bytes that clients without a user have stored in all, and until when, in uptime, it need not be summed again.
    let guestTotal = Mutex<(bytes: Int, validUntil: Duration)>((0, .zero))

    /// Opens the store in `folder`, creates its tables in a new file, and upgrades those of an earlier version after a copy of the file.
    ///
    /// The folder is created when only its last component is missing. Created folders and files are accessible to this user alone, because device
    /// tokens and user names are private.
    ///
    /// - Parameters:
    ///   - folder: holds the database file, ``fileName``.
    ///   - busyTimeout: how long a call waits while others write to the file, an hour at most, before it fails with
    ///     `StoreError.Code.locked`.
    ///   - time: says when devices registered.
    ///   - metrics: records transactions; nothing by default.
    /// - Throws: `StoreError`: the file is locked, cannot be read or written, is not a database, has tables that this version
    ///   cannot use, or was copied into a database by ``StoreMigration``.
    public convenience init(
        folder: String, busyTimeout: Duration = .seconds(5), time: any TimeSource = SystemTime(),
        metrics: StoreMetrics = StoreMetrics()
    ) throws(StoreError) {
        try self.init(folder: folder, busyTimeout: busyTimeout, time: time, pragmas: [], metrics: metrics)
    }

    /// Like ``init(folder:busyTimeout:time:)``, and runs `pragmas` on every connection, so that tests can have a full disk or
    /// a file that cannot be written.
    package convenience init(
        folder: String, busyTimeout: Duration, time: any TimeSource = SystemTime(), pragmas: [String],
        metrics: StoreMetrics = StoreMetrics()
    ) throws(StoreError) {
        try self.init(
            database: SQLiteDatabase(folder: folder, busyTimeout: busyTimeout, pragmas: pragmas, metrics: metrics),
            time: time)
    }

    convenience init(database: SQLiteDatabase, time: any TimeSource) throws(StoreError) {
        try database.checkNotMoved()
        self.init(sqlite: database, time: time)
    }

    /// Opens a store in memory, which ends with this object, for tests and experiments.
    ///
    /// - Throws: `StoreError` when memory is short.
    public convenience init(inMemoryAt time: any TimeSource) throws(StoreError) {
        self.init(sqlite: try SQLiteDatabase(), time: time)
    }

    /// Opens the store in a PostgreSQL database, which several servers may share, and creates its tables in an empty one.
    ///
    /// While the database is not reachable, calls fail with `StoreError.Code.cannotOpen`. They work again when it is.
    ///
    /// - Parameters:
    ///   - folder: the folder of a store in a file. If it has one, an empty database is refused, since the copy was forgotten.
    ///   - time: the clock for registrations of devices. Deliveries use the database's clock.
    ///   - metrics: records transactions; nothing by default.
    /// - Throws: `StoreError`: the database cannot be reached, is not PostgreSQL 14 or later, or has tables of a later
    ///   Lamplighter or an earlier build.
    public convenience init(
        _ address: PostgreSQLAddress, insteadOf folder: String? = nil, time: any TimeSource = SystemTime(),
        metrics: StoreMetrics = StoreMetrics()
    ) throws(StoreError) {
        let database = try PostgreSQLDatabase(
            PostgreSQLSessions(address, limit: 14), writers: PostgreSQLSessions(address, limit: 1),
            purgeSessions: PostgreSQLSessions(address, limit: 1, statementTime: .seconds(900)),
            metrics: metrics)
        if let folder { try database.checkMigrated(from: folder) }
        self.init(database: database, outbox: PostgreSQLOutbox(database, time: time), time: time)
    }

    private convenience init(sqlite: SQLiteDatabase, time: any TimeSource) {
        self.init(database: sqlite, outbox: SQLiteOutbox(sqlite, time: time), time: time)
    }

    init(
        database: any StoreDatabase, outbox: any BroadcastStore & DeliveryHistory & Outbox, time: any TimeSource
    ) {
        self.database = database
        self.outbox = outbox
        self.time = time
    }
}

extension SQLStore: Store {}

extension SQLStore {
    /// Deletes rows in several transactions, so that other writers do not wait long. When one fails, the earlier ones stay
    /// committed.
    ///
    /// - Parameter batch: deletes at most the given number of rows, and returns how many it deleted.
    /// - Returns: the number of deleted rows in all.
    func purgeInBatches(_ batch: (any StoreTransaction, Int) throws -> Int) throws(StoreError) -> Int {
        try deleteInBatches { limit throws(StoreError) in try database.write { try batch($0, limit) } }
    }
}

/// Deletes batches until one is not full.
///
/// - Returns: how many were deleted in all.
func deleteInBatches(_ batch: (Int) throws(StoreError) -> Int) throws(StoreError) -> Int {
    let limit = 2000
    var total = 0
    while true {
        let count = try batch(limit)
        total += count
        if count < limit { return total }
    }
}
