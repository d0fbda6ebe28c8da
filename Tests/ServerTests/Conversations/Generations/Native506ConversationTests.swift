import Core
import TestSupport
import Testing

@testable import Installation

@Suite("Clients up to 6.0 with push", .defaultTimeLimit)
struct EarlyConversationTests {
    private static let phones: [any Dialect] = [
        NativeDialect(release: .v506), HybridDialect(release: .v506, environment: "android"),
        NativeDialect(release: .v600),
    ]

    @Test("connects, logs in by the form, calls procedures, is notified, and logs out", arguments: phones)
    func form(phone: any Dialect) async throws {
        try await RunningServer.converse(.form, as: phone) { (server, client) async throws in
            let conversation = PushConversation(client: client, server: server)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.push()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("logs in by the adapter, too", arguments: phones.prefix(2))
    func adapter(phone: any Dialect) async throws {
        try await RunningServer.converse(.adapter, as: phone) { (server, client) async throws in
            let conversation = PushConversation(client: client, server: server)
            try await conversation.connectByAdapter()
            try await conversation.push()
            try await conversation.logOut("AdapterRealm", procedure: "secret")
        }
    }
}

@Suite("A native client of 5.0.6", .defaultTimeLimit)
struct Native506ConversationTests {
    private static let android = NativeDialect(release: .v506)

    @Test("Options of a subscription that are not escaped are dropped, and the subscription remains")
    func unescaped() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            #expect(try await client.subscribe(options: #"{"motto":"he said "hi" \o/"}"#).isSuccess)
            #expect(try await server.devices(of: "bjones").map { $0["options"] } == [[:]])
        }
    }

    @Test("A subscription without options has none")
    func noOptions() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            #expect(try await client.subscribe(options: "{}").isSuccess)
            #expect(try await server.devices(of: "bjones").map { $0["options"] } == [[:]])
        }
    }

    @Test("An old JSESSIONID in a second Cookie header does no harm")
    func duplicateCookies() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            await client.rememberFirst("JSESSIONID", "0000OLDsessionThatIsLongGone1234")
            try await client.connect(.right)
            #expect(try await client.query("demoAdapter", "formSecret")["secret"] == 43)
            let exchanges = await client.exchanges
            #expect(exchanges.last?.headers.filter { $0.name == "Cookie" }.count == 2)
            #expect(exchanges.map(\.answer.status) == [401, 200, 200, 200, 200])
        }
    }

    @Test("An old JSESSIONID before the right one in the same Cookie header does no harm")
    func duplicateCookie() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            let session = try #require(await client.cookies["JSESSIONID"])
            await client.setCookie("JSESSIONID", "0000OLDsessionThatIsLongGone1234; JSESSIONID=\(session)")
            #expect(try await client.query("demoAdapter", "formSecret")["secret"] == 43)
            #expect(await client.exchanges.last?.answer["Set-Cookie"] == [])
        }
    }

    @Test("A subscription refused for want of a token gets 400, since the client takes 200 for success")
    func refusal() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            let reply = try await client.subscribe()
            #expect(reply.status == 400)
            #expect(reply["errorCode"] == "UNEXPECTED_ERROR")
            #expect(reply["errorMsg"]?.string?.contains("updateToken comes first") == true)
        }
    }

    @Test("A subscription to a missing event source does not get 200 either")
    func unknownSource() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            let reply = try await client.subscribe("PushAdapter", "Nowhere")
            #expect(reply.status == 404)
            #expect(reply["errorCode"] == "REQUEST_SERVICE_NOT_FOUND")
        }
    }

    @Test("connects because the success does not name its realm of users")
    func success() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let reply = try await ClientDouble(Self.android, at: server).connect(.right)
            #expect(
                reply["WL-Authentication-Success"]?.object?.keys == [
                    "wl_remoteDisableRealm", "wl_antiXSRFRealm", "wl_deviceNoProvisioningRealm",
                ])
        }
    }

    @Test("A session that begins with the login form stays in its own set of cookies, and does no harm later")
    func cookieTrap() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            #expect(try await client.connect().isLoginPage)
            time.advance(by: .seconds(601))
            _ = try await client.send("POST", .form, [Field("j_username", "bjones"), Field("j_password", "password")])
            #expect(try await client.connect().status == 200)
            time.advance(by: .seconds(601))
            #expect(try await client.connect(.right).status == 200)
            #expect(try await client.query("demoAdapter", "formSecret").isSuccess)
            let last = try #require(await client.exchanges.last)
            #expect(last.headers.filter { $0.name == "Cookie" }.count == 2)
        }
    }

    @Test("may spell its environment in any case", arguments: ["androidnative", "AndroidNative", "ANDROIDNATIVE"])
    func spelling(environment: String) async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v506, environment: environment), at: server)
            let reply = try await client.connect(.right)
            #expect(reply["gadgetProps"]?["ENVIRONMENT"] == .string(environment))
            #expect(try await client.updateToken("token-1").isSuccess)
        }
    }
}
