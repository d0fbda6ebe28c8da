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

    func connect(deadline: Deadline) throws(SQLStatementError) -> any SQLConnection {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = SQLiteFiles.open(path, flags: flags, forbidden: forbidden, &handle)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            let endings = SQLiteFiles.endings.joined(separator: ", ")
            throw SQLStatementError(
                .connection,
                "\(String(cString: sqlite3_errstr(code))): cannot open or create the \(name); a new file's name must end in \(endings), and its folder must exist and not be the server's data folder"
            )
        }
        SQLiteAuthorizer.limit(handle)
        return SQLiteConnection(handle, exactNumbers: exactNumbers)
    }
}
