import CODBC

/// One of ODBC's handles, freed with its owner.
///
/// `@unchecked Sendable`: ODBC handles may be used from any thread; that it is one at a time is what ODBCConnection sees to.
final class ODBCHandle: @unchecked Sendable {
    let value: SQLHANDLE
    let type: SQLSMALLINT
    /// Kept alive, as a handle must go before the one it was made from.
    private let parent: ODBCHandle?

    /// - Parameter type: SQL_HANDLE_ENV, SQL_HANDLE_DBC or SQL_HANDLE_STMT.
    init(type: Int32, parent: ODBCHandle?) throws(SQLStatementError) {
        var handle: SQLHANDLE?
        let code = SQLAllocHandle(SQLSMALLINT(type), parent?.value, &handle)
        guard ODBC.isSuccess(code), let handle else {
            throw parent.map { ODBC.failure($0, .connection) }
                ?? SQLStatementError(.connection, "unixODBC returned no environment")
        }
        (value, self.type, self.parent) = (handle, SQLSMALLINT(type), parent)
    }

    deinit {
        SQLFreeHandle(type, value)
    }

    static func environment() throws(SQLStatementError) -> ODBCHandle {
        let environment = try ODBCHandle(type: SQL_HANDLE_ENV, parent: nil)
        // Version 3: dates, times and codes as of ODBC 3.
        SQLSetEnvAttr(environment.value, SQL_ATTR_ODBC_VERSION, SQLPOINTER(bitPattern: 3), 0)
        return environment
    }
}

/// The shared parts of all calls of ODBC.
enum ODBC {
    static func isSuccess(_ code: SQLRETURN) -> Bool {
        code == SQL_SUCCESS || code == SQL_SUCCESS_WITH_INFO
    }

    /// The names of the drivers in odbcinst.ini.
    static func installedDrivers() throws(SQLStatementError) -> [String] {
        let environment = try ODBCHandle.environment()
        var names: [String] = []
        var direction = SQLUSMALLINT(SQL_FETCH_FIRST)
        var name = [SQLCHAR](repeating: 0, count: 512)
        var length: SQLSMALLINT = 0
        while isSuccess(SQLDrivers(environment.value, direction, &name, 512, &length, nil, 0, nil)) {
            names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
            direction = SQLUSMALLINT(SQL_FETCH_NEXT)
        }
        return names
    }

    /// Returns the driver's message about the call that just failed.
    static func failure(_ handle: ODBCHandle, _ kind: SQLStatementError.Kind) -> SQLStatementError {
        var state = [SQLWCHAR](repeating: 0, count: 6)
        var message = [SQLWCHAR](repeating: 0, count: 2048)
        var (number, length): (SQLINTEGER, SQLSMALLINT) = (0, 0)
        let code = SQLGetDiagRecW(handle.type, handle.value, 1, &state, &number, &message, 2048, &length)
        guard isSuccess(code) else { return SQLStatementError(kind, "the ODBC driver failed without a message") }
        let sqlState = String(decoding: state.prefix { $0 != 0 }, as: UTF16.self)
        let isLost = sqlState.hasPrefix("08")
        let isTimeout = sqlState == "HYT00" || sqlState == "HYT01"
        return SQLStatementError(
            isLost ? .connection : isTimeout ? .timeout : kind,
            withoutPrefixes(String(decoding: message.prefix { $0 != 0 }, as: UTF16.self)), sqlState: sqlState)
    }

    /// Drivers put `[vendor][component]` in front of the database's own message.
    private static func withoutPrefixes(_ message: String) -> String {
        var rest = Substring(message)
        while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            rest = rest[rest.index(after: end)...].trimmingPrefix { $0 == " " }
        }
        return rest.isEmpty ? message : String(rest)
    }
}
