import Core
import TestSupport
import Testing

@Suite("Users who take turns on a device", .defaultTimeLimit)
struct UserChangeConversationTests {
    private static let android = HybridDialect(release: .v620, environment: "android")
    private static let native = NativeDialect(release: .v506)
    private static let ann = ClientDouble.Login(user: "ann", password: "secret")

    /// Mr Jones subscribes to all event sources, and logs out.
    private func jonesWasHere(
        _ client: ClientDouble, _ realm: String, sources: [String] = ["PushEventSource", "Open"]
    ) async throws {
        try await client.connect(.right)
        #expect(try await client.updateToken("token-1").isSuccess)
        for source in sources { #expect(try await client.subscribe("PushAdapter", source, alias: source).isSuccess) }
        try await client.logOut(realm)
    }

    @Test(
        "A token that comes with another user ends the first user's subscriptions on the device"
    )
    func ends() async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
            for dialect in [Self.android, Self.native] as [any Dialect] {
                let client = ClientDouble(dialect, at: server)
                try await jonesWasHere(client, "AdapterRealm")
                #expect(try await server.devices(of: "bjones").count == 1)
                let state = try await client.connect(Self.ann)["notificationSubscriptionState"]
                #expect(state?["token"] == nil)
                #expect(try await client.updateToken("token-1").isSuccess)
                #expect(try await server.devices(of: "bjones") == [])
                #expect(try await server.devices(of: "bjones", source: "Open") == [])
                #expect(
                    try await server.call("PushAdapter", "submitNotification", "bjones", "secret")["result"]
                        == "No subscription found for user :: bjones")
            }
        }
    }

    @Test("A new token with another user ends them as well")
    func newToken() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await jonesWasHere(client, "PushAppRealm")
            try await client.connect(Self.ann)
            #expect(try await client.updateToken("token-2").isSuccess)
            #expect(try await server.devices(of: "bjones") == [])
        }
    }

    @Test("Subscribing as another user ends the first user's subscriptions to other event sources too")
    func bySubscribing() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await jonesWasHere(client, "AdapterRealm")
            try await client.connect(Self.ann)
            #expect(try await client.subscribe().isSuccess)
            #expect(try await server.devices(of: "bjones") == [])
            #expect(try await server.devices(of: "bjones", source: "Open") == [])
        }
    }

    @Test("An adapter whose onUserChange refuses the other user keeps the first user's subscription")
    func refused() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await jonesWasHere(client, "AdapterRealm", sources: ["Locked", "Open"])
            try await client.connect(Self.ann)
            #expect(try await client.updateToken("token-1").isSuccess)
            #expect(try await server.devices(of: "bjones", source: "Locked").count == 1)
            #expect(try await server.devices(of: "bjones", source: "Open") == [])
            #expect(try await client.subscribe("PushAdapter", "Locked", alias: "locked").status == 500)
        }
    }

    @Test("A repeated login of the user, and a start without a login, end no subscription")
    func sameUser() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try await client.updateToken("token-1")
            #expect(try await client.subscribe("PushAdapter", "PushEventSource", .right).isSuccess)
            let cookie = try #require(await client.cookies["WL_PERSISTENT_COOKIE"])
            let again = ClientDouble(Self.android, at: server)
            await again.setCookie("WL_PERSISTENT_COOKIE", cookie)
            try await again.connect()
            #expect(try await again.updateToken("token-1").isSuccess)
            #expect(try await again.updateToken("token-2").isSuccess)
            #expect(try await server.devices(of: "bjones").map { $0["token"] } == ["token-2"])
            let login = try await again.act("login", Field("realm", "PushAppRealm"), logins: [.right])
            #expect(login["PushAppRealm"]?["userId"] == "bjones")
            #expect(try await again.updateToken("token-3").isSuccess)
            #expect(try await server.devices(of: "bjones").map { $0["token"] } == ["token-3"])
        }
    }

    @Test("A subscription made without a login stays when a user logs in, until the app ends it")
    func anonymous() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try await client.updateToken("token-1")
            try await client.subscribe("PushAdapter", "Open", alias: "open")
            let cookie = try #require(await client.cookies["WL_PERSISTENT_COOKIE"])
            try await client.act("login", Field("realm", "PushAppRealm"), logins: [.right])
            #expect(try await client.updateToken("token-2").isSuccess)
            #expect(try await server.devices(of: cookie, source: "Open").map { $0["token"] } == ["token-2"])
            #expect(try await client.unsubscribe("PushAdapter", "Open", alias: "open").isSuccess)
            #expect(try await server.devices(of: cookie, source: "Open") == [])
        }
    }
}
