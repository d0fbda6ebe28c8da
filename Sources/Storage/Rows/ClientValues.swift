import PushModel

extension StoreRow {
    /// A value that checks its parts, made from this row.
    ///
    /// - Throws: ``StoredValueError`` when they are not what they should be: somebody else wrote the row.
    func clientValue<Value>(_ make: () throws -> Value) throws -> Value {
        do {
            return try make()
        } catch let error as ClientValueError {
            throw StoredValueError(code: .corrupt, reason: "a row does not hold what it should: \(error)")
        }
    }
}
