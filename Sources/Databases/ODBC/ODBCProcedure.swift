import CODBC

/// A stored procedure, as its driver describes it.
struct ODBCProcedure {
    private let connection: ODBCHandle
    private let name: ProcedureName
    private let isCatalogFirst: Bool

    /// - Parameter isCatalogFirst: whether a name in front of the procedure's is a database, as in MySQL, and not a schema.
    init(_ connection: ODBCHandle, _ name: ProcedureName, isCatalogFirst: Bool) {
        (self.connection, self.name, self.isCatalogFirst) = (connection, name, isCatalogFirst)
    }

    /// Returns the indices of parameters that are dates or times, from 0; none when the driver does not report types.
    func timeParameters() throws(SQLStatementError) -> Set<Int> {
        let statement = try ODBCHandle(type: SQL_HANDLE_STMT, parent: connection)
        var procedure = Array((name.parts.last?.name ?? "").utf16)
        var qualifier = Array((name.parts.dropLast().last?.name ?? "").utf16)
        let (count, length) = (SQLSMALLINT(clamping: qualifier.count), SQLSMALLINT(clamping: procedure.count))
        let code =
            switch (qualifier.isEmpty, isCatalogFirst) {
            case (true, _): SQLProcedureColumnsW(statement.value, nil, 0, nil, 0, &procedure, length, nil, 0)
            case (_, true): SQLProcedureColumnsW(statement.value, &qualifier, count, nil, 0, &procedure, length, nil, 0)
            case (_, false):
                SQLProcedureColumnsW(statement.value, nil, 0, &qualifier, count, &procedure, length, nil, 0)
            }
        guard ODBC.isSuccess(code) else { return [] }
        // The columns of the result, as ODBC defines them.
        let found = try ODBCColumn(statement, 3, exactNumbers: false)
        let kind = try ODBCColumn(statement, 5, exactNumbers: false)
        let type = try ODBCColumn(statement, 6, exactNumbers: false)
        var times: Set<Int> = []
        var place = 0
        while ODBC.isSuccess(SQLFetch(statement.value)) {
            // The name was taken as a pattern, in which `_` stands for any character.
            guard case .text(let text) = try found.read(), text.lowercased() == name.parts.last?.name.lowercased(),
                case .integer(let kind) = try kind.read(), case .integer(let type) = try type.read(),
                [SQL_PARAM_INPUT, SQL_PARAM_INPUT_OUTPUT, SQL_PARAM_OUTPUT].contains(Int32(kind))
            else { continue }
            if [SQL_TYPE_TIMESTAMP, SQL_TYPE_DATE].contains(Int32(type)) { times.insert(place) }
            place += 1
        }
        return times
    }
}
