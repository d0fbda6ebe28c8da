import Core
import Databases
import Foundation
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("SQLite files", .onOwnThreads)
final class SQLiteTests {
    let temporary: TemporaryFolder
    let database: SQLDataSource
    var folder: URL { temporary.url }

    init() throws {
        temporary = try TemporaryFolder()
        database = try source("jdbc:sqlite:books.db", folder: temporary.url)
    }

    @Test("A relative path starts at the project's folder")
    func relativePath() throws {
        try database.change("CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "books.db").path))
    }

    @Test("A database in memory keeps its tables from statement to statement")
    func memory() throws {
        let memory = try source("jdbc:sqlite::memory:", connections: 10)
        try memory.change("CREATE TABLE t (a)")
        #expect(try memory.json("SELECT * FROM t") == "[]")
    }

    @Test(
        "Values come back as they went in",
        arguments: [
            (SQLValue.integer(.max), SQLValue.integer(.max)), (.real(0.5), .real(0.5)), (.real(3), .integer(3)),
            (.text("Zoë 🐘 a\0b"), .text("Zoë 🐘 a\0b")), (.text(""), .text("")), (.null, .null),
            (.bool(true), .integer(1)),
            (.bytes([0, 255]), .bytes([0, 255])), (.bytes([]), .bytes([])),
            (.instant(Date(timeIntervalSince1970: 1.25)), .timestamp("1970-01-01T00:00:01.250Z")),
            (.text("'; DROP TABLE t; --"), .text("'; DROP TABLE t; --")),
        ])
    func values(parameter: SQLValue, expected: SQLValue) throws {
        try database.change("CREATE TABLE t (v)")
        try database.change("INSERT INTO t VALUES (?)", parameter)
        #expect(try database.row("SELECT v FROM t") == [expected])
    }

    @Test("A string of digits becomes a number in an integer column")
    func affinity() throws {
        try database.change("CREATE TABLE t (v INTEGER)")
        try database.change("INSERT INTO t VALUES (?)", .text("7"))
        #expect(try database.row("SELECT v FROM t") == [.integer(7)])
    }

    @Test("INSERT, UPDATE and DELETE return the number of changed rows, DDL returns 0")
    func updateCounts() throws {
        let single = try source("jdbc:sqlite:books.db", connections: 1, folder: folder)
        #expect(try single.change("CREATE TABLE t (a)") == 0)
        #expect(try single.change("INSERT INTO t VALUES (?), (?)", .integer(1), .integer(2)) == 2)
        #expect(try single.change("UPDATE t SET a = 5") == 2)
        #expect(try single.change("DELETE FROM t WHERE a = 99") == 0)
        #expect(try single.change("CREATE INDEX i ON t (a)") == 0)
        #expect(try single.change("DROP TABLE t") == 0)
        #expect(try single.json("SELECT 1 AS a, 2 AS b, 3 AS a") == #"[{"a":3,"b":2}]"#)
    }

    @Test(
        "refuses a statement that reaches beyond the database file",
        arguments: [
            "ATTACH 'other.db' AS other", "ATTACH '' AS other", "DETACH main", "VACUUM INTO 'copy.db'", "VACUUM",
            "SELECT fts3_tokenizer('simple', x'4141414141414141')", "SELECT fts3_tokenizer('simple')",
            "SELECT load_extension('/tmp/x.so')", "PRAGMA journal_mode = OFF", "PRAGMA writable_schema = 1",
            "PRAGMA temp_store_directory = '/tmp'", "PRAGMA wal_checkpoint", "SELECT * FROM pragma_optimize",
        ])
    func refusedStatements(sql: String) throws {
        let failure = try database.failure(sql)
        #expect(["not authorized", "ATTACH, DETACH, VACUUM"].contains { failure.description.contains($0) })
    }

    @Test(
        "Pragmas that read, foreign_keys and busy_timeout work",
        arguments: [
            "PRAGMA table_info(t)", "PRAGMA foreign_keys = ON", "PRAGMA foreign_keys", "PRAGMA busy_timeout = 100",
            "PRAGMA user_version", "PRAGMA integrity_check", "SELECT * FROM pragma_table_info('sqlite_schema')",
        ])
    func pragmas(sql: String) throws {
        _ = try database.execute(sql, deadline: .noLimit)
    }

    @Test("The schema table cannot be written")
    func schemaTable() throws {
        let single = try source("jdbc:sqlite::memory:")
        try single.change("CREATE TABLE t (a)")
        #expect(throws: SQLStatementError.self) { try single.execute("DELETE FROM sqlite_schema", deadline: .noLimit) }
    }

    @Test(
        "A database in the server's data folder is refused, under any path",
        arguments: ["data/store.db", "data/../data/new.db", "link/store.db", "file:data/store.db?mode=ro"])
    func dataFolder(path: String) throws {
        let data = folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try? FileManager.default.createSymbolicLink(at: folder.appending(path: "link"), withDestinationURL: data)
        let absolute = path.replacing("file:", with: "file:\(folder.path)/")
        let source = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: "jdbc:sqlite:\(absolute)"), maxConcurrentConnections: 1,
            adapter: "Books", folder: folder, forbidden: data)
        let failure = #expect(throws: SQLStatementError.self) { try source.execute("SELECT 1", deadline: .noLimit) }
        // One that only reads does not exist yet.
        if !path.contains("mode=ro") { #expect(failure?.description.contains("data folder") == true) }
    }

