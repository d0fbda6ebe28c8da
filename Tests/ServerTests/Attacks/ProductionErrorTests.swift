import AdapterRuntime
import Core
import HTTPServer
import JavaScriptEngine
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Errors in production", .defaultTimeLimit)
struct ProductionErrorTests {
    private static let files = [
        "apps/Shop/application-descriptor.xml": """
        <application id="Shop" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
        <displayName>Shop</displayName><desktopBrowser version="1.0"/><blackberry version="1.0"/>
        <tags><tag><name>Bargains</name></tag></tags></application>
        """,
        "adapters/Alpha/Alpha.xml": adapterXML(
            "Alpha",
            procedures: [
                "fail", "host", "ask", "askNobody", "endless", "member", "variable", "method", "iterate", "parse",
                "rethrow",
                "rethrowText", "rethrowHost",
            ]
        )
        .replacing("</wl:adapter>", with: "<procedure name=\"closed\" securityTest=\"Missing\"/></wl:adapter>"),
        "adapters/Alpha/Alpha-impl.js": """
        WL.Server.createEventSource({ name: 'Open' });
        function fail() { throw new Error('no stock'); }
        function host() { WL.Server.invokeSQLStoredProcedure({ procedure: 'p' }); }
        function ask() { return WL.Server.invokeProcedure({ adapter: 'Beta', procedure: 'broken' }); }
        function askNobody() { return WL.Server.invokeProcedure({ adapter: 'Gamma', procedure: 'x' }); }
        function endless() { while (true) {} }
        function closed() { return {}; }
        function member(secretOrder) { return secretOrder.customerId; }
        function variable() { return secretVariable; }
        function method() { var secretOrder = {}; secretOrder.secretMethod(); }
        function iterate() { var secretOrder = {}; var [a] = secretOrder; }
        function parse() { return JSON.parse('secretText'); }
        function rethrow() { try { member(); } catch (e) { throw new Error('failed: ' + e.message); } }
        function rethrowText() { try { variable(); } catch (e) { throw String(e); } }
        function rethrowHost() { try { host(); } catch (e) { throw new Error('no rows: ' + e.message); } }
        """,
        "adapters/Beta/Beta.xml": adapterXML("Beta", procedures: ["broken"]),
        "adapters/Beta/Beta-impl.js": "function broken() { nothing.at.all(); }",
    ]

    /// The strings that no response may contain.
    private static let secrets = [
        "secret", "evaluating", "Shop", "Alpha", "Beta", "adapters/", "-impl.js", "authenticationConfig", "descriptor",
        "Bargains", "Open",
    ]

    private static func run(
        _ mode: InstallationSettings.Mode, log: LogRecorder,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(files: files, log: log) { settings in
            settings.mode = mode
            settings.runtime.calls.cpuTime = .milliseconds(500)
            settings.phoneGateways = try! TrustedProxies(["127.0.0.1"])
        } _: {
            try await body($0)
        }
    }

    /// Checks the id in a response, with which the log has a line.
    private static func checkReference(_ text: String, _ log: LogRecorder, _ context: String) throws {
        let id = try #require(text.firstMatch(of: /\(error ([0-9a-f]{8})\)/), "\(context): \(text)").1
        let line = log.lines.value.first { $0.metadata["error"] == String(id) }
        #expect(line != nil, "\(context)")
        #expect(Self.secrets.contains { line?.message.contains($0) == true }, "\(context): \(line?.message ?? "")")
    }

