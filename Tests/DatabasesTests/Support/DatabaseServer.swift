import Databases
import Foundation
import Logging
import TestSupport
import WorklightProject

/// A database server that belongs to this test process, started when a test first asks for it.
final class DatabaseServer: Sendable {
    static let user = PostgreSQLServer.user
    static let password = PostgreSQLServer.password

    private let server: WatchedServer

    var port: Int { server.port }
    var folder: URL { server.folder }

    /// - Parameter script: as ``WatchedServer`` wants it, with $1 = folder, $2 = port, $3 = user, $4 = password.
    fileprivate init(_ name: String, _ script: String, stop signal: String) throws {
        server = try WatchedServer(name, [Self.user, Self.password], script: script, stop: signal)
    }

    fileprivate init(_ server: WatchedServer) { self.server = server }

    func source(
        _ scheme: String, database: String, connections: Int = 4, password: String = DatabaseServer.password,
        maximumResultSize: Int = 64 << 20, exactNumbers: Bool = false, settings: String = "",
        logger: Logger = Logger(label: "test")
    ) throws -> SQLDataSource {
        var policy = SQLConnectionPolicy(
            .definition(
                SQLDataSourceDefinition(
                    url: "jdbc:\(scheme)://127.0.0.1:\(port)/\(database)\(settings)", user: Self.user,
                    password: password)))
        policy.maxConcurrentConnections = connections
        return try SQLDataSource(
            policy: policy, adapter: "Books", folder: folder, maximumResultSize: maximumResultSize,
            exactNumbers: exactNumbers, logger: logger)
    }
}

extension DatabaseServer {
    static func postgreSQL() throws -> DatabaseServer { try startedPostgreSQL.get() }
    static func mariaDB() throws -> DatabaseServer { try startedMariaDB.get() }

    private static let startedPostgreSQL = Result { DatabaseServer(try PostgreSQLServer.shared()) }

    private static let startedMariaDB = Result { try newMariaDB() }

    /// A server that only one test has.
    static func newMariaDB() throws -> DatabaseServer {
        try DatabaseServer(
            "mariadb",
            """
            PATH=$PATH:/usr/sbin
            user=""
            if [ "$(id -u)" = 0 ]; then user="--user=mysql"; chown mysql .; fi
            mariadb-install-db --no-defaults $user --datadir="$1/data" --auth-root-authentication-method=normal \\
                --skip-test-db --skip-name-resolve > log 2>&1 || fail
            # The socket is in the folder of the data, and named from there: its path may be 107 bytes long.
            mariadbd --no-defaults $user --datadir="$1/data" --socket=socket --bind-address=127.0.0.1 --port="$2" \\
                --innodb-flush-log-at-trx-commit=0 --skip-name-resolve --pid-file="$1/pid" \\
                --innodb-buffer-pool-size=64M --max-allowed-packet=128M >> log 2>&1 &
            pid=$!
            cd data || exit 1
            ready_when mariadb-admin --no-defaults -u root -S ./socket ping
            mariadb --no-defaults -u root -S ./socket -e "CREATE DATABASE books CHARACTER SET utf8mb4;
                CREATE USER '$3'@'%' IDENTIFIED BY '$4'; GRANT ALL ON *.* TO '$3'@'%'" || exit 1
            """, stop: "KILL")
    }
}
