import PushModel

/// The version of a database's tables, and the ways to it from earlier versions.
///
/// A change of the tables raises ``version``, and adds its statements to ``upgrades``. A change that earlier builds survive, such as a further
/// column with a default, leaves ``oldestReader``: such builds go on with the changed tables, also beside later ones on one database. Any
/// other change sets ``oldestReader`` to its own version.
struct SchemaPlan: Sendable {
    /// The version of the tables.
    var version: Int
    /// The oldest version whose builds can use the tables.
    var oldestReader: Int
    /// The statements that make the tables of a version of those of the version before, by the later one.
    var upgrades: [Int: [String]]

    /// Returns the statements that bring tables to this version; `nil` if they are used as they are.
    ///
    /// - Parameters:
    ///   - found: the version of the tables.
    ///   - oldestReader: that of the tables; `nil` if they do not name it.
    /// - Throws: ``StoredValueError`` with code `newerSchema` or `olderSchema`.
    func statements(from found: Int, oldestReader: Int?) throws -> [String]? {
        if found == version { return nil }
        guard found < version else {
            guard let oldestReader, oldestReader <= version else {
                throw StoredValueError(
                    code: .newerSchema,
                    reason:
                        "a later Lamplighter has changed its tables to version \(found); this one reads up to \(version)"
                )
            }
            return nil
        }
        return try (found + 1...version).flatMap { step in
            guard let statements = upgrades[step] else {
                throw StoredValueError(
                    code: .olderSchema,
                    reason: "an earlier build of Lamplighter has made its tables, which have version \(found)")
            }
            return statements
        }
    }
}
