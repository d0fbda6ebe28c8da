import BackEndSQL
import Foundation
import TestSupport
import WorklightProject

/// A PostgreSQL that is started when a test first asks for it.
enum PostgreSQLServer {
    static let user = "lamp"
    static let password = "s3cret}pa;ss{"

    static func shared() throws -> WatchedServer { try started.get() }

    static func source() throws -> SQLDataSource {
        let server = try shared()
        return try SQLDataSource(
            definition: SQLDataSourceDefinition(
                url: "jdbc:postgresql://127.0.0.1:\(server.port)/postgres", user: user, password: password),
            maxConcurrentConnections: 4, adapter: "login", folder: server.folder)
    }

    private static let started = Result {
        try WatchedServer(
            "postgresql", [user, password],
            script: """
                bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
                as=""
                if [ "$(id -u)" = 0 ]; then as="setpriv --reuid postgres --regid postgres --clear-groups"; chown postgres .; fi
                printf %s "$4" > password
                $as "$bin/initdb" -D data -U "$3" --pwfile=password -A scram-sha-256 -E UTF8 --locale=C.UTF-8 -N > log 2>&1 ||
                    fail
                $as "$bin/postgres" -D data -k "" -h 127.0.0.1 -p "$2" -F -c full_page_writes=off >> log 2>&1 &
                pid=$!
                ready_when "$bin/pg_isready" -q -h 127.0.0.1 -p "$2"
                """, stop: "QUIT")
    }
}
