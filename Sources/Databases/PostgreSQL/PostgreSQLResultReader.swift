import CPostgres

/// Combines libpq's results for one statement, a row at a time.
struct PostgreSQLResultReader {
    private let limit: Int
    private let exactNumbers: Bool
    private let tellsDetails: Bool
    private var rows: RowCollector?
    private var types: [Oid] = []
    private var updateCount = 0
    private var failure: SQLStatementError?

    init(limit: Int, exactNumbers: Bool, tellsDetails: Bool) {
        (self.limit, self.exactNumbers, self.tellsDetails) = (limit, exactNumbers, tellsDetails)
    }

    mutating func read(_ result: OpaquePointer) throws(SQLStatementError) {
        switch PQresultStatus(result) {
        case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
            var rows = self.rows ?? beginRows(result)
            // Only one owner, so that appending does not copy the existing rows.
            self.rows = nil
            let types = self.types
            for row in 0..<PQntuples(result) {
                try rows.appendRow { column, cells in
                    PostgreSQLValues.read(
                        result, row, Int32(column), types[column], exactNumbers: exactNumbers, into: &cells)
                }
            }
            self.rows = rows
        case PGRES_COMMAND_OK:
            updateCount = Int(String(cString: PQcmdTuples(result))) ?? 0
        case PGRES_EMPTY_QUERY:
            failure = SQLStatementError(.statement, "the statement is empty")
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            // The kind closes the connection, which would otherwise wait for the data.
            throw SQLStatementError(.connection, "COPY with the client is not possible here: use INSERT or SELECT")
        default:
            failure = failure ?? failure(result)
        }
    }

    func finish() throws(SQLStatementError) -> SQLResult {
        if let failure { throw failure }
        return rows?.result ?? SQLResult(updateCount: updateCount)
    }

    private mutating func beginRows(_ result: OpaquePointer) -> RowCollector {
        let columns = 0..<PQnfields(result)
        types = columns.map { PQftype(result, $0) }
        return RowCollector(labels: columns.map { String(cString: PQfname(result, $0)) }, limit: limit)
    }

    private func failure(_ result: OpaquePointer) -> SQLStatementError {
        func field(_ code: Character) -> String? {
            code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) }
        }
        let state = field("C")
        // M, D, H: the message, its detail and hint.
        let texts = [field("M"), tellsDetails ? field("D") : nil, tellsDetails ? field("H") : nil].compactMap(\.self)
        let message =
            texts.isEmpty
            ? String(cString: PQresultErrorMessage(result)).trimmingSuffix(while: \.isWhitespace)
            : texts.joined(separator: ". ")
        // 08: connection, 57P: the server ends the session; without a code libpq itself found the connection lost.
        let isConnection = state.map { $0.hasPrefix("08") || $0.hasPrefix("57P") } ?? true
        return SQLStatementError(isConnection ? .connection : .statement, message, sqlState: state)
    }
}
