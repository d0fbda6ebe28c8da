import AdapterRuntime
import BackEndHTTP
import CJavaScriptCore
import CLibXML
import CPostgres
import Databases
import Foundation
import GRDBSQLite

/// Back ends' answers in a procedure, and the libraries alone that read the same. Goal: at most 1.5 times the CPU time.
///
///     BENCHMARK_POSTGRESQL=postgresql://host:port/database?user=name runtime-benchmark answers
enum Answers {
    /// The bytes of JSON text that a round parses.
    private static let volume = 16 << 20
    private static let rounds = 7

    private static let script = """
        function ask(options) {
            var result = options.path ? WL.Server.invokeHttp(options) : WL.Server.invokeSQLStatement(options);
            if (!result.isSuccessful) throw new Error(result.errors[0]);
            return result;
        }
        function records(result) { return result.records || result.resultSet || result.catalog.record; }
        function run(count, options) {
            var result;
            while (count-- > 0) result = ask(options);
            return records(result).length;
        }
        function check(options) {
            var list = records(ask(options)), sum = 0;
            for (var i = 0; i < list.length; i++) sum += 4 * list[i].price;
            return { count: list.length, sum: sum, last: list[list.length - 1].name };
        }
        function look(options) {
            var result = ask(options);
            return { resultSet: result.resultSet, catalog: result.catalog };
        }
        """

    /// How the lines begin that are wanted; `nil` for all.
    private static let only = CommandLine.arguments.dropFirst(2).first

