import CPostgres

/// The statements that bring a session back to its state after the connect, in one round trip.
///
/// They are those of `DISCARD ALL`, which cannot run together with others. It also drops prepared statements and cached plans: a plan may contain
/// values of the settings that were in force when it was made, and a function may have prepared or replaced any statement. State of
/// extensions and languages stays, such as connections of dblink, global variables of PL/Perl, and the seed of `random()`.
struct PostgreSQLReset {
    /// The settings of the session that differ from the server's own.
    let settings: [(name: String, value: String)]

    private static let statements = [
        "SET SESSION AUTHORIZATION DEFAULT", "RESET ROLE", "RESET ALL", "DEALLOCATE ALL", "CLOSE ALL", "UNLISTEN *",
        "DISCARD PLANS", "DISCARD TEMP", "DISCARD SEQUENCES",
    ]

    /// - Parameter handle: the connection, which decides how strings are quoted.
    /// - Returns: `nil` when a setting cannot be quoted.
    func script(for handle: OpaquePointer) -> String? {
        var calls = ["pg_catalog.pg_advisory_unlock_all()"]
        for setting in settings {
            guard let value = Self.quoted(setting.value, handle) else { return nil }
            calls.append("pg_catalog.set_config('\(setting.name)', \(value), false)")
        }
        return (Self.statements + ["SELECT " + calls.joined(separator: ", ")]).joined(separator: "; ")
    }

    private static func quoted(_ text: String, _ handle: OpaquePointer) -> String? {
        guard let quoted = PQescapeLiteral(handle, text, text.utf8.count) else { return nil }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }
}
