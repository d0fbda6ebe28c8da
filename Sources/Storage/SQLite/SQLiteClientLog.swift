public import Foundation
import GRDB
public import PushModel

/// The limits on stored clients' logs, in bytes. Beyond, the oldest entries are removed.
public struct ClientLogQuota: Sendable, Hashable {
    public var total = 256 << 20
    /// The limit on entries from one network; not for this machine.
    public var perNetwork = 16 << 20

    public init() {}
}

/// The clients' log (wire-protocol 7), in a separate SQLite file.
///
/// As durable as ``SQLStore``, and as safe to use from several threads.
public final class SQLiteClientLog: Sendable {
    /// The file's name inside its folder.
    public static let fileName = "client-log.sqlite"

    /// The absolute path of the database file. SQLite keeps two more beside it, ending in `-wal` and `-shm`.
    public let path: String
    private let quota: ClientLogQuota
    private let database: DatabasePool

    /// Opens the log in a folder that exists; a file that is missing is made, for this user alone.
    ///
    /// - Throws: `StoreError`, as `SQLStore.init(folder:busyTimeout:time:)`.
    public convenience init(
        folder: String, quota: ClientLogQuota = ClientLogQuota(), busyTimeout: Duration = .seconds(5)
    ) throws(StoreError) {
        try self.init(folder: folder, quota: quota, busyTimeout: busyTimeout, pragmas: [])
    }

    /// Like ``init(folder:quota:busyTimeout:)``, and runs `pragmas` on every connection, for tests.
    package init(
        folder: String, quota: ClientLogQuota = ClientLogQuota(), busyTimeout: Duration, pragmas: [String]
    ) throws(StoreError) {
        self.quota = quota
        path =
            URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
            .appendingPathComponent(Self.fileName).path
        do {
            database = try SQLiteDatabase.openPool(
                path: path, busyTimeout: busyTimeout, pragmas: pragmas, create: ClientLogSchema.create(in:))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(body) } catch { throw StoreError(error, path: path) }
    }

    private func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.write(body) } catch { throw StoreError(error, path: path) }
    }

    /// Commits the entries, all or none, and forgets the oldest of the network and of all as far as the quota wants it. From its
    /// return they are on the disk, so that the client may delete its own.
    ///
    /// - Parameter network: where the client came from; `nil` for this machine.
    /// - Returns: the numbers of entries that it has removed because of the two quotas.
    /// - Throws: `StoreError`.
    @discardableResult
    public func append(
        _ entries: [ClientLogEntry], from network: String? = nil
    ) throws(StoreError) -> (ofNetwork: Int, ofAll: Int) {
        guard !entries.isEmpty else { return (ofNetwork: 0, ofAll: 0) }
        return try write { database -> (ofNetwork: Int, ofAll: Int) in
            for entry in entries { try database.insert(entry, from: network) }
            let ofNetwork = try network.map { try database.trimClientLog(of: $0, to: quota.perNetwork) } ?? 0
            return (ofNetwork: ofNetwork, ofAll: try database.trimClientLog(to: quota.total))
        }
    }

    /// Returns entries, the last appended first.
    ///
    /// - Parameter limit: at most so many, and never more than 1000.
    /// - Throws: `StoreError`.
    public func clientLog(
        matching filter: ClientLogFilter, limit: Int
    ) throws(StoreError) -> [StoredClientLogEntry] {
        guard limit > 0 else { return [] }
        return try read { database in
            let (sql, arguments) = filter.condition
            return try database.rows(
                "SELECT * FROM client_log WHERE \(sql) ORDER BY seq DESC LIMIT ?", arguments + [min(limit, 1000)]
            ).map { try $0.clientLogEntry() }
        }
    }

    /// About how many bytes are kept in all, indexes not included.
    ///
    /// - Throws: `StoreError`.
    package func byteCount() throws(StoreError) -> Int { try read { try $0.clientLogBytes(of: "*") } }

    /// Forgets entries that were received before `date`, in several transactions.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: `StoreError`.
    public func purgeClientLog(receivedBefore date: Date) throws(StoreError) -> Int {
        try purgeInBatches { database, limit in
            try database.run(
                """
                DELETE FROM client_log WHERE seq IN (
                    SELECT seq FROM client_log WHERE received_at < ? ORDER BY received_at LIMIT ?
                )
                """, [date.timeIntervalSince1970, limit])
        }
    }

    /// Forgets all entries but the last `count` appended when it is called, in several transactions.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: `StoreError`.
    public func purgeClientLog(keepingNewest count: Int) throws(StoreError) -> Int {
        let last = try read { database in
            try database.first(
                Int.self, "SELECT seq FROM client_log ORDER BY seq DESC LIMIT 1 OFFSET ?", [max(count, 0)])
        }
        guard let last else { return 0 }
        return try purgeInBatches { database, limit in
            try database.run(
                """
                DELETE FROM client_log WHERE seq IN (
                    SELECT seq FROM client_log WHERE seq <= ? ORDER BY seq LIMIT ?
                )
                """, [last, limit])
        }
    }

    private func purgeInBatches(_ batch: (Database, Int) throws -> Int) throws(StoreError) -> Int {
        try deleteInBatches { limit throws(StoreError) in try write { try batch($0, limit) } }
    }
}

extension Database {
    fileprivate func clientLogBytes(of network: String) throws -> Int {
        try first(Int.self, "SELECT bytes FROM client_log_usage WHERE network = ?", [network]) ?? 0
    }

    /// Deletes the oldest entries until no more than `limit` bytes are left: of one network, or of all.
    ///
    /// - Returns: the number of deleted entries.
    fileprivate func trimClientLog(of network: String? = nil, to limit: Int) throws -> Int {
        var excess = try clientLogBytes(of: network ?? "*") - limit
        guard excess > 0 else { return 0 }
        let (condition, arguments) = network.map { ("network = ?", [$0]) } ?? ("true", [])
        let rows = try RawStatement(self, "SELECT seq, bytes FROM client_log WHERE \(condition) ORDER BY seq")
        if let network { try rows.bind(1, network) }
        var last = 0
        while excess > 0, try rows.step() {
            last = rows.count(0)
            excess -= rows.count(1)
        }
        rows.reset()
        let ends: [(any StoreArgument)?] = arguments + [last]
        return try run("DELETE FROM client_log WHERE \(condition) AND seq <= ?", ends)
    }
}
