import Core
import Foundation
import HTTPServer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation
@testable import Server

@Suite("The access log", .defaultTimeLimit)
struct AccessLogTests {
    private static let script = "function run() { return { done: true } }"

    private static func lines(_ log: LogRecorder) -> [LogRecorder.Line] {
        log.lines.value.filter { $0.message == "request answered" }
    }

    @Test("without log.access no request is logged")
    func off() async throws {
        let log = LogRecorder()
        try await RunningServer.run(project: try project(), log: log) { (server) async throws in
            _ = try await server.manage(.GET, "overview")
            _ = try await server.develop(.GET, "/dev/invoke?adapter=A&procedure=run&parameters=[]")
        }
        #expect(Self.lines(log).isEmpty)
    }

    @Test(
        "a request has its method, path, status, duration, length, address, account and id, and neither query nor token"
    )
    func management() async throws {
        let log = LogRecorder()
        let key = try await run(log) { (server) async throws in
            #expect(try await server.manage(.GET, "overview").status == 200)
            #expect(try await server.manage(.GET, "overview?secret=hidden-text").status == 400)
            #expect(try await server.send(.GET, "/management/v1/overview").status == 401)
            return server.note.managementKey
        }
        let lines = Self.lines(log)
        try #require(lines.map { $0.metadata["status"] } == ["200", "400", "401"])
        #expect(lines.map(\.level) == [.info, .info, .info])
        let fields = lines[0].metadata
        #expect(fields["method"] == "GET")
        #expect(fields["route"] == "/management/v1/overview")
        #expect(fields["address"] == "127.0.0.1")
        #expect(fields["account"] == "server.json")
        #expect(fields["duration"].flatMap { Double($0) } ?? -1 >= 0)
        #expect(fields["bytes"].flatMap { Int($0) } ?? 0 > 0)
        #expect(fields["trace_id"]?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(lines[2].metadata["account"] == nil)
        #expect(lines[2].metadata["trace_id"] != fields["trace_id"])
        #expect(!log.text.contains("hidden-text") && !log.text.contains(key))
    }

    @Test("a client's request has the digest of its session, and the session's id is nowhere in the log")
    func session() async throws {
        let log = LogRecorder()
        let folder = try TemporaryFolder(AttackedProject.files)
        try await RunningServer.run(project: folder, log: log, change: { $0.logsRequests = true }) {
            (server) async throws in
            let client = WireClient(server, device: "phone-1")
            #expect(try await client.act("init").status == 200)
            #expect(try await client.call("echo").status == 200)
            let id = try #require(client.session)
            let line = try #require(Self.lines(log).last)
            #expect(line.metadata["route"] == "/apps/services/api/App/android/query")
            #expect(line.metadata["session"] == String(ManagementAccess.hash(id).prefix(8)))
            #expect(!log.text.contains(id))
        }
    }

    @Test("a session's id in the path is not logged")
    func pathParameter() async throws {
        let log = LogRecorder()
        _ = try await run(log) { (server) async throws in
            try await server.send(.GET, "/invoke;jsessionid=secret-id?adapter=A&procedure=run").status
        }
        #expect(Self.lines(log).map { $0.metadata["route"] } == ["/invoke"])
        #expect(!log.text.contains("secret-id"))
    }

    @Test(
        "names in paths of the management API and of the console are not logged",
        arguments: [
            ("/management/v1/devices/App/phone-1/block", "/management/v1/devices/{application}/{device}/block"),
            ("/console/users/ann", "/console/users/{user}"), ("/console/live/users/ann", "/console/live/users/{user}"),
            ("/console/users/ann/", "/console/users/{user}"), ("/console//users/ann", "/console/users/{user}"),
            ("/console/ann/secret", "/console/…"), ("/management/v1/nowhere/ann", "/management/…"), ("/", "/"),
            ("/console/login", "/console/login"), ("/console/console.css", "/console/console.css"),
            ("/console", "/console"), ("/health", "/health"), ("/adapters/A/run", "/adapters/A/run"),
        ])
    func names(path: String, route: String) {
        #expect(AccessLog.route(of: path) == route)
    }

    @Test("health probes and scrapes are logged at debug")
    func probes() async throws {
        let log = LogRecorder()
        _ = try await run(log) { (server) async throws in
            for path in ["/health", "/health/live", "/health/ready", "/metrics"] {
                _ = try await server.send(.GET, path)
            }
        }
        #expect(Self.lines(log).map(\.level) == [.debug, .debug, .debug, .debug])
    }

    @Test("the address is the client's that a trusted proxy names")
    func proxy() async throws {
        let log = LogRecorder()
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.run(
            project: try project(), log: log,
            change: { ($0.logsRequests, $0.trustedProxies) = (true, proxies) }
        ) { (server) async throws in
            for path in ["/management/v1/overview", "/invoke"] {
                _ = try await server.send(.GET, path, headers: [("X-Forwarded-For", "203.0.113.9")])
            }
        }
        #expect(Self.lines(log).map { $0.metadata["address"] } == ["203.0.113.9", "203.0.113.9"])
    }

    private func project() throws -> TemporaryFolder {
        try TemporaryFolder(["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script])
    }

    private func run<Result: Sendable>(
        _ log: LogRecorder, _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let result = AwaitableValue<Result?>(nil)
        try await RunningServer.run(project: try project(), log: log, change: { $0.logsRequests = true }) {
            (server) async throws in
            let value = try await body(server)
            result.update { $0 = value }
        }
        return try #require(result.value)
    }
}
