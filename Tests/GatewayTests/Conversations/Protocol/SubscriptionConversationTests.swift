import PushModel
import Storage
import Testing

@testable import Gateway

@Suite("Subscriptions in conversations", .timeLimit(.minutes(2)))
struct SubscriptionConversationTests {
    private static let android = HybridDialect(release: .v620, environment: "android")
    private static let native = NativeDialect(release: .v710)

    @Test("A device's new token goes to all its subscriptions")
    func newToken() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.android, at: server)
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

    @Test("The same event source under another alias is one subscription, the latter")
    func sameSource() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe(alias: "old")
            try await client.subscribe(alias: "new")
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["new"])
        }
    }

    @Test("Another user on the device takes over its subscription, after the adapter was asked")
    func userChange() async throws {
        try await RunningServer.converse(.adapter) { server in
            let client = ClientDouble(Self.android, at: server)
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

    @Test("An adapter that refuses the other user is heard, with a status that no client takes for success")
    func userChangeRefused() async throws {
        try await RunningServer.converse(.adapter) { server in
            let client = ClientDouble(Self.android, at: server)
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

    @Test("The token of the user before is not shown to the next, whose client sends it anew")
    func tokenOfAnotherUser() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.native, at: server)
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.logOut("PushAppRealm")
            let state = try await client.connect(.init(user: "ann", password: "secret"))[
                "notificationSubscriptionState"]
            #expect(state?["token"] == nil)
        }
    }

    @Test("The test of an event source asks for its user within the request to subscribe")
    func loginWithin() async throws {
        try await RunningServer.converse(.nobody) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            try await client.updateToken("token-1")
            let reply = try await client.subscribe("PushAdapter", "PushEventSource", .wrong, .right)
            #expect(reply.isSuccess)
            #expect(try await server.devices(of: "bjones").count == 1)
        }
    }

    @Test("Who is logged in nowhere is subscribed by their persistent cookie")
    func anonymous() async throws {
        try await RunningServer.converse(.nobody) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            try await client.updateToken("token-1")
            #expect(try await client.subscribe("PushAdapter", "Open", alias: "open").isSuccess)
            let cookie = try #require(await client.cookies["WL_PERSISTENT_COOKIE"])
            #expect(try await server.devices(of: cookie, source: "Open").count == 1)
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["open"])
        }
    }

    @Test("Tags: subscribed, listed with the next connection, notified, and given up")
    func tags() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            try await client.updateToken("token-1")
            #expect(try await client.changeTag("news", isWanted: true).isSuccess)
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["tags"] == ["Push.ALL", "news"])
            _ = try await server.call("PushAdapter", "broadcast", "news")
            let delivery = try await server.delivery { $0.text.contains("to news") }
            #expect(try PushConversation.payload(of: delivery)["tag"] == "news")
            #expect(try await client.changeTag("news", isWanted: false).isSuccess)
            #expect(try await client.connect()["notificationSubscriptionState"]?["tags"] == ["Push.ALL"])
        }
    }

    @Test("A tag that the application does not declare is refused")
    func unknownTag() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.native, at: server)
            try await client.connect(.right)
            try await client.updateToken("token-1")
            #expect(try await client.changeTag("sport", isWanted: true).status == 400)
        }
    }

    @Test("SMS: a phone number is subscribed, and another user cannot take or end it")
    func sms() async throws {
        try await RunningServer.converse(.adapter) { server in
            let source = EventSourceID(adapter: "PushAdapter", name: "Open")
            let number = try PhoneNumber("+49 170 1234567")
            func subscription() throws -> SMSSubscription? {
                try server.installation.store.smsSubscription(eventSource: source, phoneNumber: number)
            }
            let fields = [
                Field("adapter", "PushAdapter"), Field("eventSource", "Open"), Field("alias", "sms"),
                Field("transport", "SMS"), Field("phoneNumber", "+491701234567"),
            ]
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            let subscribe = fields + [Field("subscribe", "{}")]
            #expect(try await client.send("POST", .action("notifications"), subscribe).isSuccess)
            #expect(try subscription()?.userID == "bjones")

            var other = Self.android
            other.device.id = "another-device"
            let stranger = ClientDouble(other, at: server)
            try await stranger.connect(.init(user: "ann", password: "secret"))
            #expect(try await stranger.send("POST", .action("notifications"), subscribe).status == 400)
            let unsubscribe = fields + [Field("unsubscribe", "")]
            _ = try await stranger.send("POST", .action("notifications"), unsubscribe)
            #expect(try subscription()?.userID == "bjones")
            #expect(try await client.send("POST", .action("notifications"), unsubscribe).isSuccess)
            #expect(try subscription() == nil)
        }
    }

    @Test("A device ends its own subscription, not another's of the same user")
    func twoDevices() async throws {
        try await RunningServer.converse(.form) { server in
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
