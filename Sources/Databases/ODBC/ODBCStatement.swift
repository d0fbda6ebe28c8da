import CODBC

/// One statement: prepared, run, and its first result set read.
struct ODBCStatement {
    private let handle: ODBCHandle

    /// A result, and by their labels the columns that are TINYINT in a table.
    struct Outcome {
        var result: SQLResult
        let tinyColumns: [String: ODBCColumn.Source]
    }

    init(_ handle: ODBCHandle) {
        self.handle = handle
    }

    /// - Parameter exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings.
    func run(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int, exactNumbers: Bool
    ) throws(SQLStatementError) -> Outcome {
        var text = Array(sql.utf16)
        try check(SQLPrepareW(handle.value, &text, SQLINTEGER(text.count)))
        var placeholders: SQLSMALLINT = 0
        let isCounted = ODBC.isSuccess(SQLNumParams(handle.value, &placeholders))
        let fitted = try SQLParameters(parameters, placeholders: isCounted ? Int(placeholders) : parameters.count)
        // The server ends a statement that runs too long, a second after the caller's deadline.
        let seconds = Int(deadline.remaining.components.seconds) + 2
        SQLSetStmtAttr(handle.value, SQL_ATTR_QUERY_TIMEOUT, SQLPOINTER(bitPattern: seconds), 0)
        let buffers = try ODBCParameters(fitted.values, handle)
        return try withExtendedLifetime(buffers) { () throws(SQLStatementError) in
            let code = SQLExecute(handle.value)
            // An UPDATE that touches no row may say "no data".
            if code != SQL_NO_DATA { try check(code) }
            var outcome = try firstResult(deadline, maximumResultSize, exactNumbers)
            outcome.result.surplusParameters = fitted.surplus
            return outcome
        }
    }

    /// Returns the first result set, or the first update count when there is none. Procedures have several results; the others are read and dropped,
    /// as errors may come with them.
    private func firstResult(
        _ deadline: Deadline, _ maximumResultSize: Int, _ exactNumbers: Bool
    ) throws(SQLStatementError) -> Outcome {
        var updateCount: Int?
        var rows: Outcome?
        repeat {
            var columns: SQLSMALLINT = 0
            try check(SQLNumResultCols(handle.value, &columns))
            if columns == 0 {
                var count: SQLLEN = 0
                let code = SQLRowCount(handle.value, &count)
                if updateCount == nil { updateCount = ODBC.isSuccess(code) ? max(0, count) : 0 }
            } else if rows == nil {
                rows = try read(Int(columns), deadline, maximumResultSize, exactNumbers)
            }
        } while try hasMoreResults()
        return rows ?? Outcome(result: SQLResult(updateCount: updateCount ?? 0), tinyColumns: [:])
    }

    private func hasMoreResults() throws(SQLStatementError) -> Bool {
        let code = SQLMoreResults(handle.value)
        if code == SQL_NO_DATA { return false }
        try check(code)
        return true
    }

    private func read(
        _ count: Int, _ deadline: Deadline, _ maximumResultSize: Int, _ exactNumbers: Bool
    ) throws(SQLStatementError) -> Outcome {
        var columns: [ODBCColumn] = []
        for index in 1...count { columns.append(try ODBCColumn(handle, index, exactNumbers: exactNumbers)) }
        var rows = RowCollector(labels: columns.map(\.label), limit: maximumResultSize)
        while true {
            let code = SQLFetch(handle.value)
            if code == SQL_NO_DATA {
                return Outcome(result: rows.result, tinyColumns: Self.tinyColumns(among: columns))
            }
            try check(code)
            guard !deadline.hasPassed else {
                throw .timedOut("the database did not finish the statement", after: deadline.limit)
            }
            try rows.appendRow { index, cells throws(SQLStatementError) in try cells.append(columns[index].read()) }
        }
    }

    /// Returns the sources of columns that may be BOOLEAN. Of columns with the same label the last provides the values.
    private static func tinyColumns(among columns: [ODBCColumn]) -> [String: ODBCColumn.Source] {
        var sources: [String: ODBCColumn.Source] = [:]
        for column in columns { sources[column.label] = column.isTiny ? column.source : nil }
        return sources
    }

    private func check(_ code: SQLRETURN) throws(SQLStatementError) {
        guard ODBC.isSuccess(code) else { throw ODBC.failure(handle, .statement) }
    }
}
