import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("The health of back ends", .defaultTimeLimit)
struct BackEndHealthTests {
    /// The script hides each failure.
    private static let script = """
        function run() {
            var answer = WL.Server.invokeHttp({ method: 'get', path: '/', returnedContentType: 'plain' });
            return { isSuccessful: true, text: answer.text };
        }
        """

    private static func files(port: Int, timeout: Int = Duration.noLimitMilliseconds) -> [String: String] {
        let connectivity = """
            <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><protocol>http</protocol>
            <domain>127.0.0.1</domain><port>\(port)</port><socketTimeoutInMilliseconds>\(timeout)</socketTimeoutInMilliseconds>
            </connectionPolicy></connectivity>
            """
        return [
            "adapters/A/A.xml": adapterXML("A", connectivity: connectivity), "adapters/A/A-impl.js": script,
        ]
    }

    @Test("has an error once three requests in a row had no response, also when the script hides it")
    func refused() async throws {
        let port = try freePort()
        try await RunningServer.run(files: Self.files(port: port)) { (server) async throws in
            for _ in 0..<2 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            #expect(try await server.health().state == "ready")
            let answer = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            #expect(answer.body.contains(#""isSuccessful":true"#))
            let finding = try await server.finding(of: "backEnds")
            #expect(finding["severity"]?.string == "error" && finding["since"] != nil)
            #expect(
                finding["text"]?.string?.hasPrefix("the back end of the adapter A does not respond: ") == true,
                "\(finding)")
            let backEnd = try LoopbackServer(port: port) { _ in .ok("fine") }
            _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            try await server.waitForEnd(of: "backEnds")
            await backEnd.stop()
        }
    }

    @Test("has an error when the back end takes connections and does not respond")
    func hanging() async throws {
        let listener = try Listener()
        try await RunningServer.run(files: Self.files(port: listener.port, timeout: 50)) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let finding = try await server.finding(of: "backEnds")
            #expect(finding["text"]?.string?.contains("silent for 50 ms") == true, "\(finding)")
        }
    }

    @Test("has an error when a gateway reports its service as down, and none when the service refuses")
    func gatewayErrors() async throws {
        let status = AwaitableValue(500)
        let backEnd = try LoopbackServer { _ in .status(status.value) }
        try await RunningServer.run(files: Self.files(port: backEnd.port)) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            #expect(try await server.health().state == "ready")
            status.update { $0 = 503 }
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let finding = try await server.finding(of: "backEnds")
            #expect(finding["text"]?.string?.hasSuffix("the back end returned status 503") == true, "\(finding)")
        }
        await backEnd.stop()
    }

    @Test("keeps the error over a restart until the back end responds")
    func restart() async throws {
        let (port, folder) = (try freePort(), try TemporaryFolder())
        let since = AwaitableValue<String?>(nil)
        try await RunningServer.run(files: Self.files(port: port), in: folder) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let finding = try await server.finding(of: "backEnds")
            since.update { $0 = finding["since"]?.string }
        }
        try await RunningServer.run(files: Self.files(port: port), in: folder) { (server) async throws in
            #expect(try await server.finding(of: "backEnds")["since"]?.string == since.value)
            let backEnd = try LoopbackServer(port: port) { _ in .ok("fine") }
            _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            try await server.waitForEnd(of: "backEnds")
            await backEnd.stop()
        }
    }

    /// Lets time pass, so that connections are tried, until the finding, or its absence, is as expected.
    @discardableResult
    private func passTime(
        _ time: ManualTime, _ server: RunningServer, until isOver: (JSONValue?) -> Bool
    ) async throws -> JSONValue? {
        var finding: JSONValue?
        repeat {
            time.advance(by: .seconds(30))
            finding = try await server.health().findings.first { $0["subject"]?.string == "backEnds" }
        } while !isOver(finding)
        return finding
    }

    @Test("An error about connecting ends when a connection succeeds, and nothing is sent")
    func connected() async throws {
        let (port, time, requests) = (try freePort(), ManualTime(), AwaitableValue(0))
        try await RunningServer.run(files: Self.files(port: port), time: time) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let found = try await passTime(time, server) { $0 != nil }
            let finding = try #require(found)
            let failed = try #require(finding["lastTried"]?.string)
            // Still down: the finding stays, with a later time.
            try await passTime(time, server) { $0?["lastTried"]?.string.map { $0 > failed } == true }
            let backEnd = try LoopbackServer(port: port) { _ in
                requests.update { $0 += 1 }
                return .ok("fine")
            }
            try await passTime(time, server) { $0 == nil }
            await backEnd.stop()
        }
        #expect(requests.value == 0)
    }

    @Test("An error about responses outlasts connections, and ends with the next response")
    func answered() async throws {
        let status = AwaitableValue(503)
        let backEnd = try LoopbackServer { _ in .status(status.value) }
        let time = ManualTime()
        try await RunningServer.run(files: Self.files(port: backEnd.port), time: time) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let first = try await passTime(time, server) { $0 != nil }
            let failed = try #require(first?["lastTried"]?.string)
            let later = try await passTime(time, server) { $0?["lastTried"]?.string.map { $0 > failed } ?? true }
            #expect(later?["text"]?.string?.contains("status 503") == true)
            status.update { $0 = 200 }
            _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            try await passTime(time, server) { $0 == nil }
        }
        await backEnd.stop()
    }

    @Test("An error about connecting from before a restart ends when a connection succeeds, without a call")
    func connectedAfterRestart() async throws {
        let (port, folder, time) = (try freePort(), try TemporaryFolder(), ManualTime())
        try await RunningServer.run(files: Self.files(port: port), in: folder, time: time) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            try await passTime(time, server) { $0 != nil }
        }
        let backEnd = try LoopbackServer(port: port) { _ in .ok("fine") }
        try await RunningServer.run(files: Self.files(port: port), in: folder, time: time) { (server) async throws in
            try await passTime(time, server) { $0 == nil }
        }
        await backEnd.stop()
    }

    @Test("An error about connecting to a database ends when a connection succeeds, without a call")
    func database() async throws {
        let relay = try Relay(to: try PostgreSQLServer.shared().port)
        relay.set(.breaks)
        let connectivity = """
            <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
            <url>jdbc:postgresql://127.0.0.1:\(relay.port)/postgres</url><user>\(PostgreSQLServer.user)</user>
            <password>\(PostgreSQLServer.password)</password></dataSourceDefinition></connectionPolicy></connectivity>
            """
        let files = [
            "adapters/A/A.xml": adapterXML("A", connectivity: connectivity),
            "adapters/A/A-impl.js": """
            var one = WL.Server.createSQLStatement('select 1');
            function run() { return WL.Server.invokeSQLStatement({ preparedStatement: one, parameters: [] }); }
            """,
        ]
        let time = ManualTime()
        try await RunningServer.run(files: files, time: time) { (server) async throws in
            for _ in 0..<3 { _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run") }
            let found = try await passTime(time, server) { $0 != nil }
            let finding = try #require(found)
            #expect(finding["text"]?.string?.hasPrefix("the database of the adapter A does not respond") == true)
            relay.set(.none)
            try await passTime(time, server) { $0 == nil }
        }
    }
}
