import Foundation

/// A PostgreSQL server of this test process, which is started at its first use.
public enum PostgreSQLServer {
    public static let user = "lamp"
    /// The password, with characters that connection strings must quote.
    public static let password = "s3cret}pa;ss{"

    public static func shared() throws -> WatchedServer { try started.get() }

    /// Returns a connection string for libpq.
    ///
    /// - Parameter port: the port; that of the shared server when `nil`.
    public static func connection(to database: String, port: Int? = nil) throws -> String {
        "host=127.0.0.1 port=\(try port ?? shared().port) user=\(user) password=\(password) dbname=\(database)"
    }

    /// Returns the address of a database, as in the settings.
    public static func address(of database: String, port: Int) -> String {
        let password = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "postgres://\(user):\(password)@127.0.0.1:\(port)/\(database)"
    }

    private static let started = Result { try start() }

    /// Starts a separate server, for a test that damages it.
    ///
    /// - Parameter keepsCommits: whether committed data survives the kill of one of its processes.
    public static func start(keepsCommits: Bool = false) throws -> WatchedServer {
        try WatchedServer(
            "postgresql", [user, password, keepsCommits ? "on" : "off"],
            script: """
                bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
                as=""
                if [ "$(id -u)" = 0 ]; then as="setpriv --reuid postgres --regid postgres --clear-groups"; chown postgres .; fi
                printf %s "$4" > password
                $as "$bin/initdb" -D data -U "$3" --pwfile=password -A scram-sha-256 -E UTF8 --locale=C.UTF-8 -N > log 2>&1 ||
                    fail
                # Without a Unix socket: its path may be 107 bytes long.
                $as "$bin/postgres" -D data -k "" -h 127.0.0.1 -p "$2" -F -c full_page_writes=off -c synchronous_commit="$5" \\
                    -c max_connections=100 >> log 2>&1 &
                pid=$!
                ready_when "$bin/pg_isready" -q -h 127.0.0.1 -p "$2"
                """, stop: "QUIT")
    }
}
