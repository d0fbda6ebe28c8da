import Databases
import Foundation
import Synchronization
import TestSupport
import Testing
import WorklightProject

@testable import Credentials

/// The databases that are here.
enum TestDatabase: String, CaseIterable {
    case sqlite, postgreSQL
}

@Suite("Users in a database", .onOwnThreads)
final class DatabaseDirectoryTests {
    let folder: TemporaryFolder
    let hasher = PasswordHasher()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a table of users with a unique name, and a directory on it.
    private func directory(_ kind: TestDatabase, _ changes: [String: String?] = [:]) throws -> DatabaseDirectory {
        let source = try source(kind)
        let table = "u" + UUID().uuidString.lowercased().replacing("-", with: "").prefix(12)
        func run(_ sql: String, _ parameters: String...) throws {
            _ = try source.execute(sql, parameters: parameters.map(SQLValue.text), deadline: .noLimit)
        }
        try run("CREATE TABLE \(table) (name VARCHAR(50), word VARCHAR(200), shown VARCHAR(50))")
        let users: [(String, String)] = [
            ("bob", "builder-7"), ("kim", try Tools.htpasswd("kims-word")), ("pat", try Tools.argon2("pats-word")),
            ("bad", "$2y$05$hunter22"), ("empty", ""), ("twin", "a"), ("twin", "a"),
        ]
        for (name, word) in users { try run("INSERT INTO \(table) VALUES (?, ?, ?)", name, word, "Mx \(name)") }
        try run("INSERT INTO \(table) VALUES ('none', NULL, NULL)")
        var values: [String: String?] = [
            "dsJndiName": "jdbc/users",
            "principalsQuery": "SELECT word, shown AS \"displayName\" FROM \(table) WHERE name = ?",
        ]
        values.merge(changes) { $1 }
        return try DatabaseDirectory(
            parameters: values.compactMap { name, value in value.map { (name, $0.replacing("TABLE", with: table)) } },
            hasher: hasher, timeout: .noLimit
        ) { $0 == "jdbc/users" ? source : nil }
    }

    private func source(_ kind: TestDatabase) throws -> SQLDataSource {
        switch kind {
        case .postgreSQL: try PostgreSQLServer.source()
        case .sqlite:
            try SQLDataSource(
                definition: SQLDataSourceDefinition(url: "jdbc:sqlite:users.db"), maxConcurrentConnections: 4,
                adapter: "login", folder: folder.url)
        }
    }

    private func failure(_ directory: DatabaseDirectory, _ name: String = "bob") async throws -> DirectoryError {
        try await #require(throws: DirectoryError.self) { try await directory.user(named: name, password: "builder-7") }
    }

    @Test("The right password returns the user, with the display name", arguments: TestDatabase.allCases)
    func right(kind: TestDatabase) async throws {
        let user = try await directory(kind).user(named: "bob", password: "builder-7")
        #expect(user == DirectoryUser(name: "bob", displayName: "Mx bob"))
    }

    @Test("A stored hash is verified", arguments: TestDatabase.allCases)
    func hashed(kind: TestDatabase) async throws {
        let directory = try directory(kind)
        #expect(try await directory.user(named: "kim", password: "kims-word") != nil)
        #expect(try await directory.user(named: "pat", password: "pats-word") != nil)
        #expect(try await directory.user(named: "kim", password: "pats-word") == nil)
        let hash = try Tools.htpasswd("x")
        #expect(try await directory.user(named: "kim", password: hash) == nil)
    }

    @Test(
        "Wrong passwords, unknown users, and users with no or an empty password are refused",
        arguments: TestDatabase.allCases)
    func wrong(kind: TestDatabase) async throws {
        let directory = try directory(kind)
        for (name, password) in [
            ("bob", "builder-8"), ("bob", ""), ("nobody", "builder-7"), ("empty", ""), ("none", ""), ("none", "x"),
            ("bob\0", "builder-7"), ("' OR '1'='1", "builder-7"), ("bob' --", "builder-7"), ("%", "builder-7"),
        ] {
            #expect(try await directory.user(named: name, password: password) == nil, "\(name)")
        }
    }

    @Test("Two rows for one name are an error", arguments: TestDatabase.allCases)
    func twins(kind: TestDatabase) async throws {
        let error = try await failure(directory(kind), "twin")
        #expect(error.kind == .configuration)
        #expect(error.message.contains("2 rows"))
    }

    @Test("A hash that is cut off is an error that does not quote it")
    func malformedHash() async throws {
        let error = try await failure(directory(.sqlite), "bad")
        #expect(error.kind == .configuration)
        #expect(!error.message.contains("hunter22"))
    }

    @Test("A query that fails is an error that names the parameter", arguments: TestDatabase.allCases)
    func brokenQuery(kind: TestDatabase) async throws {
        let query = "SELECT x FROM nowhere WHERE a = ?"
        let error = try await failure(directory(kind, ["principalsQuery": query]))
        #expect(error.kind == .configuration)
        #expect(error.message.hasPrefix("login data source 'jdbc/users': the principalsQuery fails"))
    }

    @Test("A password that a database repeats in its message is left out", arguments: TestDatabase.allCases)
    func secrecy(kind: TestDatabase) async throws {
        let query = "SELECT builder-7 FROM \"builder-7\" WHERE a = ?"
        let error = try await failure(directory(kind, ["principalsQuery": query]))
        #expect(!"\(error)".contains("builder-7"))
    }

    @Test("A name may occur in a query several times, and a rolesQuery is ignored")
    func severalPlaces() async throws {
        let directory = try directory(
            .postgreSQL,
            [
                "rolesQuery": "SELECT role FROM nowhere",
                "principalsQuery": "SELECT word /* ? */ FROM TABLE WHERE name = ? AND '?' <> ? -- ?",
            ])
        #expect(try await directory.user(named: "bob", password: "builder-7") == DirectoryUser(name: "bob"))
    }

    @Test("A database that is down is unreachable")
    func down() async throws {
        let source = try SQLDataSource(
            definition: SQLDataSourceDefinition(
                url: "jdbc:postgresql://127.0.0.1:\(closedPort)/x", password: "hidden"),
            maxConcurrentConnections: 1, adapter: "login", folder: folder.url)
        let parameters = [("dsJndiName", "jdbc/users"), ("principalsQuery", "SELECT a FROM b WHERE c = ?")]
        let directory = try DatabaseDirectory(parameters: parameters, timeout: .noLimit) { _ in source }
        #expect(try await failure(directory).kind == .unreachable)
    }

    @Test(
        "A missing or wrong parameter is named",
        arguments: [
            ("dsJndiName", nil), ("dsJndiName", "jdbc/other"), ("principalsQuery", nil),
            ("principalsQuery", "SELECT word FROM users WHERE name = '?'"),
        ])
    func parameters(name: String, value: String?) throws {
        let error = try #require(throws: DirectoryConfigurationError.self) { try directory(.sqlite, [name: value]) }
        #expect(error.parameter == name)
    }
}
