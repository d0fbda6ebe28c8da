import AdapterRuntime
import Authentication
import Core
import HTTPServer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks by made-up sessions")
struct SessionFloodTests {
    /// Runs `body` against a server that believes what this machine says of where requests come from.
    private static func run(
        over version: WireProtocol, limit: Int, perNetwork: Int = 1_000_000,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(
            over: version,
            change: {
                $0.trustedProxies = proxies
                $0.sessions.limit = limit
                $0.sessions.limitPerNetwork = perNetwork
            }, body)
    }

    private static func client(_ server: RunningServer, at address: String) -> WireClient {
        let client = WireClient(server)
        client.headers = [("X-Forwarded-For", address)]
        return client
    }

    /// Begins sessions that look like honest clients': each has repeated its instance id.
    private static func flood(_ server: RunningServer, _ count: Int, from address: (Int) -> String) async throws {
        for number in 0..<count {
            let client = client(server, at: address(number))
            #expect(try await client.act("heartbeat").status == 200)
        }
    }

    @Test("that end sessions at the limit of an address are logged once a minute, with setting, count and address")
    func logged() async throws {
        let (log, time, proxies) = (LogRecorder(), ManualTime(), try TrustedProxies(["127.0.0.1"]))
        try await RunningServer.attacked(
            time: time, log: log,
            change: {
                $0.trustedProxies = proxies
                $0.sessions.limitPerNetwork = 5
            }
        ) { (server) async throws in
            try await Self.flood(server, 8) { _ in "198.51.100.1" }
            time.advance(by: .seconds(61))
            try await Self.flood(server, 1) { _ in "198.51.100.1" }
        }
        let start = "ended a session: the limit 'limits.sessionsPerAddress' is reached"
        #expect(
            log.messages(at: .warning).filter { $0.hasPrefix(start) } == [
                "\(start) (1 time, last by 198.51.100.1)", "\(start) (3 times in 61 s, last by 198.51.100.1)",
            ])
    }

    @Test(
        "end no session with a user, though idle all the time, while others exist",
        arguments: WireProtocol.cases(["form", "adapter"]))
    func users(kind: String, version: WireProtocol) async throws {
        try await Self.run(over: version, limit: 20) { (server) async throws in
            let victim = Self.client(server, at: "192.0.2.1")
            if kind == "form" {
                try await victim.call("ofForms")
                try await victim.logIn("ann", "right-ann-secret")
            } else {
                try await victim.call("submit", #"["ann","adapter-secret"]"#)
            }
            try await Self.flood(server, 60) { "198.51.100.\($0)" }
            let answer = try await victim.call(kind == "form" ? "ofForms" : "ofAdapters")
            #expect(answer["user"] == "ann")
            #expect(server.installation.security.sessions.count == 20)
        }
    }

    @Test("end no session that passed a test while strangers exist", arguments: WireProtocol.any)
    func strangers(version: WireProtocol) async throws {
        try await Self.run(over: version, limit: 20) { (server) async throws in
            let client = Self.client(server, at: "192.0.2.1")
            try await client.call("keep", #"["mine"]"#)
            for _ in 0..<60 { _ = try await server.sendRaw("POST", client.root + "init") }
            #expect(try await client.call("kept")["value"] == "mine")
        }
    }

    @Test(
        "take the variables of no user, and of one address those of no other address", arguments: WireProtocol.any)
    func variables(version: WireProtocol) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(
            over: version,
            change: {
                $0.trustedProxies = proxies
                $0.runtime.scopes.number = 100
            }
        ) { (server) async throws in
            let user = Self.client(server, at: "192.0.2.1")
            try await user.call("submit", #"["ann","adapter-secret"]"#)
            try await user.call("keep", #"["mine"]"#)
            let guest = Self.client(server, at: "192.0.2.2")
            try await guest.call("keep", #"["own"]"#)
            for _ in 0..<40 { try await Self.client(server, at: "198.51.100.1").call("keep", #"["x"]"#) }
            #expect(server.installation.runtime.scopes.owners <= 12)
            #expect(try await guest.call("kept")["value"] == "own")
            for number in 0..<120 {
                try await Self.client(server, at: "198.51.100.\(number)").call("keep", #"["x"]"#)
            }
            #expect(try await user.call("kept")["value"] == "mine")
            #expect(try await user.call("ofAdapters")["user"] == "ann")
        }
    }

    @Test("of one address end only sessions of that address", arguments: WireProtocol.any)
    func oneAddress(version: WireProtocol) async throws {
        try await Self.run(over: version, limit: 1000, perNetwork: 10) { (server) async throws in
            let honest = Self.client(server, at: "192.0.2.1")
            try await honest.call("keep", #"["mine"]"#)
            let own = Self.client(server, at: "198.51.100.1")
            try await own.call("keep", #"["own"]"#)
            let user = Self.client(server, at: "198.51.100.1")
            try await user.call("submit", #"["ann","adapter-secret"]"#)
            try await Self.flood(server, 30) { _ in "198.51.100.1" }
            #expect(try await honest.call("kept")["value"] == "mine")
            #expect(try await user.call("ofAdapters")["user"] == "ann")
            #expect(try await own.call("kept")["value"] == "nothing")
            // A network of IPv6 counts as one address.
            try await Self.flood(server, 30) { "2001:db8::\(String($0 + 1, radix: 16))" }
            #expect(server.installation.security.sessions.count <= 1 + 10 + 10)
        }
    }

    @Test(
        "take a limited amount of memory with device contexts, of one address and in all",
        arguments: WireProtocol.any)
    func deviceContexts(version: WireProtocol) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        let log = LogRecorder()
        let delta = JSONValue.object(["updates": ["a": .string(String(repeating: "x", count: 40_000))]]).text
        let context = [("adapter", "A"), ("procedure", "context"), ("__wl_deviceCtxDelta", delta)]
        try await RunningServer.attacked(
            over: version, time: ManualTime(), log: log,
            change: {
                $0.trustedProxies = proxies
                $0.deviceContexts.perNetwork = 100_000
                $0.deviceContexts.total = 150_000
            }
        ) { (server) async throws in
            func kept(at address: String) async throws -> Bool {
                try await Self.client(server, at: address).act("query", context)["known"] == true
            }
            #expect(try await kept(at: "198.51.100.1"))
            #expect(try await kept(at: "198.51.100.1"))
            #expect(try await !kept(at: "198.51.100.1"))
            #expect(try await kept(at: "192.0.2.1"))
            #expect(try await !kept(at: "203.0.113.1"))
            #expect(log.messages(at: .warning).count { $0.contains("a device context was not kept") } == 1)
            // Users are not limited.
            let user = Self.client(server, at: "198.51.100.1")
            try await user.call("submit", #"["ann","adapter-secret"]"#)
            #expect(try await user.act("query", context)["known"] == true)
        }
    }

    @Test("by unchecked logins count as sessions without a user")
    func unchecked() async throws {
        var files = AttackedProject.files
        files["server/conf/authenticationConfig.xml"] = files["server/conf/authenticationConfig.xml"]?.replacing(
            #"<realm name="Basic" loginModule="Users">"#, with: #"<realm name="Basic" loginModule="Believing">"#)
        try await RunningServer.run(files: files, change: { $0.sessions.limit = 20 }) { (server) async throws in
            let victim = WireClient(server)
            try await victim.call("ofForms")
            try await victim.logIn("ann", "right-ann-secret")
            for _ in 0..<40 {
                let client = WireClient(server)
                // x:y
                client.headers = [("Authorization", "Basic eDp5")]
                #expect(try await client.call("ofBasic")["user"] == "x")
            }
            #expect(try await victim.call("ofForms")["user"] == "ann")
        }
    }
}
