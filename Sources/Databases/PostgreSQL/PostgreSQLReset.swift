import CPostgres

/// The statements that bring a session back to its state after the connect, in one round trip.
///
/// They are those of `DISCARD ALL` except that statements which Lamplighter keeps prepared remain. `DISCARD ALL` also leaves what belongs to
/// extensions and languages, such as connections of dblink and global variables of PL/Perl.
struct PostgreSQLReset {
    /// The settings of the session that differ from the server's own.
    let settings: [(name: String, value: String)]

    private static let statements = [
        "SET SESSION AUTHORIZATION DEFAULT", "RESET ROLE", "RESET ALL", "CLOSE ALL", "UNLISTEN *", "DISCARD TEMP",
        "DISCARD SEQUENCES",
    ]

    /// - Parameters:
    ///   - deallocating: whether all prepared statements are dropped.
    ///   - handle: the connection, which decides how strings are quoted.
    /// - Returns: `nil` when a setting cannot be quoted.
    func script(deallocating: Bool, for handle: OpaquePointer) -> String? {
        var calls = ["pg_catalog.pg_advisory_unlock_all()"]
        for setting in settings {
            guard let value = Self.quoted(setting.value, handle) else { return nil }
            calls.append("pg_catalog.set_config('\(setting.name)', \(value), false)")
        }
        let all =
            Self.statements + (deallocating ? ["DEALLOCATE ALL"] : []) + ["SELECT " + calls.joined(separator: ", ")]
        return all.joined(separator: "; ")
    }

    private static func quoted(_ text: String, _ handle: OpaquePointer) -> String? {
        guard let quoted = PQescapeLiteral(handle, text, text.utf8.count) else { return nil }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }
}
