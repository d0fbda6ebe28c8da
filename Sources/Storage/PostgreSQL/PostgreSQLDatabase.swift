import Core
import Databases
import Foundation
import PushModel
import Synchronization

/// A PostgreSQL database.
///
/// Transactions that write wait for each other, on all servers, by one lock: statements that were written for SQLite rely on that. With
/// SERIALIZABLE instead, eight writers of one user failed twenty times in a row.
final class PostgreSQLDatabase: StoreDatabase {
    let sessions: PostgreSQLSessions
    /// Sessions for transactions that wait for the writers' lock, so that they do not exhaust ``sessions``.
    private let writers: PostgreSQLSessions
    /// Sessions with a long statement timeout, for maintenance.
    private let purgeSessions: PostgreSQLSessions
    /// The clock that tests use in place of the database's.
    private let clock: (any TimeSource)?
    private let metrics: StoreMetrics
    private let former = Mutex<Int?>(nil)
    var formerVersion: Int? { former.withLock { $0 } }
    var location: String { sessions.name }

    /// Opens a database, and creates the tables in an empty one.
    ///
    /// - Parameters:
    ///   - writers: for transactions of which only one runs at a time; `sessions` when `nil`.
    ///   - purgeSessions: for operations that may take long; `sessions` when `nil`.
    ///   - clock: in place of the database's, for tests.
    ///   - isMigration: whether to open it although a migration into it has not ended.
    /// - Throws: `StoreError`: the database cannot be reached, is not PostgreSQL, or has tables of another version.
    init(
        _ sessions: PostgreSQLSessions, writers: PostgreSQLSessions? = nil, purgeSessions: PostgreSQLSessions? = nil,
        clock: (any TimeSource)? = nil, isMigration: Bool = false, metrics: StoreMetrics = StoreMetrics(),
        plan: SchemaPlan = PostgreSQLSchema.plan
    ) throws(StoreError) {
        (self.sessions, self.clock, self.metrics) = (sessions, clock, metrics)
        (self.writers, self.purgeSessions) = (writers ?? sessions, purgeSessions ?? sessions)
        do {
            try sessions.withSession { try Self.checkVersion($0) }
        } catch {
            throw StoreError(error, database: sessions.name)
        }
        let former = try transaction("BEGIN; \(Self.lock)", on: self.writers) { transaction in
            let former = try PostgreSQLSchema.create(in: transaction, plan: plan)
            let isHalf = try transaction.first(Bool.self, "SELECT to_regclass('lamplighter_migration') IS NOT NULL")
            guard isMigration || isHalf != true else {
                throw StoredValueError(
                    code: .other, reason: "a migration into this database has not ended",
                    advice: "run 'lamplighter migrate' again; it resumes where it stopped")
            }
            return former
        }
        self.former.withLock { $0 = former }
    }

    func now(in transaction: any StoreTransaction) throws -> Double? {
        if let clock { return clock.now.timeIntervalSince1970 }
        return try transaction.first(Double.self, "SELECT extract(epoch FROM clock_timestamp())::float8")
    }

