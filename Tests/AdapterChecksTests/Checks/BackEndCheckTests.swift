import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Back ends")
struct BackEndCheckTests {
    @Test(
        "A back end that the XML does not describe is found",
        arguments: [
            ("WL.Server.invokeHttp(x)", Checked.sql, "has no HTTP back end"),
            ("WL.Server.createSQLStatement(x)", Checked.http, "has no SQL back end"),
            ("WL.Server.invokeSQLStoredProcedure(x)", "", "sql:SQLConnectionPolicy"),
        ])
    func wrong(call: String, connectivity: String, message: String) async throws {
        let checked = try await Checked("function run(x) { \(call); }", connectivity: connectivity)
        #expect(checked.places == ["1:19 wrong-back-end"])
        #expect(try checked.only(.wrongBackEnd).message.contains(message))
    }

    @Test(
        "A request that fails with any back end is found",
        arguments: [
            ("{ method: 'get' }", "'path' is missing"), ("{ path: '/a' }", "'method' is missing"),
            ("{ method: 'fetch', path: '/' }", "'method' is the string 'fetch'"),
            ("{ method: 'GET', path: '/', body: { content: 'x' } }", "'body' is not allowed with get"),
            ("{ method: 'post', path: '/', body: 'x' }", "'body' is the string 'x'; expected an object"),
            ("{ method: 'get', path: '/', headers: { X: null } }", "the header 'X' is null"),
        ])
    func request(options: String, message: String) async throws {
        for source in ["WL.Server.invokeHttp(\(options))", "var input = \(options); WL.Server.invokeHttp(input)"] {
            let checked = try await Checked("function run() { \(source); }", connectivity: Checked.http)
            #expect(checked.problems.map(\.id) == ["http-request"])
            #expect(try checked.only(.httpRequest).message.contains(message))
        }
    }

