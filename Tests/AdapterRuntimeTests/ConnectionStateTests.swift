import AdapterRuntime
import Core
import TestSupport
import Testing

@Suite("State that a user's call leaves in a connection")
struct ConnectionStateTests {
    private static let setting = """
        function sql(text, parameters) {
            return WL.Server.invokeSQLStatement({ preparedStatement: text, parameters: parameters || [] });
        }
        function run(user) {
            var before = sql("select coalesce(current_setting('app.user', true), '') as v").resultSet[0].v;
            sql("select set_config('app.user', ?, false)", [user]);
            var after = sql("select current_setting('app.user') as v").resultSet[0].v;
            return { before: before, after: after };
        }
        """

    @Test("for PostgreSQL remains for its later statements, and is not in another user's call")
    func database() async throws {
        let server = try PostgreSQLServer.shared()
        let project = try await TestProject(
            Self.setting,
            connectivity: """
                <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                <url>jdbc:postgresql://127.0.0.1:\(server.port)/postgres</url><user>\(PostgreSQLServer.user)</user>
                <password>\(PostgreSQLServer.password)</password></dataSourceDefinition></connectionPolicy>
                <loadConstraints maxConcurrentConnectionsPerNode="1"/></connectivity>
                """)
        for user in ["ann", "bob"] {
            #expect(
                await project.call(#"["\#(user)"]"#, as: Caller(session: ClientSession(id: user)))
                    == #"{"isSuccessful":true,"before":"","after":"\#(user)"}"#)
        }
    }

    @Test("to a back end with connectionPerSession is for that session and its user alone")
    func backEnd() async throws {
        let server = try LoopbackServer { _ in .ok("x") }
        let project = try await TestProject(
            """
            function run(user) {
                WL.Server.setActiveUser('R', user ? { userId: user } : null);
                return WL.Server.invokeHttp({ method: 'get', path: '/', returnedContentType: 'plain' });
            }
            """,
            connectivity: httpConnectivity(port: server.port).replacing(
                "</connectionPolicy>",
                with: "<connectionPerSession>true</connectionPerSession></connectionPolicy>"))
        let (first, second) = (Caller(session: ClientSession(id: "1")), Caller(session: ClientSession(id: "2")))
        func connections(after user: String, _ caller: Caller) async -> Int {
            _ = await project.call(user, as: caller)
            return server.connections
        }
        #expect(await connections(after: "[null]", first) == 1)
        #expect(await connections(after: "[null]", second) == 2)
        #expect(await connections(after: "[null]", first) == 2)
        #expect(await connections(after: #"["ann"]"#, first) == 3)
        #expect(await connections(after: "[null]", first) == 3)
        #expect(await connections(after: #"["ann"]"#, first) == 3)
        #expect(await connections(after: #"["bob"]"#, second) == 4)
        // Without a session there is nobody to keep a connection for.
        #expect(await connections(after: "[null]", Caller()) == 5)
        #expect(await connections(after: "[null]", Caller()) == 6)
        #expect(server.requests.value.count == 9)
    }
}