    func read<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", .read, body)
    }

    func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
        try transaction("BEGIN; \(Self.lock)", on: writers, body)
    }

    func writeAhead(_ body: (any StoreTransaction) throws -> Void) throws(StoreError) {
        try transaction("BEGIN; SET LOCAL synchronous_commit = off; \(Self.lock)", on: writers, body)
    }

    /// Runs `body` in a READ COMMITTED transaction without the writers' lock. Retries up to twice after a conflict.
    ///
    /// - Parameter ahead: see ``writeAhead(_:)``.
    func concurrently<Value>(
        ahead: Bool = false, _ body: (any StoreTransaction) throws -> Value
    ) throws(StoreError) -> Value {
        try transaction(ahead ? "BEGIN; SET LOCAL synchronous_commit = off" : "BEGIN", attempts: 3, body)
    }

    /// Runs `body` in a transaction that may take minutes.
    func slowly<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
        try transaction("BEGIN", on: purgeSessions, body)
    }

    /// Runs a statement that cannot be part of a transaction.
    ///
    /// - Parameter isSlow: whether it may take minutes.
    func run(_ sql: String, isSlow: Bool = false) throws(StoreError) {
        do {
            try (isSlow ? purgeSessions : sessions).withSession { session in _ = try session.query(sql) }
        } catch {
            throw StoreError(error, database: location)
        }
    }

    /// Takes the writers' lock until the end of the transaction.
    private static let lock = "SELECT pg_advisory_xact_lock(hashtext('lamplighter writer'))"

    private func transaction<Value>(
        _ beginning: String, _ operation: StoreMetrics.Operation = .write, on sessions: PostgreSQLSessions? = nil,
        attempts: Int = 1, _ body: (any StoreTransaction) throws -> Value
    ) throws(StoreError) -> Value {
        try metrics.record(operation) {
            var attempt = 1
            while true {
                do {
                    return try (sessions ?? self.sessions).withSession { session in
                        try session.run(beginning)
                        let value = try body(PostgreSQLTransaction(session))
                        try session.query("COMMIT")
                        return value
                    }
                } catch let failure as SQLStatementError where failure.isConflict && attempt < attempts {
                    attempt += 1
                }
            }
        } failure: {
            StoreError($0, database: location)
        }
    }

    /// - Throws: ``StoredValueError`` for a database that is not a PostgreSQL of a supported version.
    static func checkVersion(_ session: PostgreSQLSession) throws {
        let found = try session.query("SELECT version()").resultSet?.values.first
        let version = if case .text(let text)? = found { text } else { "" }
        let number = version.firstMatch(of: /^PostgreSQL (\d+)(\.| )/).flatMap { Int($0.1) }
        guard let number, !version.contains("-YB-"), !version.contains("Redshift"), !version.contains("Greenplum")
        else {
            throw StoredValueError(
                code: .cannotOpen, reason: "expected a PostgreSQL, found '\(version.prefix(60))'",
                advice:
                    "use PostgreSQL 14 or later; similar databases differ in locking and could lose deliveries"
            )
        }
        guard number >= 14 else {
            throw StoredValueError(
                code: .cannotOpen, reason: "expected PostgreSQL 14 or later, found \(number)",
                advice: "upgrade the database")
        }
    }
}

/// A transaction in PostgreSQL.
struct PostgreSQLTransaction: StoreTransaction {
    private let session: PostgreSQLSession

    init(_ session: PostgreSQLSession) { self.session = session }

    @discardableResult
    func run(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> Int {
        let result = try query(sql, arguments)
        return result.updateCount ?? result.resultSet?.count ?? 0
    }

    func forEachRow(_ sql: String, _ arguments: [(any StoreArgument)?], _ body: (StoreRow) throws -> Void) throws {
        guard let rows = try query(sql, arguments).resultSet else { return }
        for index in 0..<rows.count {
            try body(StoreRow(columns: rows.columns, values: rows[index].map(StoreValue.init)))
        }
    }

    /// Empty: PostgreSQL's planner chooses the index.
    func indexed(by index: String) -> String { "" }

    private func query(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> SQLResult {
        try session.query(
            sql,
            arguments.map { argument in
                let value = argument?.stored ?? .null
                if case .text(let text) = value, text.utf8.contains(0) { throw StoredValueError.nul }
                return SQLValue(value)
            })
    }
}

extension SQLStatementError {
    /// True if another transaction conflicted: a serialization failure, a deadlock, or a delivery begun in the same lane (23505).
    fileprivate var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" || sqlState == "23505" }
}

extension SQLValue {
    fileprivate init(_ value: StoreValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .bytes(Array(bytes))
        }
    }
}

extension StoreValue {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .integer(bool ? 1 : 0)
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .decimal(let text):
            self = Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
        case .text(let text), .day(let text), .time(let text), .timestamp(let text): self = .text(text)
        case .instant(let date): self = .real(date.timeIntervalSince1970)
        case .bytes(let bytes): self = .bytes(Data(bytes))
        }
    }
}
