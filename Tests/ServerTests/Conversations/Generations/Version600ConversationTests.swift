import Core
import Logging
import TestSupport
import Testing

@Suite("Clients of 6.0", .defaultTimeLimit)
struct Version600ConversationTests {
    private static let web = HybridDialect(release: .v600, environment: "mobilewebapp")

    @Test("A web page connects, logs in by the form, calls procedures, and logs out")
    func wholeWeb() async throws {
        try await RunningServer.converse(.form, as: Self.web) { (server, client) async throws in
            await client.setCookie("testcookie", "oreo")
            let conversation = PushConversation(client: client, server: server)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("A web page is not challenged for a device, and gets no notification state")
    func noDevice() async throws {
        try await RunningServer.converse(.form, as: Self.web) { (_, client) async throws in
            let reply = try await client.connect(.right)
            let challenge = try #require(await client.exchanges.first)
            #expect(try client.dialect.unwrap(challenge.answer)?["challenges"]?.object?.keys == ["wl_antiXSRFRealm"])
            let second = await client.exchanges[1]
            #expect(!second.headers.contains { $0.name == "Authorization" })
            #expect(reply["notificationSubscriptionState"] == nil)
            #expect(reply["userInfo"]?["wl_deviceNoProvisioningRealm"]?["isUserAuthenticated"] == 0)
        }
    }

    @Test("A web page that registers for notifications gets 400")
    func noPush() async throws {
        try await RunningServer.converse(.form, as: Self.web) { (_, client) async throws in
            try await client.connect(.right)
            #expect(try await client.updateToken("token-1").status == 400)
        }
    }

    @Test("A web page is logged in by the adapter too")
    func adapterWeb() async throws {
        try await RunningServer.converse(.adapter, as: Self.web) { (server, client) async throws in
            let conversation = PushConversation(client: client, server: server)
            try await conversation.connectByAdapter()
            try await conversation.logOut("AdapterRealm", procedure: "secret")
        }
    }

    @Test("A login changes a browser's JSESSIONID; the old one soon has no user")
    func renewal() async throws {
        try await RunningServer.converse(.form, as: Self.web) { (server, client) async throws in
            try await client.connect()
            let before = try #require(await client.cookies["JSESSIONID"])
            try await client.connect(.right)
            #expect(await client.cookies["JSESSIONID"] != before)
            let stranger = ClientDouble(Self.web, at: server, instanceID: await client.instanceID)
            await stranger.setCookie("JSESSIONID", before)
            let reply = try await stranger.send("POST", .action("getuserinfo"))
            #expect(reply["PushAppRealm"]?["userId"] != "bjones")
        }
    }

    @Test("The client's device context reaches procedures, and changes with later updates")
    func surroundings() async throws {
        try await RunningServer.converse(.nobody, as: Self.web) { (_, client) async throws in
            try await client.connect()
            func tell(_ delta: String) async throws -> JSONValue? {
                try await client.act(
                    "query", Field("adapter", "demoAdapter"), Field("procedure", "surroundings"),
                    Field("__wl_deviceCtxSession", "1"), Field("__wl_deviceCtxDelta", delta))["context"]
            }
            #expect(try await tell(#"{"updates":{"a":1,"b":2}}"#) == ["a": 1, "b": 2])
            #expect(try await tell(#"{"updates":{"a":3},"deletions":["b"]}"#) == ["a": 3])
        }
    }

    @Test("ignores changes after which a device context would take more than 64 KB of memory")
    func largeContext() async throws {
        let log = LogRecorder(level: .debug)
        try await RunningServer.converse(.nobody, as: Self.web, log: log) { (_, client) async throws in
            try await client.connect()
            func tell(_ name: String, _ value: JSONValue, run: String = "1") async throws -> [String]? {
                let delta: JSONValue = ["updates": .object([name: value])]
                let reply = try await client.act(
                    "query", Field("adapter", "demoAdapter"), Field("procedure", "surroundings"),
                    Field("__wl_deviceCtxSession", run), Field("__wl_deviceCtxDelta", delta.text))
                return reply["context"]?.object?.keys
            }
            let half = JSONValue.string(String(repeating: "x", count: 32_000))
            #expect(try await tell("a", half) == ["a"])
            #expect(try await tell("b", half) == ["a", "b"])
            #expect(try await tell("c", half) == ["a", "b"])
            // Short in JSON, long in memory.
            #expect(try await tell("d", .array(Array(repeating: 1, count: 1000))) == ["a", "b"])
            #expect(try await tell("e", 1, run: String(repeating: "2", count: 257)) == ["a", "b"])
            #expect(
                log.messages(at: .debug).contains(
                    "a device context cannot be read: it takes more than 65536 bytes of memory"))
            #expect(try await tell("e", 1, run: "2") == ["e"])
        }
    }
}
