import Core
import Databases
import Dispatch
import Foundation
import TestSupport
import Testing

/// State that one call leaves in its connection's session, and the next call's view of it.
struct SessionState: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The statements of one call.
    let left: [String]
    /// A statement of the next call, on the same connection, and its result's JSON.
    let read: String
    let expected: String

    init(_ name: String, _ left: String..., read: String, is expected: String) {
        (testDescription, self.left, self.read, self.expected) = (name, left, read, expected)
    }
}

@Suite("State that a call leaves in a database session", .onOwnThreads)
struct SessionStateTests {
    private static let role = "other_role"
    /// A statement whose plan contains a point in time that depends on the time zone.
    private static let planned = "SELECT timestamptz '2024-01-01 00:00' = to_timestamp(1704067200) AS v"

    private static let ofPostgreSQL = [
        SessionState(
            "a setting by set_config", "SELECT set_config('app.user', 'ann', false)",
            read: "SELECT coalesce(current_setting('app.user', true), '') AS v", is: #"[{"v":""}]"#),
        SessionState(
            "a setting by SET", "SET statement_timeout = 86400000",
            read: "SELECT current_setting('statement_timeout') AS v",
            is: #"[{"v":"0"}]"#),
        SessionState(
            "a setting of Lamplighter's", "SET TimeZone = 'Asia/Tokyo'", "SET DateStyle = 'German'",
            "SET bytea_output = 'escape'",
            read:
                "SELECT current_setting('TimeZone') AS z, left(current_setting('DateStyle'), 3) AS d, '\\x00'::bytea::text AS b",
            is: #"[{"z":"UTC","d":"ISO","b":"\\x00"}]"#),
        SessionState(
            "the search path", "SET search_path = pg_catalog", read: "SELECT current_setting('search_path') AS v",
            is: #"[{"v":"\"$user\", public"}]"#),
        SessionState(
            "a role", "SET ROLE \(role)", read: "SELECT current_user = session_user AS v", is: #"[{"v":true}]"#),
        SessionState(
            "a session's user", "SET SESSION AUTHORIZATION \(role)", read: "SELECT session_user = '\(role)' AS v",
            is: #"[{"v":false}]"#),
        SessionState(
            "a temporary table", "CREATE TEMP TABLE secret AS SELECT 1 AS a",
            read: "SELECT to_regclass('secret')::text AS v",
            is: #"[{"v":null}]"#),
        SessionState(
            "a temporary view", "CREATE TEMP VIEW pg_user AS SELECT 1 AS a",
            read: "SELECT count(*) > 0 AS v FROM pg_user WHERE usename IS NOT NULL", is: #"[{"v":true}]"#),
        SessionState(
            "a prepared statement", "PREPARE secret AS SELECT 1",
            read: "SELECT count(*)::int AS v FROM pg_prepared_statements WHERE name = 'secret'", is: #"[{"v":0}]"#),
        SessionState(
            "a statement that a block prepared", "DO $$ BEGIN EXECUTE 'PREPARE secret AS SELECT 1'; END $$",
            read: "SELECT count(*)::int AS v FROM pg_prepared_statements WHERE name = 'secret'", is: #"[{"v":0}]"#),
        SessionState(
            "a statement that a function prepared", "SELECT session_state_run('PREPARE secret AS SELECT 1')::text",
            read: "SELECT count(*)::int AS v FROM pg_prepared_statements WHERE name = 'secret'", is: #"[{"v":0}]"#),
        SessionState(
            "a plan with values of a setting", "SELECT set_config('TimeZone', 'America/Los_Angeles', false)", planned,
            planned, planned, planned, planned, planned, planned, read: planned, is: #"[{"v":true}]"#),
        SessionState(
            "a cursor WITH HOLD", "DECLARE secret CURSOR WITH HOLD FOR SELECT 1",
            read: "SELECT count(*)::int AS v FROM pg_cursors WHERE name = 'secret'", is: #"[{"v":0}]"#),
        SessionState(
            "an advisory lock", "SELECT pg_advisory_lock(4711)::text",
            read: "SELECT count(*)::int AS v FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
            is: #"[{"v":0}]"#),
        SessionState(
            "a subscription by LISTEN", "LISTEN news", read: "SELECT count(*)::int AS v FROM pg_listening_channels()",
            is: #"[{"v":0}]"#),
    ]

    private static let ofSQLite = [
        SessionState(
            "the last row id", "INSERT INTO t(a) VALUES (1)", read: "SELECT last_insert_rowid() AS v", is: #"[{"v":0}]"#
        ),
        SessionState(
            "a trigger in the temporary schema",
            "CREATE TRIGGER temp.secret BEFORE INSERT ON main.t BEGIN DELETE FROM t; END",
            read: "SELECT count(*) AS v FROM sqlite_temp_master", is: #"[{"v":0}]"#),
        SessionState(
            "foreign_keys", "PRAGMA foreign_keys = ON", read: "SELECT foreign_keys AS v FROM pragma_foreign_keys",
            is: #"[{"v":0}]"#),
    ]

    private static let ofMariaDB = [
        SessionState("a variable by SET", "SET @secret = 1", read: "SELECT @secret AS v", is: #"[{"v":null}]"#),
        SessionState(
            "a setting", "SET time_zone = '+05:00'", read: "SELECT @@time_zone = '+05:00' AS v", is: #"[{"v":0}]"#),
        SessionState(
            "a temporary table", "CREATE TEMPORARY TABLE tables (table_name varchar(20))",
            read: "SELECT count(*) > 0 AS v FROM information_schema.tables", is: #"[{"v":1}]"#),
        SessionState(
            "a prepared statement", "PREPARE secret FROM 'SELECT 1'",
            read: """
                SELECT variable_value AS v FROM information_schema.session_status WHERE variable_name = 'Com_prepare_sql'
                """,
            is: #"[{"v":"0"}]"#),
    ]

    /// State that a plain SELECT leaves in MariaDB.
    private static let ofSelects = [
        SessionState("a variable by SELECT", "SELECT @secret := 1", read: "SELECT @secret AS v", is: #"[{"v":null}]"#),
        SessionState(
            "a lock", "SELECT GET_LOCK('secret', 0)", read: "SELECT IS_USED_LOCK('secret') IS NULL AS v",
            is: #"[{"v":1}]"#),
    ]

    private static func expectNothingLeft(of state: SessionState, in source: SQLDataSource) throws {
        let first = source.lease()
        for statement in state.left { try first.json(statement) }
        first.end()
        #expect(try source.lease().json(state.read) == state.expected)
    }

    private func openPostgreSQL(connections: Int = 1) throws -> SQLDataSource {
        let server = try DatabaseServer.postgreSQL()
        let source = try server.source("postgresql", database: "postgres", connections: connections)
        try source.change(
            """
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(8471);
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(Self.role)') THEN CREATE ROLE \(Self.role); END IF;
                CREATE SEQUENCE IF NOT EXISTS session_state_sequence;
                CREATE OR REPLACE FUNCTION session_state_run(statement text) RETURNS void LANGUAGE plpgsql
                    AS 'BEGIN EXECUTE statement; END';
            END $$
            """)
        return source
    }

    @Test("is gone in the next call to PostgreSQL", arguments: ofPostgreSQL)
    func inPostgreSQL(state: SessionState) throws {
        try Self.expectNothingLeft(of: state, in: try openPostgreSQL())
    }

    @Test("is gone in the next call to PostgreSQL: lastval() has no value")
    func lastValue() throws {
        let source = try openPostgreSQL()
        _ = try source.json("SELECT nextval('session_state_sequence')::text")
        #expect(try source.failure("SELECT lastval()").sqlState == "55000")
    }

    @Test("is gone in the next call to SQLite", arguments: ofSQLite)
    func inSQLite(state: SessionState) throws {
        let folder = try TemporaryFolder()
        let source = try source("jdbc:sqlite:state.db", connections: 1, folder: folder.url)
        try source.change("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
        try Self.expectNothingLeft(of: state, in: source)
    }

    @Test("is gone in the next call to MariaDB", arguments: ofMariaDB)
    func inMariaDB(state: SessionState) throws {
        try Self.expectNothingLeft(
            of: state, in: try DatabaseServer.mariaDB().source("mariadb", database: "books", connections: 1))
    }

    @Test("is gone with closeAfterCall=true, even if a SELECT has left it", arguments: ofSelects)
    func closedAfterCall(state: SessionState) throws {
        try Self.expectNothingLeft(
            of: state,
            in: try DatabaseServer.mariaDB().source(
                "mariadb", database: "books", connections: 1, settings: "?closeAfterCall=true"))
    }

    @Test(
        "cannot be temporary objects or counts of rows in SQLite",
        arguments: [
            "CREATE TEMP TABLE secret (a)", "CREATE TABLE temp.secret (a)", "CREATE TEMP VIEW secret AS SELECT 1",
            "CREATE TEMP TRIGGER secret AFTER INSERT ON t BEGIN DELETE FROM t; END",
            "CREATE VIRTUAL TABLE temp.secret USING fts5(a)", "SELECT changes()", "SELECT total_changes()",
            "SELECT sql FROM sqlite_stmt", "SELECT count(*) FROM sqlite_stmt",
        ])
    func refusedInSQLite(statement: String) throws {
        let folder = try TemporaryFolder()
        let source = try source("jdbc:sqlite:state.db", folder: folder.url)
        try source.change("CREATE TABLE t (a)")
        #expect(try source.failure(statement).message.contains("are refused"))
    }

    @Test("remains for its later statements")
    func withinCall() throws {
        let source = try openPostgreSQL(connections: 4)
        let call = source.lease()
        try call.json("SELECT nextval('session_state_sequence')::text")
        // On other connections.
        let others = (1...3).map { _ in source.lease() }
        for other in others { try other.json("SELECT nextval('session_state_sequence')::text") }
        #expect(
            try call.json("SELECT lastval() = currval('session_state_sequence') AS v, pg_backend_pid() > 0 AS p")
                == #"[{"v":true,"p":true}]"#)
    }

    @Test("does not reach a call that waits for its connection, if only a function has left it")
    func handedOver() throws {
        let source = try openPostgreSQL()
        let call = source.lease()
        try call.json("SELECT session_state_run('SET app.tenant = ''ann''')::text")
        let read = "SELECT coalesce(current_setting('app.tenant', true), '') AS v"
        #expect(try source.json(read) == #"[{"v":""}]"#)
        // The call gets a connection again, without its state.
        #expect(try call.json(read) == #"[{"v":""}]"#)
    }

    @Test(
        "keeps its connection for the call while another call waits",
        arguments: [
            ("SET ROLE \(role)", "SELECT current_user::text AS v", role),
            ("SELECT Set_Config('app.user', 'ann', false)", "SELECT current_setting('app.user') AS v", "ann"),
            ("/* who */ SET app.tenant = 'ann'", "SELECT current_setting('app.tenant') AS v", "ann"),
        ])
    func reserved(statement: String, read: String, expected: String) throws {
        let source = try openPostgreSQL()
        let call = source.lease()
        try call.json(statement)
        let (isWaiting, result) = (DispatchSemaphore(value: 0), Promise<String?>())
        Thread {
            let other = source.lease()
            result.fulfill(
                try? other.execute("SELECT 1 AS other", deadline: .noLimit, onWait: { _ = isWaiting.signal() }).json)
        }.start()
        isWaiting.wait()
        for _ in 1...3 { #expect(try call.json(read) == #"[{"v":"\#(expected)"}]"#) }
        call.end()
        #expect(result.wait(until: nil) == #"[{"other":1}]"#)
    }

    @Test("includes the statements that Lamplighter prepared for it")
    func keptStatements() throws {
        let source = try openPostgreSQL()
        let count = "SELECT count(*)::int AS v FROM pg_prepared_statements"
        let call = source.lease()
        for _ in 1...6 { try call.json("SELECT 4711 AS kept") }
        #expect(try call.json(count) == #"[{"v":1}]"#)
        call.end()
        #expect(try source.json(count) == #"[{"v":0}]"#)
    }

    @Test("cannot be another statement in place of one that Lamplighter prepared")
    func replacedStatement() throws {
        let source = try openPostgreSQL()
        let call = source.lease()
        for _ in 1...6 { try call.json("SELECT 1 AS original") }
        let found = try call.json(
            "SELECT name AS n FROM pg_prepared_statements WHERE statement = 'SELECT 1 AS original'")
        let name = try #require(found.firstMatch(of: /lamplighter_\w+/)).output
        try call.json("SELECT session_state_run('DEALLOCATE \(name)')::text")
        try call.json("SELECT session_state_run('PREPARE \(name) AS SELECT 2 AS original')::text")
        call.end()
        let next = source.lease()
        for _ in 1...6 { #expect(try next.json("SELECT 1 AS original") == #"[{"original":1}]"#) }
    }

    @Test("leaves the schema of currentSchema in place")
    func schema() throws {
        let source = try DatabaseServer.postgreSQL().source(
            "postgresql", database: "postgres", connections: 1, settings: "?currentSchema=pg_catalog")
        _ = try source.json("SELECT set_config('search_path', 'public', false)")
        #expect(try source.json("SELECT current_setting('search_path') AS v") == #"[{"v":"pg_catalog"}]"#)
    }
}
