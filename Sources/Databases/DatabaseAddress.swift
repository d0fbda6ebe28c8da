import Foundation
import WorklightProject

/// The database that a JDBC URL names, in the terms of its connector.
enum DatabaseAddress: Sendable, Equatable {
    /// A file's path, `:memory:`, or a `file:` URI.
    case sqlite(String)
    case postgreSQL(DatabaseServerAddress)
    case odbc(ODBCDatabase, DatabaseServerAddress)

    struct DatabaseURLError: Error {
        /// The problem with the URL, without its credentials, and the expected form.
        let problem: String
    }

    init(_ definition: SQLDataSourceDefinition) throws(DatabaseURLError) {
        let url = definition.url.trimmingPrefix(while: \.isWhitespace)
        func rest(after prefix: String) -> Substring? {
            url.lowercased().hasPrefix(prefix) ? url.dropFirst(prefix.count) : nil
        }
        let reader = JDBCURL(definition)
        if let rest = rest(after: "jdbc:sqlite:") {
            self = .sqlite(try Self.sqlitePath(rest))
        } else if let rest = rest(after: "jdbc:postgresql:") {
            self = .postgreSQL(try reader.postgreSQL(rest))
        } else if let rest = rest(after: "jdbc:mysql:") ?? rest(after: "jdbc:mariadb:") {
            self = .odbc(.mySQL, try reader.mySQL(rest))
        } else if let rest = rest(after: "jdbc:db2:") {
            self = .odbc(.db2, try reader.db2(rest))
        } else if let rest = rest(after: "jdbc:derby:") {
            self = .odbc(.derby, try reader.derby(rest))
        } else if let rest = rest(after: "jdbc:oracle:") {
            self = .odbc(.oracle, try reader.oracle(rest))
        } else if let rest = rest(after: "jdbc:jtds:sqlserver:") {
            self = .odbc(.sqlServer, try reader.jTDS(rest))
        } else if let rest = rest(after: "jdbc:sqlserver:") ?? rest(after: "jdbc:microsoft:sqlserver:") {
            self = .odbc(.sqlServer, try reader.sqlServer(rest))
        } else {
            throw DatabaseURLError(
                problem: """
                    the URL \(JDBCURL.withoutCredentials(String(url))) names no supported database\(Self.advice(on: url))
                    """)
        }
    }

    /// The beginnings of the URLs, as messages name them.
    private static let schemes = [
        "jdbc:postgresql:", "jdbc:mysql:", "jdbc:mariadb:", "jdbc:db2:", "jdbc:oracle:thin:", "jdbc:sqlserver:",
        "jdbc:jtds:sqlserver:", "jdbc:derby:", "jdbc:sqlite:",
    ]

    private static func advice(on url: Substring) -> String {
        let parts = url.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        let names = schemes.compactMap { $0.split(separator: ":").dropFirst().first.map(String.init) }
        if parts.count == 3, let near = Suggestion.nearest(to: String(parts[1]), among: names) {
            return "; is jdbc:\(near): meant?"
        }
        return ": expected \(schemes.dropLast().joined(separator: ", ")) or \(schemes.last ?? "")"
    }

    /// The reason why no connection can be opened on this machine: a missing ODBC driver; `nil` if there is none.
    var obstacle: String? {
        guard case .odbc(let database, _) = self else { return nil }
        do {
            _ = try database.installedDriver()
            return nil
        } catch {
            return error.message
        }
    }

    /// - Parameters:
    ///   - folder: the base of relative SQLite paths.
    ///   - forbidden: the folder in which no SQLite file may be.
    ///   - exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings.
    func connector(folder: URL, forbidden: URL?, exactNumbers: Bool) -> any SQLConnector {
        switch self {
        case .sqlite(let path):
            SQLiteConnector(path: path, folder: folder, forbidden: forbidden, exactNumbers: exactNumbers)
        case .postgreSQL(let address): PostgreSQLConnector(address, exactNumbers: exactNumbers)
        case .odbc(let database, let address): ODBCConnector(database, address, exactNumbers: exactNumbers)
        }
    }

    /// The password, from the URL or from the settings.
    var password: String? {
        switch self {
        case .sqlite: nil
        case .postgreSQL(let address), .odbc(_, let address): address.password
        }
    }

    /// True if the URL has `closeAfterCall=true`: each call then gets a new connection.
    var closesAfterCall: Bool {
        switch self {
        case .sqlite: false
        case .postgreSQL(let address), .odbc(_, let address): address.settings["closeaftercall"] == "true"
        }
    }

    private static func sqlitePath(_ rest: Substring) throws(DatabaseURLError) -> String {
        // The part behind the question mark holds settings of the Java driver, except in SQLite's own `file:` URIs.
        let path = rest.hasPrefix("file:") ? rest : rest.prefix { $0 != "?" }
        guard !path.isEmpty else {
            throw DatabaseURLError(problem: "the URL jdbc:sqlite: names no file: expected jdbc:sqlite:folder/file.db")
        }
        return String(path)
    }
}

/// A database server's address, and the URL's own settings.
struct DatabaseServerAddress: Sendable, Equatable {
    struct Host: Sendable, Equatable {
        var name: String
        var port: Int?
    }

    var hosts: [Host]
    /// The database; for Oracle the service.
    var database: String?
    var user: String?
    var password: String?
    /// The settings in the URL, by their names in small letters.
    var settings: [String: String] = [:]

    var host: Host { hosts.first ?? Host(name: "localhost") }

    /// `db.example.com:5432`, for messages.
    func text(defaultPort: Int) -> String {
        hosts.map { "\($0.name):\($0.port ?? defaultPort)" }.joined(separator: ",")
    }
}
