/// A statement's parameters, fitted to its placeholders.
///
/// Parameters beyond the placeholders are ignored: adapters made from IBM's template leave `parameters: [param]` behind when they
/// drop the condition with the `?` (server-api 2.3).
struct SQLParameters {
    let values: [SQLValue]
    /// How many were ignored.
    let surplus: Int

    /// - Throws: when there are fewer parameters than placeholders.
    init(_ given: [SQLValue], placeholders: Int) throws(SQLStatementError) {
        guard given.count >= placeholders else {
            throw SQLStatementError(
                .statement,
                "the statement has \(placeholders) placeholder\(placeholders == 1 ? "" : "s") (?), but \(given.count) "
                    + "parameter\(given.count == 1 ? " was" : "s were") given")
        }
        values = Array(given.prefix(placeholders))
        surplus = given.count - placeholders
    }
}