    @Test("A failed call returns only the script author's message, else an id for the log")
    func calls() async throws {
        let calls = [
            ("Alpha", "fail", "Runtime: Error: no stock (error "),
            ("Alpha", "host", "Runtime: the call failed (error "),
            ("Alpha", "ask", "Runtime: the call failed (error "),
            ("Alpha", "member", "Runtime: the call failed (error "),
            ("Alpha", "variable", "Runtime: the call failed (error "),
            ("Alpha", "method", "Runtime: the call failed (error "),
            ("Alpha", "iterate", "Runtime: the call failed (error "),
            ("Alpha", "parse", "Runtime: the call failed (error "),
            ("Alpha", "rethrow", "Runtime: the call failed (error "),
            ("Alpha", "rethrowText", "Runtime: the call failed (error "),
            ("Alpha", "rethrowHost", "Runtime: the call failed (error "),
            ("Alpha", "nowhere", "Runtime: there is no such procedure (error "),
            ("Nowhere", "x", "Runtime: there is no such adapter (error "),
            ("Alpha", "endless", "Runtime: the call was stopped at a limit (error "),
        ]
        let log = LogRecorder()
        try await Self.run(.production, log: log) { (server) async throws in
            let client = WireClient(server, application: "Shop")
            for (adapter, procedure, message) in calls {
                let answer = try await client.call(procedure, adapter: adapter)
                #expect(answer.status == 200 && answer["isSuccessful"] == false)
                #expect(answer["errors"]?.array?.first?.string?.hasPrefix(message) == true, "\(answer.text)")
                for secret in Self.secrets { #expect(!answer.text.contains(secret), "\(secret): \(answer.text)") }
                try Self.checkReference(answer.text, log, procedure)
            }
        }
    }

    @Test("A failure of a back end reaches the script whole, and clients without addresses and statements")
    func backEnds() async throws {
        let log = LogRecorder()
        let files = [
            "apps/Shop/application-descriptor.xml": Self.files["apps/Shop/application-descriptor.xml"] ?? "",
            "adapters/Alpha/Alpha.xml": adapterXML(
                "Alpha", procedures: ["ask", "tell"], connectivity: httpConnectivity(port: 1)),
            "adapters/Alpha/Alpha-impl.js": """
            function ask() { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }
            function tell() { var r = ask(); return { knows: /127.0.0.1:1/.test(r.errors[0]), text: 'got "' + r.errors[0] + '"' }; }
            """,
            "adapters/Beta/Beta.xml": adapterXML(
                "Beta", procedures: ["list"],
                connectivity: """
                    <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy">
                    <dataSourceDefinition><driverClass>org.sqlite.JDBC</driverClass><url>jdbc:sqlite:beta.db</url>
                    </dataSourceDefinition></connectionPolicy></connectivity>
                    """),
            "adapters/Beta/Beta-impl.js": """
            var statement = WL.Server.createSQLStatement('SELECT "secret", "größe"\\nFROM secretTable');
            function list() { return WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: [] }); }
            """,
        ]
        try await RunningServer.run(files: files, log: log, change: { $0.mode = .production }) {
            (server) async throws in
            let client = WireClient(server, application: "Shop")
            for (adapter, procedure, words) in [
                ("Alpha", "ask", "Runtime: Http request failed (error "),
                ("Alpha", "tell", "Http request failed (error "),
                ("Beta", "list", "Runtime: the statement failed (error "),
            ] {
                let answer = try await client.call(procedure, adapter: adapter)
                #expect(answer.status == 200 && answer.text.contains(words), "\(answer.text)")
                for secret in ["127.0.0.1", "secret", "SELECT"] {
                    #expect(!answer.text.contains(secret), "\(answer.text)")
                }
                let id = try #require(answer.text.firstMatch(of: /\(error ([0-9a-f]{8})\)/)).1
                #expect(log.lines.value.contains { $0.metadata["error"] == String(id) })
            }
            #expect(try await client.call("tell", adapter: "Alpha")["knows"] == true)
        }
    }

    @Test("A call of an unknown procedure gets no list of the known ones")
    func askNobody() async throws {
        try await Self.run(.production, log: LogRecorder()) { (server) async throws in
            let answer = try await WireClient(server, application: "Shop").call("askNobody", adapter: "Alpha")
            #expect(answer["errors"]?.array?.first?.string?.hasPrefix("Runtime: there is no such adapter") == true)
            for secret in Self.secrets { #expect(!answer.text.contains(secret), "\(answer.text)") }
        }
    }

    private static let refusals: [(HTTPMethod, String, Int)] = [
        (.POST, "/apps/services/api/Other/desktopbrowser/init", 404), (.POST, "/apps/services/api/Shop/air/init", 404),
        (.POST, "/adapters/Alpha/closed", 403),
        (.POST, "/subscribeSMS?eventSource=Gamma.Nowhere&phoneNumber=4412345678&appId=x-android-1", 404),
    ]

    @Test("A refusal names no application, adapter or file, and its details are in the log")
    func refusals() async throws {
        let log = LogRecorder()
        try await Self.run(.production, log: log) { (server) async throws in
            for (method, path, status) in Self.refusals {
                let answer = try await server.send(method, path, body: "")
                #expect(answer.status == status, "\(path)")
                for secret in Self.secrets { #expect(!answer.body.contains(secret), "\(secret): \(answer.body)") }
                try Self.checkReference(answer.body, log, path)
            }
            let closed = try await WireClient(server, application: "Shop").call("closed", adapter: "Alpha")
            #expect(closed.status == 403)
            for secret in Self.secrets { #expect(!closed.text.contains(secret), "\(closed.text)") }
            try Self.checkReference(closed.text, log, "closed")
        }
    }

    @Test("A refused subscription names no application, adapter, file or tag, and its details are in the log")
    func notifications() async throws {
        let log = LogRecorder()
        try await Self.run(.production, log: log) { (server) async throws in
            let client = WireClient(server, device: "phone-1", application: "Shop", environment: "blackberry")
            try await client.act("init")
            let changes: [([(String, String)], Int)] = [
                ([("subscribe", "{}"), ("adapter", "Gamma"), ("eventSource", "Nowhere")], 404),
                ([("subscribe", "{}"), ("adapter", "Alpha"), ("eventSource", "Nowhere")], 404),
                ([("subscribe", "{}"), ("tag", "nothing")], 400),
            ]
            for (fields, status) in changes {
                let answer = try await client.act("notifications", fields)
                #expect(answer.status == status, "\(answer.text)")
                for secret in Self.secrets { #expect(!answer.text.contains(secret), "\(secret): \(answer.text)") }
                try Self.checkReference(answer.text, log, "\(fields)")
            }
        }
    }

    @Test("The response has all details in development")
    func development() async throws {
        try await Self.run(.development, log: LogRecorder()) { (server) async throws in
            let client = WireClient(server, application: "Shop")
            #expect(try await client.call("fail", adapter: "Alpha").text.contains("adapters/Alpha/Alpha-impl.js#2"))
            #expect(try await client.call("nowhere", adapter: "Alpha").text.contains("askNobody"))
            #expect(try await server.send(.POST, Self.refusals[0].1, body: "").body.contains("Shop"))
        }
    }
}
