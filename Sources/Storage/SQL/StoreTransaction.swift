import PushModel

/// A transaction, for statements in the SQL that SQLite and PostgreSQL share. Parameters are question marks.
protocol StoreTransaction {
    /// Runs a statement that returns no rows.
    ///
    /// - Returns: how many rows it inserted, changed or deleted.
    /// - Throws: ``StoredValueError`` when an argument is a string with a NUL character, and the database's errors.
    @discardableResult
    func run(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> Int

    /// Runs a statement, and calls `body` with each row that it returns.
    func forEachRow(_ sql: String, _ arguments: [(any StoreArgument)?], _ body: (StoreRow) throws -> Void) throws

    /// Makes a table of a FROM clause be read by an index, where the database cannot be left to find that itself.
    ///
    /// - Returns: what follows the table and its alias.
    func indexed(by index: String) -> String
}

extension StoreTransaction {
    @discardableResult
    func run(_ sql: String) throws -> Int { try run(sql, []) }

    /// The rows that a statement returns.
    func rows(_ sql: String, _ arguments: [(any StoreArgument)?] = []) throws -> [StoreRow] {
        var rows: [StoreRow] = []
        try forEachRow(sql, arguments) { rows.append($0) }
        return rows
    }

    /// The first row that a statement returns.
    func row(_ sql: String, _ arguments: [(any StoreArgument)?] = []) throws -> StoreRow? {
        try rows(sql, arguments).first
    }

    /// The first column of each row.
    func all<Value: StoreReadable>(
        _: Value.Type, _ sql: String, _ arguments: [(any StoreArgument)?] = []
    ) throws -> [Value] {
        try rows(sql, arguments).map { try $0.value(at: 0) }
    }

    /// The first column of the first row.
    func first<Value: StoreReadable>(
        _: Value.Type, _ sql: String, _ arguments: [(any StoreArgument)?] = []
    ) throws -> Value? {
        try row(sql, arguments)?.value(at: 0)
    }
}

/// Returns as many question marks as a list has values, for `IN (…)`; NULL, which equals no value, for none.
func marks(_ count: Int) -> String {
    count == 0 ? "NULL" : Array(repeating: "?", count: count).joined(separator: ", ")
}

/// The database of a store's tables.
protocol StoreDatabase: Sendable {
    /// For messages.
    var location: String { get }

    /// The version of the tables before they were upgraded; `nil` if they were not.
    var formerVersion: Int? { get }

    /// Returns the time of the database's clock, if several servers share it.
    func now(in transaction: any StoreTransaction) throws -> Double?

    /// Reads what is committed at this moment.
    func read<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value

    /// Runs `body` in a transaction, and commits it, or takes everything back when it throws. No other writes come between its statements.
    func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value

    /// Like ``write(_:)``, but does not wait for the disk: its commit outlives the process at once, and a power failure only after
    /// the next ``write(_:)``.
    func writeAhead(_ body: (any StoreTransaction) throws -> Void) throws(StoreError)
}

extension StoreDatabase {
    func now(in transaction: any StoreTransaction) throws -> Double? { nil }
}
