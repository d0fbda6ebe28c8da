public import Foundation

/// A parameter of a statement, or a value in a row of its result (server-api 2.3).
///
/// Databases report the type of a value, so a result distinguishes DATE, TIME and TIMESTAMP. All times are
/// UTC: the sessions run in UTC where the database has such a setting, and a TIMESTAMP without time zone is taken as
/// UTC, both ways.
public enum SQLValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Exact. Beyond 2^53 a script that reads the JSON rounds it, as it did on IBM's server.
    case integer(Int64)
    case real(Double)
    /// The exact digits of a NUMERIC or DECIMAL, such as `12.50`; `NaN` and `Infinity` are possible in PostgreSQL.
    case decimal(String)
    case text(String)
    /// A point in time: the value of a JavaScript `Date` that is a parameter. Results do not use it.
    case instant(Date)
    /// A DATE: `yyyy-MM-dd`.
    case day(String)
    /// A TIME: `HH:mm:ss`, with a fraction where it is not zero, and with the offset of a TIME WITH TIME ZONE.
    case time(String)
    /// A TIMESTAMP: `yyyy-MM-ddTHH:mm:ss.SSSZ`. A value without such a form (`infinity`, a year BC) is the database's string.
    case timestamp(String)
    case bytes([UInt8])

    /// Returns a point in time for a string in the form of rows.
    var isoTextAsInstant: SQLValue {
        guard case .text(let text) = self, let time = CivilTime(isoText: text) else { return self }
        return .instant(Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000))
    }

    /// The number without a fraction when it is a whole one: scripts have no integers, so 3 arrives as 3.0.
    var normalized: SQLValue {
        if case .real(let number) = self, let whole = Int64(exactly: number) { .integer(whole) } else { self }
    }
}

/// A statement's parameters, fitted to its placeholders.
///
/// Parameters beyond the placeholders are ignored: adapters made from IBM's template leave `parameters: [param]` behind when they
/// drop the condition with the `?` (server-api 2.3).
struct SQLParameters {
    let values: [SQLValue]
    /// The number of ignored parameters.
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
