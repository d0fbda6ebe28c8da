/// The databases that are reached through ODBC, and what each needs.
enum ODBCDatabase: Sendable, Equatable {
    case mySQL, db2, derby, oracle, sqlServer

    var name: String {
        switch self {
        case .mySQL: "MySQL/MariaDB"
        case .db2: "Db2"
        case .derby: "Derby"
        case .oracle: "Oracle"
        case .sqlServer: "SQL Server"
        }
    }

    var defaultPort: Int {
        switch self {
        case .mySQL: 3306
        case .db2: 50000
        case .derby: 1527
        case .oracle: 1521
        case .sqlServer: 1433
        }
    }

    /// Beginnings of the names under which drivers are registered in odbcinst.ini, in small letters, the best first.
    var driverNames: [String] {
        switch self {
        case .mySQL: ["mariadb", "mysql"]
        case .db2, .derby: ["ibm db2", "db2", "ibm data server"]
        case .oracle: ["oracle"]
        case .sqlServer: ["odbc driver 18 for sql server", "odbc driver 17 for sql server", "odbc driver", "freetds"]
        }
    }

    /// The instructions for installing a driver.
    var installation: String {
        switch self {
        case .mySQL: "install Debian's package odbc-mariadb (or MySQL's Connector/ODBC)"
        case .db2, .derby:
            """
            install IBM's "Data Server Driver for ODBC and CLI" and register its libdb2o.so with odbcinst as \
            "IBM DB2 ODBC DRIVER"
            """
        case .oracle:
            """
            install Oracle's "Instant Client" with its ODBC package, and register libsqora.so with odbcinst as \
            "Oracle ODBC driver" (its odbc_update_ini.sh does that)
            """
        case .sqlServer:
            """
            install Microsoft's package msodbcsql18 (registers "ODBC Driver 18 for SQL Server"), or Debian's package \
            tdsodbc and run: odbcinst -i -d -f /usr/share/tdsodbc/odbcinst.ini
            """
        }
    }

    /// Returns the best of the drivers that are registered on this machine.
    ///
    /// - Throws: `driverMissing`, with the instructions for installing one.
    func installedDriver() throws(SQLStatementError) -> String {
        let installed = try ODBC.installedDrivers()
        if let driver = driver(among: installed) { return driver }
        let others = installed.isEmpty ? "none" : installed.joined(separator: ", ")
        throw SQLStatementError(
            .driverMissing, "no ODBC driver for \(name) is installed (installed: \(others)): \(installation)")
    }

    /// The best of the installed drivers, if there is one.
    func driver(among installed: [String]) -> String? {
        for name in driverNames {
            if let driver = installed.first(where: { $0.lowercased().hasPrefix(name) }) { return driver }
        }
        return nil
    }

    /// Statements that a new session starts with: points in time are UTC.
    var sessionStart: [String] {
        switch self {
        case .mySQL: ["SET time_zone = '+00:00'"]
        case .oracle: ["ALTER SESSION SET TIME_ZONE = '+00:00'"]
        case .db2, .derby, .sqlServer: []
        }
    }
}
