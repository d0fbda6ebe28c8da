import Foundation
import GRDBSQLite

/// Opens SQLite files.
struct SQLiteConnector: SQLConnector {
    let name: String
    /// A database in memory belongs to its connection, so there is just one.
    let connectionLimit: Int?
    private let path: String
    private let exactNumbers: Bool
    private let forbidden: URL?

    init(path: String, folder: URL, forbidden: URL?, exactNumbers: Bool) {
        self.exactNumbers = exactNumbers
        self.forbidden = forbidden
        if path.hasPrefix(":memory:") || path.hasPrefix("file:") {
            self.path = path
        } else {
            let file = path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)
            self.path = file.standardizedFileURL.path(percentEncoded: false)
        }
        name = "SQLite file \(self.path)"
        connectionLimit = path.hasPrefix(":memory:") ? 1 : nil
    }

    func connect(deadline: Deadline) throws(SQLFailure) -> any SQLConnection {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw SQLFailure(
                .connection, "\(String(cString: sqlite3_errstr(code))): cannot open or create the \(name)")
        }
        if let forbidden, SQLiteAuthorizer.isDatabase(handle, in: forbidden) {
            sqlite3_close_v2(handle)
            throw SQLFailure(
                .connection,
                "the \(name) is in the server's data folder, which adapters may not use: give it another path")
        }
        SQLiteAuthorizer.guardConnection(handle)
        return SQLiteConnection(handle, exactNumbers: exactNumbers)
    }
}
