import Core
import TestSupport
import Testing

@Suite("Subscriptions in conversations", .defaultTimeLimit)
struct SubscriptionConversationTests {
    private static let android = HybridDialect(release: .v620, environment: "android")
    private static let native = NativeDialect(release: .v710)

    @Test("A device's new token goes to all its subscriptions")
    func newToken() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe()
            try await client.subscribe("PushAdapter", "Open", alias: "open")
            try await client.updateToken("token-2")
            #expect(try await server.devices(of: "bjones").map { $0["token"] } == ["token-2"])
            #expect(try await server.devices(of: "bjones", source: "Open").map { $0["token"] } == ["token-2"])
            let delivery = try await server.notify("bjones", "to the new one")
            #expect(delivery["requests"]?.text.contains("token-2") == true)
        }
    }

    @Test("An event source under another alias is one subscription, the latter")
    func sameSource() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe(alias: "old")
            try await client.subscribe(alias: "new")
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["new"])
        }
    }

    @Test("The state contains the project number with which an Android client registers at Google")
    func senderID() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            for dialect in [Self.android, Self.native] as [any Dialect] {
                let state = try await ClientDouble(dialect, at: server).connect(.right)["notificationSubscriptionState"]
                #expect(state?["credentials"] == "42")
                #expect(state?["login_userId"] == "bjones")
            }
        }
    }

    @Test("An alias used for another event source ends its former subscription")
    func sameAlias() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe(alias: "mine")
            try await client.subscribe("PushAdapter", "Open", alias: "mine")
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(
                state?["eventSources"] == [["alias": "mine", "adapter": "PushAdapter", "eventSource": "Open"]])
        }
    }

    @Test("Another user on the device takes over its subscription, after the adapter's consent")
    func userChange() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe()
            try await client.logOut("AdapterRealm")
            let state = try await client.connect(.init(user: "ann", password: "secret"))[
                "notificationSubscriptionState"]
            #expect(state?["eventSources"] == [])
            #expect(state?["userId"] == "ann")
            let reply = try await client.subscribe()
            #expect(reply.isSuccess)
            #expect(reply["previous"] == "bjones")
            #expect(try await server.devices(of: "bjones") == [])
            #expect(try await server.devices(of: "ann").count == 1)
        }
    }

    @Test("An adapter can refuse the other user, with a status that no client takes for success")
    func userChangeRefused() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe("PushAdapter", "Locked", alias: "locked")
            try await client.logOut("AdapterRealm")
            try await client.connect(.init(user: "ann", password: "secret"))
            let reply = try await client.subscribe("PushAdapter", "Locked", alias: "locked")
            #expect(reply.status == 500)
            #expect(reply["isSuccessful"] == false && reply["why"] == "not yours")
            #expect(try await server.devices(of: "bjones", source: "Locked").count == 1)
        }
    }

    @Test("The token of the user before is not shown to the next, whose client sends it again")
    func tokenOfAnotherUser() async throws {
        try await RunningServer.converse(.form, as: Self.native) { (_, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.logOut("PushAppRealm")
            let state = try await client.connect(.init(user: "ann", password: "secret"))[
                "notificationSubscriptionState"]
            #expect(state?["token"] == nil)
        }
    }

    @Test("The test of an event source challenges its user within the request to subscribe")
    func loginWithin() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try await client.updateToken("token-1")
            let reply = try await client.subscribe("PushAdapter", "PushEventSource", .wrong, .right)
            #expect(reply.isSuccess)
            #expect(try await server.devices(of: "bjones").count == 1)
        }
    }

    @Test("A user without a login is subscribed by the persistent cookie")
    func anonymous() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try await client.updateToken("token-1")
            #expect(try await client.subscribe("PushAdapter", "Open", alias: "open").isSuccess)
            let cookie = try #require(await client.cookies["WL_PERSISTENT_COOKIE"])
            #expect(try await server.devices(of: cookie, source: "Open").count == 1)
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["open"])
        }
    }

    @Test("A device ends its own subscription, not another's of the same user")
    func twoDevices() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            var other = Self.android
            other.device.id = "another-device"
            let (one, two) = (ClientDouble(Self.android, at: server), ClientDouble(other, at: server))
            for (client, token) in [(one, "token-1"), (two, "token-2")] {
                try await client.connect(.right)
                try await client.updateToken(token)
                try await client.subscribe()
            }
            #expect(try await server.devices(of: "bjones").count == 2)
            try await one.unsubscribe()
            #expect(try await server.devices(of: "bjones").map { $0["device"] } == ["another-device"])
        }
    }
}
