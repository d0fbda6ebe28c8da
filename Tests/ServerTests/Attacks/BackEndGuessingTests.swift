import Authentication
import HTTPServer
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Guessing the keys of back ends", .defaultTimeLimit)
struct BackEndGuessingTests {
    private static let right = ["Bearer right-token", "Basic YmFjazpyaWdodC1wYXNzd29yZA=="]

    /// Runs `body` against a server that believes what this machine says of where requests come from.
    private static func run(
        time: ManualTime = ManualTime(), _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(
            time: time,
            change: {
                $0.backEnds.token = "right-token"
                $0.backEnds.user = "back"
                $0.backEnds.password = "right-password"
                $0.trustedProxies = proxies
            }, body)
    }

    /// - Returns: the status.
    private static func call(
        _ server: RunningServer, _ header: String, from address: String = "192.0.2.1", more: [String] = [],
        target: String = "/invoke?adapter=A&procedure=echo"
    ) async throws -> String {
        let answer = try await server.sendRaw(
            "POST", target, headers: ["Authorization: \(header)", "X-Forwarded-For: \(address)"] + more)
        return String(answer.dropFirst(9).prefix(3))
    }

    @Test(
        "refuses the right key too after twenty wrong ones, for a while; from elsewhere it passes", arguments: right)
    func guessing(right: String) async throws {
        let time = ManualTime()
        try await Self.run(time: time) { (server) async throws in
            #expect(try await Self.call(server, right) == "200")
            for guess in 0..<20 {
                let header = guess.isMultiple(of: 2) ? "Bearer guess-\(guess)" : "Basic YmFjazpndWVzcw=="
                #expect(try await Self.call(server, header) == "401")
            }
            #expect(try await Self.call(server, "Bearer guess") == "429")
            #expect(try await Self.call(server, right) == "429")
            #expect(try await Self.call(server, right, from: "192.0.2.2") == "200")
            time.advance(by: .seconds(15))
            #expect(try await Self.call(server, right) == "200")
        }
    }

    @Test("A 429 response has Retry-After")
    func retryAfter() async throws {
        try await Self.run { (server) async throws in
            for _ in 0..<20 { _ = try await Self.call(server, "Bearer guess") }
            let answer = try await server.sendRaw(
                "POST", "/invoke?adapter=A&procedure=echo",
                headers: ["Authorization: Bearer guess", "X-Forwarded-For: 192.0.2.1"])
            #expect(answer.lowercased().contains("retry-after: 15\r\n"))
        }
    }

    @Test("Guesses by /adapters, or with an invalid cookie, count as well, and get no further")
    func otherWays() async throws {
        try await Self.run { (server) async throws in
            for _ in 0..<10 {
                #expect(try await Self.call(server, "Bearer guess", target: "/adapters/A/echo") == "401")
                #expect(try await Self.call(server, "Bearer guess", more: ["Cookie: JSESSIONID=x"]) == "401")
            }
            for header in Self.right {
                #expect(try await Self.call(server, header, target: "/adapters/A/echo") == "401")
                #expect(try await Self.call(server, header, more: ["Cookie: JSESSIONID=x"]) == "401")
                #expect(try await Self.call(server, header) == "429")
            }
        }
    }

    @Test("A client's session accepts no back end's key")
    func inSession() async throws {
        try await Self.run { (server) async throws in
            let client = WireClient(server)
            try await client.act("init")
            client.instanceID = nil
            for header in Self.right {
                let answer = try await client.sendOnce(
                    .POST, "/invoke", [("adapter", "A"), ("procedure", "echo")], headers: [("Authorization", header)])
                #expect(answer.status == 401 && answer["challenges"] != nil)
            }
        }
    }

    @Test("Another server's cookie of the same name does not keep a back end out")
    func foreignCookie() async throws {
        try await Self.run { (server) async throws in
            #expect(try await Self.call(server, Self.right[0], more: ["Cookie: JSESSIONID=0000foreign"]) == "200")
        }
    }

    @Test("A client's expired token does not count as a guess")
    func tokens() async throws {
        try await Self.run { (server) async throws in
            for _ in 0..<25 {
                let status = try await Self.call(server, "Bearer eyA.eyB.sig eyC.eyD.sig", target: "/adapters/A/echo")
                #expect(status == "401")
            }
            #expect(try await Self.call(server, Self.right[0]) == "200")
        }
    }

    @Test("accepts all concurrent calls of a busy back end")
    func atOnce() async throws {
        try await Self.run { (server) async throws in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<60 { group.addTask { try await Self.call(server, Self.right[0]) } }
                for try await status in group { #expect(status == "200") }
            }
        }
    }
}
