public import Foundation

/// A value that goes to a database as a parameter or comes from it in a row (server-api 2.3).
///
/// Databases say which of their types a value has, so a result tells DATE, TIME and TIMESTAMP apart. All times are
/// UTC: the sessions run in UTC where the database has such a setting, and a TIMESTAMP without time zone is taken as
/// UTC, both ways.
public enum SQLValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Exact. Beyond 2^53 a script that reads the JSON text rounds it, as it did on IBM's server.
    case integer(Int64)
    case real(Double)
    /// The exact text of a NUMERIC or DECIMAL, such as `12.50`; `NaN` and `Infinity` are possible in PostgreSQL.
    case decimal(String)
    case text(String)
    /// A point in time: what a JavaScript `Date` is as a parameter. Results do not use it.
    case instant(Date)
    /// A DATE: `yyyy-MM-dd`.
    case day(String)
    /// A TIME: `HH:mm:ss`, with a fraction where it is not zero, and with the offset of a TIME WITH TIME ZONE.
    case time(String)
    /// A TIMESTAMP: `yyyy-MM-ddTHH:mm:ss.SSSZ`. What has no such form (`infinity`, a year BC) is the database's text.
    case timestamp(String)
    case bytes([UInt8])

    /// A point in time for a text that tells one as rows do.
    var isoTextAsInstant: SQLValue {
        guard case .text(let text) = self, let time = CivilTime(isoText: text) else { return self }
        return .instant(Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000))
    }

    /// The number without a fraction when it is a whole one: scripts have no integers, so 3 arrives as 3.0.
    var normalized: SQLValue {
        if case .real(let number) = self, let whole = Int64(exactly: number) { .integer(whole) } else { self }
    }
}
