extension PostgreSQLConnection {
    /// Calls a routine. PostgreSQL has procedures, which are called, and functions, which are selected from; the catalog has the kind.
    ///
    /// A script passes the IN and INOUT parameters, or all of them with any values for the OUT ones. The OUT parameters are the result set's only
    /// row; a function that returns a set returns its rows.
    func call(
        procedure: ProcedureName, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        let routine = try routine(procedure, argumentCount: parameters.count, deadline)
        var arguments: [SQLValue] = []
        var remaining = parameters[...]
        for mode in routine.modes {
            if mode == "o" {
                if routine.givesOut(parameters.count) { remaining = remaining.dropFirst() }
                if routine.isProcedure { arguments.append(.null) }
            } else if let value = remaining.popFirst() {
                // One that is not given has a default.
                arguments.append(value)
            }
        }
        // The remaining parameters belong to a VARIADIC one.
        arguments += remaining
        let placeholders = arguments.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let result = try query(
            "\(routine.isProcedure ? "CALL" : "SELECT * FROM") \(procedure.text)(\(placeholders))", arguments,
            Limits(deadline: deadline, maximumResultSize: maximumResultSize))
        return routine.isVoid ? SQLResult(updateCount: 0) : result
    }

    private struct Routine {
        let isProcedure: Bool
        let isVoid: Bool
        /// Each parameter's mode as in pg_proc: i, o, b (INOUT), v (VARIADIC).
        let modes: String
        let requiredCount: Int

        var inputCount: Int { modes.count { $0 != "o" } }

        /// Returns true if `count` parameters include those for OUT.
        func givesOut(_ count: Int) -> Bool { count > inputCount && count == modes.count }

        func accepts(_ count: Int) -> Bool {
            count == modes.count || (requiredCount...max(requiredCount, inputCount)).contains(count)
                || modes.contains("v") && count >= requiredCount
        }
    }

    private func routine(
        _ name: ProcedureName, argumentCount: Int, _ deadline: Deadline
    ) throws(SQLStatementError) -> Routine {
        // Unquoted names are kept in small letters.
        let parts = name.parts.map { $0.isQuoted ? $0.name : $0.name.lowercased() }
        let schema = parts.dropLast().last
        let found = try query(
            """
            SELECT p.prokind = 'p' AS is_procedure, p.prorettype = 'void'::regtype AS is_void,
                   p.pronargs - p.pronargdefaults AS required,
                   coalesce(array_to_string(p.proargmodes, ''), repeat('i', p.pronargs)) AS modes
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE p.proname = $1
              AND CASE WHEN $2::text IS NULL THEN pg_function_is_visible(p.oid) ELSE n.nspname = $2 END
            ORDER BY p.oid
            """, [.text(parts.last ?? ""), schema.map { .text($0) } ?? .null],
            Limits(deadline: deadline, maximumResultSize: 1 << 20))
        let rows = found.resultSet
        let routines = (0..<(rows?.count ?? 0)).compactMap { index in
            rows.flatMap { Self.routine(Array($0[index])) }
        }
        guard !routines.isEmpty else {
            throw SQLStatementError(
                .statement, "PostgreSQL has no procedure or function named \(name.text)", sqlState: "42883")
        }
        guard let routine = routines.first(where: { $0.accepts(argumentCount) }) else {
            let counts = Set(routines.map(\.inputCount)).sorted().map(String.init).joined(separator: " or ")
            throw SQLStatementError(
                .statement, "\(name.text) takes \(counts) parameters, but \(argumentCount) were passed",
                sqlState: "42883")
        }
        return routine
    }

    private static func routine(_ row: [SQLValue]) -> Routine? {
        guard row.count == 4, case .bool(let isProcedure) = row[0], case .bool(let isVoid) = row[1],
            case .integer(let required) = row[2], case .text(let modes) = row[3]
        else { return nil }
        // t are the columns of RETURNS TABLE, not parameters.
        return Routine(
            isProcedure: isProcedure, isVoid: isVoid && !isProcedure, modes: modes.filter { $0 != "t" },
            requiredCount: Int(required))
    }
}
