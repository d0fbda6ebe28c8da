import Core
import Foundation
import PushModel

/// A table that has the same columns in both databases.
struct MigratedTable {
    let name: String
    /// The primary key, which also orders the rows.
    let key: [String]

    /// Referenced tables come before the tables that refer to them.
    static let all = [
        MigratedTable(name: "user_subscription", key: ["adapter", "event_source", "user_id"]),
        MigratedTable(
            name: "device_subscription", key: ["adapter", "event_source", "user_id", "device_id", "application_id"]),
        MigratedTable(name: "device_registration", key: ["application_id", "device_id"]),
        MigratedTable(name: "tag_subscription", key: ["application_id", "tag", "device_id"]),
        MigratedTable(name: "sms_subscription", key: ["adapter", "event_source", "digits"]),
        MigratedTable(name: "poll", key: ["adapter", "event_source"]),
        MigratedTable(name: "owed_callback", key: ["seq"]),
        MigratedTable(name: "application_rule", key: ["application_id", "environment", "version"]),
        MigratedTable(
            name: "preference", key: ["application_id", "owner_kind", "owner_realm", "owner", "key"]),
        MigratedTable(name: "oauth_client", key: ["client_id"]),
        MigratedTable(name: "sent_message", key: ["id"]),
        MigratedTable(name: "api_token", key: ["name"]),
        MigratedTable(name: "audit_log", key: ["seq"]),
        MigratedTable(name: "blocked_device", key: ["application_id", "device_id"]),
        MigratedTable(name: "activity", key: ["step", "time", "server"]),
    ]

    /// Returns the rows after a key, in key order.
    ///
    /// - Parameter columns: in this order.
    func page(
        after last: [StoreValue], columns: [Column], in transaction: any StoreTransaction
    ) throws -> [StoreRow] {
        let condition =
            last.isEmpty ? "" : "WHERE (\(key.joined(separator: ", "))) > (\(marks(key.count)))"
        return try transaction.rows(
            """
            SELECT \(columns.list) FROM \(name) \(condition)
            ORDER BY \(key.joined(separator: ", ")) LIMIT ?
            """, last.map(StoredArgument.init) + [StoreMigration.pageSize])
    }

    func key(of row: StoreRow) throws -> [StoreValue] {
        try key.map { column in
            guard let index = row.columns.firstIndex(of: column) else {
                throw StoredValueError(code: .corrupt, reason: "there is no column \(column)")
            }
            return row.values[index]
        }
    }

    struct Column {
        let name: String
        /// In PostgreSQL.
        let type: String
    }

    /// Returns the columns in PostgreSQL; the file has the same.
    func columns(in transaction: any StoreTransaction) throws -> [Column] {
        try transaction.rows(
            """
            SELECT column_name::text, data_type::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position
            """, [name]
        ).map { Column(name: try $0.value(at: 0), type: try $0.value(at: 1)) }
    }

    /// Writes rows with these columns.
    func insert(_ rows: [StoreRow], _ columns: [Column], in transaction: any StoreTransaction) throws {
        var arrays = Array(repeating: PostgreSQLArray(), count: columns.count)
        for row in rows {
            for (index, value) in row.values.enumerated() { arrays[index].append(value) }
        }
        try transaction.run(
            """
            INSERT INTO \(name) (\(columns.list)) OVERRIDING SYSTEM VALUE
            SELECT * FROM unnest(\(columns.map { "?::\($0.type)[]" }.joined(separator: ", ")))
            """, arrays)
    }
}

extension PostgreSQLDatabase {
    /// - Throws: `StoreError` when the database is empty and there is a store in a file.
    func checkMigrated(from folder: String) throws(StoreError) {
        let file = "\(folder)/\(SQLStore.fileName)"
        guard FileManager.default.fileExists(atPath: file), try isEmpty(self) else { return }
        guard try !isEmpty(SQLiteDatabase(folder: folder, busyTimeout: .seconds(5), pragmas: [])) else { return }
        throw StoreError(
            .other, location: location, reason: "the database is empty, but the file \(file) has a store",
            advice: "run 'lamplighter migrate' to copy it, or move it away to start with an empty store")
    }

    private func isEmpty(_ database: any StoreDatabase) throws(StoreError) -> Bool {
        try database.read { transaction in
            try (MigratedTable.all.map(\.name) + ["notification"]).allSatisfy { table in
                try transaction.row("SELECT 1 FROM \(table) LIMIT 1") == nil
            }
        }
    }
}

extension [MigratedTable.Column] {
    fileprivate var list: String { map { "\"\($0.name)\"" }.joined(separator: ", ") }
}

/// A value that came from a database.
private struct StoredArgument: StoreArgument {
    let stored: StoreValue

    init(_ value: StoreValue) { stored = value }
}

extension PostgreSQLArray {
    mutating func append(_ value: StoreValue) {
        switch value {
        case .null: append(nil as String?)
        case .integer(let integer): append(integer)
        case .real(let real): append(real)
        case .text(let text): append(text)
        case .bytes(let bytes): append("\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }
}
