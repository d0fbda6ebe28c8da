import PushModel

/// Where a store keeps its tables.
protocol StoreDatabase: Sendable {
    /// For messages.
    var location: String { get }

    /// The time of its own clock, where several servers share it.
    func now(in transaction: any StoreTransaction) throws -> Double?

    /// Reads what is committed at this moment.
    func read<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value

    /// Runs `body` in a transaction, and commits it, or takes everything back when it throws. No other writes come between its statements.
    func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value

    /// Like ``write(_:)``, but does not wait for the disk: what it commits outlives the process at once, and a power failure only after
    /// the next ``write(_:)``.
    func writeAhead(_ body: (any StoreTransaction) throws -> Void) throws(StoreError)
}

extension StoreDatabase {
    func now(in transaction: any StoreTransaction) throws -> Double? { nil }
}