    /// Measures; ends the process with status 1 when an answer is wrong.
    static func run() async {
        do {
            try await measure()
        } catch {
            FileHandle.standardError.write(Data("answers: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure() async throws {
        guard let engine = JSGlobalContextCreate(nil) else { throw BenchmarkError(description: "no context") }
        print("                                  CPU time, us           wall time, us")
        print("answer                     ours     bare ratio     ours     bare ratio goal")
        for (size, bytes) in [("2 KB", 2 << 10), ("50 KB", 50 << 10), ("2 MB", 2 << 20)] {
            for isASCII in [true, false] {
                let records = Record.filling(bytes, isASCII: isASCII, \.json)
                let text = #"{"records":[\#(records.map(\.json).joined(separator: ","))]}"#
                try await compare(
                    "JSON \(size)" + (isASCII ? "" : ", not ASCII"), .http("json", text), records, engine, json: text)
            }
        }
        let records = Record.filling(20 << 10, isASCII: true, \.xml)
        let text = #"<?xml version="1.0" encoding="UTF-8"?><catalog>\#(records.map(\.xml).joined())</catalog>"#
        try await compare("XML 20 KB", .http("xml", text), records, engine, library: readXML(text))

        let file = FileManager.default.temporaryDirectory.appending(path: "answers-\(UUID().uuidString).db")
        defer { try? FileManager.default.removeItem(at: file) }
        let address = ProcessInfo.processInfo.environment["BENCHMARK_POSTGRESQL"]
        for records in [20, 1000].map({ count in (1...count).map { Record(id: $0, isASCII: true) } }) {
            try await compare(
                "SQLite, \(records.count) rows", .sql("sqlite:\(file.path)"), records, engine,
                library: readSQLite(file.path, records))
            guard let address else { continue }
            try await compare(
                "PostgreSQL, \(records.count) rows", .sql(address), records, engine,
                library: readPostgreSQL(address, records))
        }
        if address == nil { print("PostgreSQL is skipped: BENCHMARK_POSTGRESQL is not set; run benchmarks/answers") }
    }

    /// Checks an answer in a procedure, measures it and prints its line.
    ///
    /// - Parameters:
    ///   - json: what the engine alone parses; `nil` for the procedure's result as JSON.
    ///   - library: reads the answer once without Lamplighter, short of JavaScript values.
    private static func compare(
        _ name: String, _ source: Source, _ records: [Record], _ engine: JSGlobalContextRef, json: String? = nil,
        library: () throws -> Void = {}
    ) async throws {
        guard only.map(name.hasPrefix) ?? true else { return }
        let workbench = try await Workbench(
            script: script, procedures: ["run", "check", "look"], policy: source.policy, standIns: source)
        let sum = records.reduce(0) { $0 + $1.quarters }
        let last = records.last?.name ?? ""
        try await call(
            workbench, "check", source.options, #""count":\#(records.count),"sum":\#(sum),"last":"\#(last)""#)
        let result = try await call(workbench, "look", source.options)
        let text = Array((json ?? result).utf8CString)
        let count = max(8, volume / text.count)
        var (ours, bare): ([SIMD2<Double>], [SIMD2<Double>]) = ([], [])
        // The first round warms up.
        for round in 0...rounds {
            let start = clocks()
            try await call(workbench, "run", "\(count),\(source.options)", #""result":\#(records.count)"#)
            let middle = clocks()
            for _ in 0..<count {
                try library()
                try parse(text, engine)
            }
            guard round > 0 else { continue }
            bare.append((clocks() - middle) / Double(count))
            ours.append((middle - start) / Double(count))
        }
        try await workbench.close()
        let columns = (0..<2).map { clock in
            let (our, peer) = (median(ours.map { $0[clock] }), median(bare.map { $0[clock] }))
            return String(format: "%9.1f%9.1f%6.2f", our, peer, our / peer)
        }
        print(name.padding(toLength: 22, withPad: " ", startingAt: 0) + columns.joined() + "  1.5")
    }

    /// - Parameter expected: the members of the result; `nil` for any.
    @discardableResult
    private static func call(
        _ workbench: Workbench, _ procedure: String, _ parameters: String, _ expected: String? = nil
    ) async throws -> String {
        let result = await workbench.runtime.invoke(adapter: "A", procedure: procedure, parameters: "[\(parameters)]")
        let isExpected = expected.map { result.json == #"{"isSuccessful":true,\#($0)}"# } ?? result.isSuccessful
        guard isExpected else {
            let wanted = expected ?? "a result"
            throw BenchmarkError(description: "'\(procedure)' returned \(result.json.prefix(300)); expected \(wanted)")
        }
        return result.json
    }

    /// The process's CPU time and the time on the wall, in microseconds.
    private static func clocks() -> SIMD2<Double> {
        SIMD2(processorTime(), ProcessInfo.processInfo.systemUptime) * 1e6
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    /// The engine alone: a string of the bytes, and the value that it spells.
    private static func parse(_ text: [CChar], _ engine: JSGlobalContextRef) throws {
        let string = JSStringCreateWithUTF8CString(text)
        defer { JSStringRelease(string) }
        guard JSValueMakeFromJSONString(engine, string) != nil else {
            throw BenchmarkError(description: "the engine alone cannot parse the JSON")
        }
    }

    /// libxml2 alone, with the options of `MarkupDocument`.
    private static func readXML(_ text: String) -> () throws -> Void {
        let bytes = Array(text.utf8CString)
        let options = [
            XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET, XML_PARSE_NOENT, XML_PARSE_NOCDATA,
            XML_PARSE_COMPACT,
        ].reduce(Int32(0)) { $0 | Int32($1.rawValue) }
        return {
            guard let document = xmlReadMemory(bytes, Int32(bytes.count - 1), nil, "UTF-8", options) else {
                throw BenchmarkError(description: "libxml2 cannot read the XML")
            }
            xmlFreeDoc(document)
        }
    }

    /// SQLite alone: a table of the records, and a statement that is prepared once.
    private static func readSQLite(_ path: String, _ records: [Record]) throws -> () throws -> Void {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, Record.insertion(of: records), nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, Record.select, -1, &statement, nil) == SQLITE_OK
        else { throw BenchmarkError(description: "SQLite: \(String(cString: sqlite3_errmsg(database)))") }
        let (prepared, columns) = (statement, sqlite3_column_count(statement))
        return {
            var rows = 0
            while sqlite3_step(prepared) == SQLITE_ROW {
                for column in 0..<columns { _ = sqlite3_column_text(prepared, column) }
                rows += 1
            }
            guard sqlite3_reset(prepared) == SQLITE_OK, rows == records.count else {
                throw BenchmarkError(description: "SQLite alone read \(rows) rows; expected \(records.count)")
            }
        }
    }

    /// libpq alone: a table of the records, and a statement that is prepared once.
    private static func readPostgreSQL(_ address: String, _ records: [Record]) throws -> () throws -> Void {
        let connection = PQconnectdb(address)
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        func isDone(_ answer: OpaquePointer?) -> Bool {
            defer { PQclear(answer) }
            return PQresultStatus(answer) == PGRES_COMMAND_OK
        }
        guard isDone(PQexec(connection, Record.insertion(of: records))),
            isDone(PQprepare(connection, "rows", Record.select, 0, nil))
        else { throw BenchmarkError(description: "PostgreSQL: \(String(cString: PQerrorMessage(connection)))") }
        return {
            let answer = PQexecPrepared(connection, "rows", 0, nil, nil, nil, 0)
            defer { PQclear(answer) }
            let (rows, columns) = (PQntuples(answer), PQnfields(answer))
            guard PQresultStatus(answer) == PGRES_TUPLES_OK, rows == records.count else {
                throw BenchmarkError(description: "libpq alone read \(rows) rows; expected \(records.count)")
            }
            for row in 0..<rows {
                for column in 0..<columns where PQgetisnull(answer, row, column) == 0 {
                    _ = PQgetvalue(answer, row, column)
                }
            }
        }
    }
}

/// The source of an answer. Over HTTP the same bytes answer every request at once.
private struct Source: BackEndStandIns, BackEndStandIn {
    /// The adapter's `connectionPolicy` element.
    let policy: String
    /// The argument of `invokeHttp` or `invokeSQLStatement`.
    let options: String
    var response = BackEndStandInAnswer.refusedConnection

    static func http(_ type: String, _ text: String) -> Source {
        let headers = [
            (name: "Content-Type", value: "application/\(type); charset=utf-8"),
            (name: "Content-Length", value: "\(text.utf8.count)"), (name: "Server", value: "shop"),
        ]
        return Source(
            policy: """
                <connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><domain>shop.test</domain></connectionPolicy>
                """,
            options: #"{"method":"get","path":"/catalog","returnedContentType":"\#(type)"}"#,
            response: .response(status: 200, headers: headers, body: Array(text.utf8)))
    }

    /// - Parameter address: a JDBC URL without its `jdbc:`.
    static func sql(_ address: String) -> Source {
        Source(
            policy: """
                <connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                <url>jdbc:\(address.replacing("&", with: "&amp;"))</url></dataSourceDefinition></connectionPolicy>
                """,
            options: #"{"preparedStatement":"\#(Record.select)","parameters":[]}"#)
    }

    func http(for adapter: String) -> (any BackEndStandIn)? { self }
    func database(for adapter: String) throws(SQLConfigurationError) -> SQLDataSource? { nil }
    func answer(_ request: BackEndStandInRequest) throws(BackEndStandInError) -> BackEndStandInAnswer { response }
}

/// A record of an answer, in the form of each source.
private struct Record {
    private static let table = "lamplighter_benchmark"
    static let select = "SELECT id, name, price, created, active, note FROM \(table) ORDER BY id"

    let id: Int
    let isASCII: Bool

    /// As many records as take about `size` bytes.
    static func filling(_ size: Int, isASCII: Bool, _ form: (Record) -> String) -> [Record] {
        let each = form(Record(id: 100, isASCII: isASCII)).utf8.count
        return (1...max(1, size / each)).map { Record(id: $0, isASCII: isASCII) }
    }

    static func insertion(of records: [Record]) -> String {
        """
        DROP TABLE IF EXISTS \(table);
        CREATE TABLE \(table) (id integer PRIMARY KEY, name text, price numeric(10,2), created timestamp,
            active boolean, note text);
        INSERT INTO \(table) VALUES \(records.map(\.sql).joined(separator: ", "))
        """
    }

    var name: String {
        isASCII ? "Garden lamp, model \(id)" : "Gartenleuchte № \(id), „Glühwürmchen“, für Łódź"
    }
    /// Four times the price: whole, so that a sum is exact.
    var quarters: Int { 40 + id }
    private var price: Double { Double(quarters) / 4 }
    private var created: String { String(format: "2024-03-%02d %02d:%02d:00", id % 28 + 1, id % 24, id % 60) }
    private var isActive: Bool { !id.isMultiple(of: 7) }
    private var note: String? { id.isMultiple(of: 3) ? nil : "delivered within \(id % 14 + 1) days" }

    var json: String {
        #"{"id":\#(id),"name":"\#(name)","price":\#(price),"created":"\#(created)","active":\#(isActive),"#
            + #""note":\#(note.map { "\"\($0)\"" } ?? "null"),"size":{"width":\#(id % 90),"tags":["a","bc"]}}"#
    }
    var xml: String {
        #"<record id="\#(id)" active="\#(isActive)"><name>\#(name)</name><price>\#(price)</price>"#
            + #"<created>\#(created)</created><note>\#(note ?? "")</note><size width="\#(id % 90)"/></record>"#
    }
    private var sql: String {
        "(\(id), '\(name)', \(price), '\(created)', \(isActive), \(note.map { "'\($0)'" } ?? "NULL"))"
    }
}
