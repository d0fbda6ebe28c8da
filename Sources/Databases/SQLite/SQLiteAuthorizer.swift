import CSQLite
import Foundation
import GRDBSQLite

/// Restricts the statements of adapters in SQLite to the one database file. They cannot change the process's settings.
enum SQLiteAuthorizer {
    /// Returns true if a statement may perform SQLite's action; the names mean something else for each action.
    static func allows(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        in database: UnsafePointer<CChar>?
    ) -> Bool {
        let name = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0).lowercased() } }
        return switch action {
        // VACUUM attaches a file, too.
        case SQLITE_ATTACH, SQLITE_DETACH: false
        // The next user of the connection would see temporary objects; triggers among them record the statements of others.
        case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
            false
        case SQLITE_CREATE_INDEX, SQLITE_CREATE_TABLE, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE:
            name(database) != "temp"
        // It lists the connection's kept statements, which may contain values of other users.
        case SQLITE_READ: name(first) != "sqlite_stmt"
        case SQLITE_FUNCTION: !refusedFunctions.contains(name(second) ?? "")
        case SQLITE_PRAGMA: allows(pragma: name(first) ?? "", hasValue: second != nil)
        default: true
        }
    }

    /// `changes` and `total_changes` count rows of the connection's earlier statements, which may be another user's.
    private static let refusedFunctions: Set = ["changes", "fts3_tokenizer", "load_extension", "total_changes"]

    /// The longest value, a row's included, in bytes. A statement of one line could otherwise take gigabytes, and one function call of a statement
    /// could take long, since SQLite checks the time between its instructions only.
    private static let longestValue: Int32 = 16 << 20
    /// The longest statement, in bytes.
    private static let longestStatement: Int32 = 1 << 20
    /// The most pages of a database in memory, of 4 KB.
    private static let mostPages = 16_384

    /// Sets the connection's limits. To be called before its statements are watched.
    static func limit(_ handle: OpaquePointer) {
        _ = lamplighterMakeDefensive(handle)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue)
        sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, longestStatement)
        let file = sqlite3_db_filename(handle, "main")
        if file == nil || file?.pointee == 0 {
            sqlite3_exec(handle, "PRAGMA max_page_count = \(mostPages)", nil, nil, nil)
        }
    }

    /// Pragmas that set something for the connection alone, or read the schema of the object that they name.
    private static let withValue: Set = [
        "busy_timeout", "foreign_key_check", "foreign_key_list", "foreign_keys", "index_info", "index_list",
        "index_xinfo", "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
    /// Pragmas that have an effect without a value.
    private static let acting: Set = ["incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint"]

    private static func allows(pragma: String, hasValue: Bool) -> Bool {
        hasValue ? withValue.contains(pragma) : !acting.contains(pragma)
    }

    /// The addition to the engine's "not authorized" in the error of a refused statement.
    static let advice =
        "ATTACH, DETACH, VACUUM, temporary tables, views, indexes and triggers, changes(), total_changes(), load_extension and fts3_tokenizer "
        + "are refused, and pragmas other than foreign_keys, busy_timeout and those that read"
}
