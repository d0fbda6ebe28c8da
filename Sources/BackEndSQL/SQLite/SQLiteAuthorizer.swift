import CSQLite
import Foundation
import GRDBSQLite

/// What the statements of adapters may do in SQLite: whatever stays in the one database file and does not change how the process works.
enum SQLiteAuthorizer {
    /// Has a connection refuse everything else.
    static func guardConnection(_ handle: OpaquePointer) {
        _ = lamplighterMakeDefensive(handle)
        sqlite3_set_authorizer(
            handle,
            { _, action, first, second, _, _ in
                let name = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0).lowercased() } }
                let isAllowed =
                    switch action {
                    // VACUUM attaches a file, too.
                    case SQLITE_ATTACH, SQLITE_DETACH: false
                    case SQLITE_FUNCTION: !["fts3_tokenizer", "load_extension"].contains(name(second))
                    case SQLITE_PRAGMA: SQLiteAuthorizer.allows(pragma: name(first) ?? "", hasValue: second != nil)
                    default: true
                    }
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }

    /// Pragmas that set something for the connection alone, or read the schema of what they name.
    private static let withValue: Set = [
        "busy_timeout", "foreign_key_check", "foreign_key_list", "foreign_keys", "index_info", "index_list",
        "index_xinfo", "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
    /// Those that change something although they have no value.
    private static let acting: Set = ["incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint"]

    private static func allows(pragma: String, hasValue: Bool) -> Bool {
        hasValue ? withValue.contains(pragma) : !acting.contains(pragma)
    }

    /// What a refused statement should say besides the engine's "not authorized".
    static let advice =
        "ATTACH, DETACH, VACUUM, load_extension and fts3_tokenizer are refused, and pragmas other than foreign_keys, busy_timeout and those "
        + "that read"

    /// Whether an open database's file is in `folder`, whatever links lead there.
    static func isDatabase(_ handle: OpaquePointer, in folder: URL) -> Bool {
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return false }
        guard let file = realPath(String(cString: name)), let folder = realPath(folder.path(percentEncoded: false))
        else {
            return false
        }
        return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