    @Test("A refused database leaves no file behind")
    func nothingPlanted() throws {
        let data = folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        for path in ["data/new.db", "lamplighter.yaml", "file:\(folder.path)/other.db?vfs=unix-none"] {
            let source = try SQLDataSource(
                definition: SQLDataSourceDefinition(url: "jdbc:sqlite:\(path)"), maxConcurrentConnections: 1,
                adapter: "Books", folder: folder, forbidden: data)
            #expect(throws: SQLStatementError.self, "\(path)") { try source.execute("SELECT 1", deadline: .noLimit) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "lamplighter.yaml").path))
    }

    @Test("A journal that names another file does not delete it")
    func journalOfSeveral() throws {
        try database.change("CREATE TABLE t (a)")
        database.close()
        let victim = folder.appending(path: "victim")
        try Data("kept".utf8).write(to: victim)
        // The end of a journal: page number, name, its length, the sum of its bytes, and what SQLite knows it by.
        let name = Array(victim.path.utf8)
        var journal = Data(count: 512)
        journal[0] = 1
        func append(_ number: Int) { withUnsafeBytes(of: UInt32(number).bigEndian) { journal.append(contentsOf: $0) } }
        append((1 << 30) / 4096 + 1)
        journal.append(contentsOf: name)
        append(name.count)
        append(name.reduce(0) { $0 + Int($1) })
        journal.append(contentsOf: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        try journal.write(to: folder.appending(path: "books.db-journal"))
        let again = try source("jdbc:sqlite:books.db", folder: folder)
        _ = try? again.execute("SELECT * FROM t", deadline: .noLimit)
        #expect(FileManager.default.fileExists(atPath: victim.path))
    }

    @Test("Triggers that set off one another thousands of times are refused, and the process lives")
    func deepTriggers() throws {
        let single = try source("jdbc:sqlite::memory:")
        let depth = 6000
        for index in 0...depth { try single.change("CREATE TABLE t\(index) (a)") }
        for index in 0..<depth {
            try single.change(
                "CREATE TRIGGER r\(index) AFTER INSERT ON t\(index) BEGIN INSERT INTO t\(index + 1) VALUES (1); END")
        }
        #expect(try single.failure("INSERT INTO t0 VALUES (1)").message.contains("nest too deep"))
        #expect(try single.change("INSERT INTO t\(depth) VALUES (1)") == 1)
    }

    @Test("A statement that takes long to be read ends at its deadline")
    func longPreparation() throws {
        let single = try source("jdbc:sqlite::memory:")
        try single.change("CREATE VIEW v0 AS SELECT 1 AS a")
        for index in 1...1000 { try single.change("CREATE VIEW v\(index) AS SELECT a FROM v\(index - 1)") }
        let failure = try single.failure("SELECT * FROM v1000", within: .nanoseconds(1))
        #expect(failure.kind == .timeout)
    }

    @Test(
        "A value, a statement and a database in memory have a size at most",
        arguments: [
            "SELECT length(hex(randomblob(40000000)))", "SELECT length(replace(hex(zeroblob(30000000)), '00', '111'))",
            "SELECT '" + String(repeating: "x", count: 2 << 20) + "'",
            "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200) SELECT zeroblob(1000000) FROM n",
        ])
    func sizes(sql: String) throws {
        let single = try source("jdbc:sqlite::memory:")
        try single.change("CREATE TABLE t (a)")
        #expect(try single.failure(sql).kind == .statement)
    }

    @Test("Fewer parameters than placeholders are an error with both numbers")
    func parameterCount() throws {
        #expect(
            try database.failure("SELECT ?, '?'")
                == SQLStatementError(.statement, "the statement has 1 placeholder (?), but 0 parameters were given"))
    }

    @Test("Parameters beyond the placeholders are ignored, and the result says how many")
    func surplusParameters() throws {
        let source = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: "jdbc:sqlite::memory:"), maxConcurrentConnections: 1,
            adapter: "Books", folder: folder)
        for _ in 0..<3 {
            let result = try source.execute("SELECT 1 AS a", parameters: [.null], deadline: .noLimit)
            #expect(result.json == #"[{"a":1}]"#)
            #expect(result.surplusParameters == 1)
        }
        #expect(try source.row("SELECT ? AS a", .integer(1), .integer(2), .text("3")) == [.integer(1)])
    }

    @Test("Exact numbers are strings with all digits, on demand")
    func exactNumbers() throws {
        let query = """
            SELECT big, price, small, 9007199254740993 AS beyond, -9007199254740993 AS below, 9007199254740992 AS last FROM t
            """
        for (exactNumbers, expected) in [
            (
                false,
                #"{"big":5,"price":0.1,"small":7,"beyond":9007199254740993,"below":-9007199254740993,"last":9007199254740992}"#
            ),
            (
                true,
                #"{"big":"5","price":"0.1","small":7,"beyond":"9007199254740993","below":"-9007199254740993","last":9007199254740992}"#
            ),
        ] {
            let source = try source("jdbc:sqlite::memory:", exactNumbers: exactNumbers)
            try source.change("CREATE TABLE t (big BIGINT, price DECIMAL(9,2), small INTEGER)")
            try source.change("INSERT INTO t VALUES (5, 0.1, 7)")
            #expect(try source.json(query) == "[\(expected)]")
        }
    }

    @Test("A number that JSON lacks is a string that JavaScript reads as one")
    func infinity() throws {
        #expect(try database.json("SELECT 9e999 AS a, -9e999 AS b") == #"[{"a":"Infinity","b":"-Infinity"}]"#)
    }

    @Test(
        "The database's own message is the failure",
        arguments: [
            ("SELECT * FROM nowhere", "no such table: nowhere"), ("", "the statement is empty"),
            ("SELECT 1; SELECT 2", "the SQL string holds more than one statement: pass one at a time"),
        ])
    func databaseMessage(sql: String, message: String) throws {
        #expect(try database.failure(sql) == SQLStatementError(.statement, message))
    }

    @Test("A semicolon and a comment may follow the statement")
    func semicolon() throws {
        #expect(try database.json("SELECT 1 AS a; -- done\n ") == #"[{"a":1}]"#)
    }

    @Test("Stored procedures are refused, as SQLite has none")
    func procedure() throws {
        let failure = try #require(throws: SQLStatementError.self) {
            try database.call(procedure: "p", parameters: [], deadline: .noLimit)
        }
        #expect(failure.message == "SQLite has no stored procedures, so p cannot be called: use a statement")
    }

    @Test("A statement that does not end is stopped at the deadline")
    func endless() throws {
        let failure = try database.failure(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            within: .milliseconds(200))
        #expect(failure == SQLStatementError(.timeout, "the statement did not end within 0.2 s"))
    }

    @Test("two strings that Swift takes for equal are two statements, each with its own user's rows")
    func equivalentTexts() throws {
        let one = try source("jdbc:sqlite:books.db", connections: 1, folder: folder)
        let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
        try one.change("CREATE TABLE users (name, secret)")
        for name in [composed, decomposed, "K", "\u{212A}"] {
            try one.change("INSERT INTO users VALUES (?, ?)", .text(name), .integer(Int64(name.utf8.count)))
        }
        for name in [composed, decomposed, composed, "K", "\u{212A}", "K"] {
            #expect(
                try one.row("SELECT secret FROM users WHERE name = '\(name)'") == [.integer(Int64(name.utf8.count))])
        }
    }

    @Test(
        "A statement that another's lock keeps waiting ends at the deadline",
        arguments: ["SELECT 1", "PRAGMA busy_timeout = 600000", "PRAGMA busy_timeout = 0"])
    func locked(before: String) throws {
        let database = try source("jdbc:sqlite:books.db", connections: 1, folder: folder)
        try database.change("CREATE TABLE t (a)")
        _ = try database.json(before)
        let url = "jdbc:sqlite:books.db"
        let pool = try source(url, folder: folder)
        let endless = """
            INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0
            """
        let isOver = AwaitableValue(false)
        let busy = Background {
            try #require(throws: SQLStatementError.self) {
                try pool.execute(endless, deadline: .noLimit, isGivenUp: { isOver.value })
            }
        }
        try wait {
            let result = Result { try database.execute("UPDATE t SET a = 1", deadline: .milliseconds(50)) }
            guard case .failure(let failure as SQLStatementError) = result else { return false }
            return failure.kind == .timeout && failure.message.hasPrefix("database is locked")
        }
        isOver.update { $0 = true }
        #expect(try busy.value().kind == .timeout)
        #expect(try database.change("UPDATE t SET a = 1") == 0)
    }

    @Test("A transaction that a statement leaves open is rolled back")
    func openTransaction() throws {
        let single = try source("jdbc:sqlite:books.db", connections: 1, folder: folder)
        try single.change("CREATE TABLE t (a)")
        try single.change("BEGIN IMMEDIATE")
        #expect(try database.change("INSERT INTO t VALUES (1)") == 1)
    }

    @Test("A file in a folder that does not exist is a connection failure with its path")
    func missingFolder() throws {
        let failure = try source("jdbc:sqlite:no/such/books.db", folder: folder).failure("SELECT 1")
        #expect(failure.kind == .connection)
        #expect(failure.message.contains("no/such/books.db"))
    }

    @Test("A result beyond the limit is an error")
    func tooLarge() throws {
        let small = try SQLDataSource(
            definition: .init(url: "jdbc:sqlite::memory:"), maxConcurrentConnections: 1, adapter: "A", folder: folder,
            maximumResultSize: 1000)
        #expect(
            try small.failure("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n").kind
                == .resultTooLarge)
    }
}
