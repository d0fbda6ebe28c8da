import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("The health of back ends")
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
}
