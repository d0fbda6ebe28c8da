import Core
import HTTPServer
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("Errors, as clients read them", .defaultTimeLimit)
struct ErrorConversationTests {
    /// A request, and the status of its error.
    struct Case: Sendable, CustomTestStringConvertible {
        var method = HTTPMethod.POST
        let path: String
        var headers: [(String, String)] = []
        let status: Int

        var testDescription: String { "\(method.rawValue) \(path.prefix(80)) \(headers.map(\.0))" }
    }

    private static let app = "/wl/apps/services/api/MyApp/android"
    private static let backEnd = [("Authorization", "Bearer 0123456789abcdef-wrong")]

    static let cases: [Case] = [
        // Nothing there.
        Case(method: .GET, path: "/wl", status: 404), Case(path: "/nowhere", status: 404),
        Case(method: .PUT, path: "/nowhere", status: 404),
        Case(method: .DELETE, path: "/wl/apps/services", status: 404),
        Case(path: "/wl/apps/services/api/MyApp/android", status: 404),
        Case(path: "/wl/apps/services/api/../../../etc/passwd", status: 404),
        Case(path: "/wl/apps/services/nowhere", status: 404), Case(path: "\(app)/nowhere", status: 404),
        Case(path: "\(app)/proxy", status: 404), Case(path: "/wl/apps/services/api/Other/android/init", status: 404),
        Case(path: "/wl/apps/services/api/MyApp/air/init", status: 404),
        Case(path: "/wl/adapters/demoAdapter", status: 404),
        Case(path: "/wl/authorization/v1/nowhere", status: 404), Case(path: "/wl/lamplighter/nowhere", status: 404),
        Case(path: "/wl/receiveSMS", status: 404),
        // A method that the path does not support.
        Case(method: .PUT, path: "\(app)/init", status: 405), Case(method: .DELETE, path: "/wl/invoke", status: 405),
        Case(method: .GET, path: "/wl/lamplighter/webpush/subscribe", status: 405),
        // Something missing or wrong.
        Case(path: "/wl/invoke", status: 400), Case(path: "/wl/invoke?adapter=demoAdapter", status: 400),
        Case(path: "/wl/lamplighter/webpush/subscribe", status: 400),
        Case(path: "/wl/authorization/v1/clients/instance?CSR=x", status: 400),
        Case(path: "/wl/authorization/v1/token?grant_type=password", status: 400),
        Case(method: .GET, path: "/wl/authorization/v1/authorization?redirect_uri=http://evil.example", status: 400),
        // Not allowed.
        Case(path: "/wl/adapters/demoAdapter/count", headers: [("Authorization", "Bearer x")], status: 401),
        Case(
            path: "/wl/invoke?adapter=demoAdapter&procedure=count", headers: backEnd, status: 401),
    ]

    private static func check(_ body: String, _ context: String) throws {
        var text = Substring(body)
        if text.hasPrefix("/*-secure-\n") { text = text.dropFirst(11).dropLast(2) }
        let object = try #require((try? JSONValue(parsing: String(text)))?.object, "\(context): \(body)")
        #expect(["UNEXPECTED_ERROR", "REQUEST_SERVICE_NOT_FOUND"].contains(object["errorCode"]?.string), "\(context)")
        #expect(object["errorMsg"]?.string?.isEmpty == false, "\(context)")
    }

    @Test("Each has a body with errorCode and errorMsg", arguments: WireProtocol.any)
    func all(version: WireProtocol) async throws {
        try await RunningServer.run(project: try ConversationProject.make(.nobody), over: version) { settings in
            settings.contextRoot = "/wl"
            settings.backEnds.token = "0123456789abcdef"
        } _: { (server) async throws in
            for error in Self.cases {
                let answer = try await server.send(
                    error.method, error.path, body: error.method == .POST ? "" : nil,
                    type: "application/x-www-form-urlencoded", headers: error.headers)
                #expect(answer.status == error.status, "\(error.testDescription)")
                try Self.check(answer.body, error.testDescription)
            }
        }
    }

