package import Core
import Foundation
import Synchronization

/// A call's use of a data source: all its statements run on one connection, and no other call sees what they leave in its session, such as
/// settings and temporary tables.
///
/// While only plain statements have run (``isPlain(_:)``), another call that waits may get the connection between two of them. From the first other
/// statement on the connection is reserved until the end: with another one, the rest of the call would run without its role or its settings.
public final class SQLLease: Sendable {
    private let source: SQLDataSource
    private let state = Atomic(false)

    /// True if a statement may have changed the session.
    var hasState: Bool { state.load(ordering: .relaxed) }

    /// Returns true for SELECT, INSERT, UPDATE and DELETE, unless the statement names `set_config`.
    static func isPlain(_ sql: String) -> Bool {
        isQueryOrChange(sql) && sql.range(of: "set_config", options: .caseInsensitive) == nil
    }

    /// Returns true for SELECT, INSERT, UPDATE and DELETE, also behind WITH.
    static func isQueryOrChange(_ sql: String) -> Bool {
        let word = sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).lowercased()
        return ["select", "insert", "update", "delete", "with"].contains(word)
    }

    init(of source: SQLDataSource) { self.source = source }

    deinit { source.end(self) }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: one statement with `?` for each parameter.
    ///   - parameters: bound, never inserted into the SQL. Those beyond the placeholders are ignored
    ///     (``SQLResult/surplusParameters``).
    ///   - deadline: how long it may take, waiting for a connection and opening it included.
    ///   - isGivenUp: returns whether the result is no longer needed; then the statement fails within some milliseconds, as after
    ///     the deadline. `nil` if the result is always needed.
    ///   - cpu: the CPU time that a statement of a database in this process may take; `nil` if it is not limited.
    ///   - onWait: called on this thread when it begins to wait for a connection, or for a file that another connection writes to.
    /// - Throws: ``SQLStatementError``.
    package func execute(
        _ sql: String, parameters: [SQLValue] = [], deadline: Duration, isGivenUp: (@Sendable () -> Bool)? = nil,
        cpu: CPUBudget? = nil, onWait: (@Sendable () -> Void)? = nil
    ) throws(SQLStatementError) -> SQLResult {
        let deadline = Deadline(in: deadline, isGivenUp: isGivenUp, cpu: cpu, onWait: onWait)
        if !source.isInProcess, !Self.isPlain(sql) { state.store(true, ordering: .relaxed) }
        return try source.run(on: self, deadline: deadline, what: sql) {
            connection, deadline, maximumResultSize throws(SQLStatementError) in
            try connection.execute(
                sql, parameters: parameters.map(\.normalized), deadline: deadline, maximumResultSize: maximumResultSize)
        }
    }

    /// Calls a stored procedure (in PostgreSQL also a function).
    ///
    /// - Parameters:
    ///   - procedure: its name alone, with schema or quotes where needed.
    ///   - parameters: its IN and INOUT parameters, or all with anything (such as null) for the OUT ones.
    ///   - deadline: as for statements.
    ///   - isGivenUp: as for statements.
    /// - Throws: ``SQLStatementError``.
    public func call(
        procedure: String, parameters: [SQLValue] = [], deadline: Duration, isGivenUp: (@Sendable () -> Bool)? = nil
    ) throws(SQLStatementError) -> SQLResult {
        let name = try ProcedureName(procedure)
        let deadline = Deadline(in: deadline, isGivenUp: isGivenUp)
        state.store(true, ordering: .relaxed)
        return try source.run(on: self, deadline: deadline, what: procedure) {
            connection, deadline, maximumResultSize throws(SQLStatementError) in
            try connection.call(
                procedure: name, parameters: parameters.map(\.normalized), deadline: deadline,
                maximumResultSize: maximumResultSize)
        }
    }

    /// Ends the use. The connection begins to be reset, without waiting for the database. A later statement begins a new use.
    public func end() {
        source.end(self)
        state.store(false, ordering: .relaxed)
    }
}