    @Test(
        "Variables used for nothing else are followed: a body and headers",
        arguments: [
            ("var b = 'x'; WL.Server.invokeHttp({ method: 'post', path: '/', body: b })", "'body' is the string 'x'"),
            (
                "var b = { contentType: 'a/b', content: 'x' }; WL.Server.invokeHttp({ method: 'get', path: '/', body: b })",
                "'body' is not allowed with get"
            ),
            (
                "var h = { X: null }, i = { method: 'get', path: '/', headers: h }; WL.Server.invokeHttp(i)",
                "'X' is null"
            ),
        ])
    func heldRequest(source: String, message: String) async throws {
        let checked = try await Checked("function run(m) { \(source); }", connectivity: Checked.http)
        #expect(
            checked.problems.contains { $0.id == "http-request" && $0.message.contains(message) }, "\(checked.problems)"
        )
    }

    @Test(
        "A request that can be right is not reported",
        arguments: [
            "WL.Server.invokeHttp({ method: 'get', path: 'a', body: null })",
            "WL.Server.invokeHttp({ method: m, path: p })",
            "WL.Server.invokeHttp({ method: 'post', path: '/', body: { contentType: 'application/json', content: { a: 1 } } })",
            "WL.Server.invokeHttp({ method: 'get', path: '/', headers: { X: 'null', Y: m } })",
            "WL.Server.invokeHttp({ ...o, path: '/' })", "WL.Server.invokeHttp(o)",
            "var i = { path: '/' }; i.method = 'get'; WL.Server.invokeHttp(i)",
            "var i = { path: '/' }; fill(i); WL.Server.invokeHttp(i)",
            "var i = { path: '/' }, j = i; j.method = 'get'; WL.Server.invokeHttp(i)",
            "var i = { path: '/', fill: fill }; i.fill(); WL.Server.invokeHttp(i)",
            "var i = { path: '/' }; i[m] = 'get'; WL.Server.invokeHttp(i)",
            "var h = { X: null }; h.X = m; WL.Server.invokeHttp({ method: 'get', path: '/', headers: h })",
            "var i = { method: 'get', path: '/', headers: { X: null } }; i.headers.X = m; WL.Server.invokeHttp(i)",
            "var i = { method: 'get', path: '/', headers: { X: null } }, h = i.headers; h.X = m; WL.Server.invokeHttp(i)",
            "var i = { method: 'get', path: '/' }; i.method = 'post'; i.body = { content: m }; WL.Server.invokeHttp(i)",
            "var i = { method: 'get', path: '/' }; WL.Server.invokeHttp(i); i.method = 'post'; i.body = { content: m }; WL.Server.invokeHttp(i)",
            "var b = { content: m }; if (o) b = null; WL.Server.invokeHttp({ method: 'get', path: '/', body: b })",
            "var i = { method: 'get', path: '/', body: { content: 'x' } }; delete i.body; WL.Server.invokeHttp(i)",
            "var i = { path: '/' }; if (o) { var i = o; } WL.Server.invokeHttp(i)",
            "WL.Server.invokeHttp({ method: 'post', path: '/', body: { contentType: 'a/b', content: JSON.stringify({ a: 1 }) } })",
        ])
    func goodRequest(source: String) async throws {
        let checked = try await Checked(
            "function run(m, p, o) { \(source); } function fill() {} fill();", connectivity: Checked.http)
        #expect(checked.places == [])
    }

    @Test(
        "A statement with too many or too few values is found",
        arguments: [
            ("select * from t where a = ? and b = '?'", "[x, 2]", "has 1 ?, and 2 parameters are given"),
            ("select * from t where a = ?", "[]", "has 1 ?, and 0 parameters are given"),
            ("select 1", "[x]", "has 0 ?, and 1 parameter is given"),
        ])
    func parameters(sql: String, values: String, message: String) async throws {
        let checked = try await Checked(
            """
            var s = WL.Server.createSQLStatement("\(sql)");
            function run(x) { WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: \(values) }); }
            """, connectivity: Checked.sql)
        #expect(checked.places == ["2:19 sql-parameters"])
        #expect(try checked.only(.sqlParameters).message.contains(message))
    }

    @Test(
        "A statement that can be right is not reported",
        arguments: [
            ("var s = WL.Server.createSQLStatement('select ?');", "[x]"),
            ("var s = WL.Server.createSQLStatement('select ?, ?');", "[...x]"),
            ("var s = WL.Server.createSQLStatement('select ?, ?');", "x"),
            ("var s = WL.Server.createSQLStatement('select ? -- ?');", "[x]"),
            ("var s = WL.Server.createSQLStatement('select ?' + tail); var tail;", "[x, x]"),
            ("var s; s = WL.Server.createSQLStatement('select ?');", "[x, x]"),
        ])
    func goodParameters(statement: String, values: String) async throws {
        let checked = try await Checked(
            "\(statement)\nfunction run(x) { WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: \(values) }); }",
            connectivity: Checked.sql)
        #expect(checked.places == [])
    }

    @Test("A variable of a function is not taken for the statement whose name it has")
    func shadowed() async throws {
        let checked = try await Checked(
            """
            var s = WL.Server.createSQLStatement("select ?");
            function run(x) {
                var s = WL.Server.createSQLStatement("select ?, ?");
                WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: [x, x] });
            }
            function other(s, x) { WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: [x, x] }); }
            function third(x) { WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: [x, x] }); }
            other(); third();
            """, connectivity: Checked.sql)
        #expect(checked.places == ["7:21 sql-parameters"])
    }

    @Test("Functions that exist by name only, and Java classes, are found")
    func unavailable() async throws {
        let checked = try await Checked(
            """
            function run() {
                WL.Server.readSingleJMSMessage({ destination: "q" });
                var map = new java.util.HashMap();
                Packages.com.example.Tool.run();
                java.lang.System.out.println(com.worklight.common.js.util.JSObjectConverter.toFormattedString(map));
            }
            """)
        #expect(checked.places == ["2:5 unavailable", "3:15 java-class", "4:5 java-class"])
    }
}