    private static let badActions: [(String, [Field])] = [
        ("setup", []), ("setup", [Field("userprefs", "[]")]), ("deleteup", []), ("notifications", []),
        ("notifications", [Field("updateToken", "")]),
        ("notifications", [Field("tag", "nowhere"), Field("subscribe", "{}")]),
        ("notifications", [Field("subscribe", "{}")]),
        ("notifications", [Field("subscribe", "{}"), Field("adapter", "Nowhere"), Field("eventSource", "x")]),
        ("composite", []),
    ]

    @Test("Each of a client that has proven itself has them as well")
    func inSession() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(HybridDialect(release: .v710, environment: "android"), at: server)
            try await client.connect()
            for (action, fields) in Self.badActions {
                let reply = try await client.send("POST", .action(action), fields)
                #expect([400, 404].contains(reply.status), "\(action) \(fields)")
                try Self.check(reply.answer.text, "\(action) \(fields)")
            }
        }
    }

    @Test("403 of the handshake has them beside what it was refused for")
    func handshake() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .disabled, message: "Please update")
            let reply = try await ClientDouble(HybridDialect(release: .v620, environment: "android"), at: server)
                .connect()
            #expect(reply.status == 403)
            #expect(reply["errorCode"] == "UNEXPECTED_ERROR" && reply["errorMsg"] == "Please update")
        }
    }

    @Test("A request that is too long has them", arguments: WireProtocol.any)
    func tooLong(version: WireProtocol) async throws {
        try await RunningServer.run(project: try ConversationProject.make(.nobody), over: version) { settings in
            settings.contextRoot = "/wl"
            settings.longestRequest = 1000
        } _: { (server) async throws in
            // A path that the connection does not handle by itself.
            let answer = try await server.send(
                .POST, "/wl/authorization/v1/token", body: String(repeating: "x", count: 2000),
                type: "application/x-www-form-urlencoded")
            #expect(answer.status == 413)
            try Self.check(answer.body, "413")
        }
    }

    @Test("A request that the connection itself refuses has them", arguments: WireProtocol.any)
    func refused(version: WireProtocol) async throws {
        try await RunningServer.run(project: try ConversationProject.make(.nobody), over: version) { settings in
            settings.contextRoot = "/wl"
            settings.transport.bodyIdleTime = .milliseconds(300)
        } _: { (server) async throws in
            let target = "\(Self.app)/init"
            let long = String(repeating: "x", count: 20_000)
            var refusals = [
                (431, try await server.sendRaw("POST", target, headers: (0..<300).map { "X-\($0): x" })),
                (400, try await server.sendRaw("POST", target, headers: ["Host: elsewhere"])),
            ]
            if version == .http1 {
                let unfinished = "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx=1"
                refusals += [
                    (414, try await server.sendRaw("POST", "\(target)?\(long)")),
                    (400, try await RawClient(port: server.port).exchange("POST \(target) HTTP/1.1\r\n\r\n")),
                    (408, try await RawClient(port: server.port).exchange(unfinished)),
                ]
            }
            for (status, answer) in refusals {
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(200))")
                let body = try #require(answer.firstRange(of: "\r\n\r\n")).upperBound
                try Self.check(String(answer[body...]), "\(status)")
            }
        }
    }

    @Test("Too many wrong keys, registrations or gateways' calls have them")
    func tooMany() async throws {
        try await RunningServer.run(project: try ConversationProject.make(.nobody), time: ManualTime()) { settings in
            settings.contextRoot = "/wl"
            settings.backEnds.token = "0123456789abcdef"
            settings.phoneGateways = try! TrustedProxies(["192.0.2.1"])
        } _: { (server) async throws in
            for _ in 0..<20 {
                _ = try await server.send(
                    .POST, "/wl/invoke?adapter=demoAdapter&procedure=count", headers: Self.backEnd)
            }
            let guess = try await server.send(
                .POST, "/wl/invoke?adapter=demoAdapter&procedure=count", headers: Self.backEnd)
            #expect(guess.status == 429)
            try Self.check(guess.body, "429")
            let gateway = try await server.send(.POST, "/wl/subscribeSMS")
            #expect(gateway.status == 403)
            try Self.check(gateway.body, "403")
        }
    }
}
