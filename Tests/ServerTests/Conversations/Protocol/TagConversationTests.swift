import Core
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("Tags and text messages in conversations", .defaultTimeLimit)
struct TagConversationTests {
    private static let android = HybridDialect(release: .v620, environment: "android")
    private static let native = NativeDialect(release: .v710)

    @Test("a tag is subscribed, listed at the next connection, notified and unsubscribed")
    func tags() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
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
        try await RunningServer.converse(.form, as: Self.native) { (_, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("token-1")
            #expect(try await client.changeTag("sport", isWanted: true).status == 400)
        }
    }

    @Test("SMS: a phone number is subscribed, and another user cannot take or end it")
    func sms() async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
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

    private static func smsFields(_ source: String, alias: String, _ more: Field...) -> [Field] {
        [
            Field("adapter", "PushAdapter"), Field("eventSource", source), Field("alias", alias),
            Field("transport", "SMS"),
        ] + more
    }

    @Test("SMS: the connection lists subscriptions, and a client ends one by its alias, without the number")
    func smsByAlias() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (_, client) async throws in
            let key = "smsNotificationSubscriptionState"
            #expect(try await client.connect(.right)[key] == ["eventSources": []])
            for (source, number) in [("Open", "+491701234567"), ("PushEventSource", "+491701234567")] {
                let fields = Self.smsFields(
                    source, alias: "my\(source)", Field("phoneNumber", number), Field("subscribe", "{}"))
                #expect(try await client.send("POST", .action("notifications"), fields).isSuccess)
            }
            let open: JSONValue = ["alias": "myOpen", "adapter": "PushAdapter", "eventSource": "Open"]
            let push: JSONValue = [
                "alias": "myPushEventSource", "adapter": "PushAdapter", "eventSource": "PushEventSource",
            ]
            #expect(try await client.connect()[key] == ["eventSources": [open, push]])

            let unsubscribe = { (alias: String) in Self.smsFields("Open", alias: alias, Field("unsubscribe", "")) }
            #expect(try await client.send("POST", .action("notifications"), unsubscribe("other")).isSuccess)
            #expect(try await client.connect()[key] == ["eventSources": [open, push]])
            #expect(try await client.send("POST", .action("notifications"), unsubscribe("myOpen")).isSuccess)
            #expect(try await client.connect()[key] == ["eventSources": [push]])
        }
    }

    @Test(
        "SMS: management lists the number, and filters it by event source, user and application",
        arguments: [
            ("", true), ("?eventSource=PushAdapter.Open&user=bjones&application=MyApp", true),
            ("?eventSource=PushAdapter.Locked", false), ("?user=ann", false), ("?application=MyNative", false),
        ])
    func smsListed(query: String, isListed: Bool) async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            let fields = Self.smsFields(
                "Open", alias: "sms", Field("phoneNumber", "+49 170 1234567"), Field("subscribe", "{}"))
            #expect(try await client.send("POST", .action("notifications"), fields).isSuccess)
            let listed = try await server.items("subscriptions\(query)")
            let entry: JSONValue = [
                "eventSource": "PushAdapter.Open", "user": "bjones", "application": "MyApp", "alias": "sms",
                "platform": "SMS", "phoneNumber": "+491701234567", "gateway": "gate",
            ]
            #expect(listed == (isListed ? [entry] : []))
        }
    }

    @Test("SMS: a client can end after a login what it subscribed to before", arguments: [true, false])
    func smsBeforeLogin(namesNumber: Bool) async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let number = Field("phoneNumber", "+491701234567")
            let subscribe = Self.smsFields("Open", alias: "sms", number, Field("subscribe", "{}"))
            #expect(try await client.send("POST", .action("notifications"), subscribe).isSuccess)
            try await client.act("login", Field("realm", "PushAppRealm"), logins: [.right])
            let key = "smsNotificationSubscriptionState"
            #expect(try await client.act("init")[key]?["eventSources"]?.array?.count == 1)
            let end = Self.smsFields("Open", alias: "sms", Field("unsubscribe", "")) + (namesNumber ? [number] : [])
            #expect(try await client.send("POST", .action("notifications"), end).isSuccess)
            #expect(try await client.act("init")[key] == ["eventSources": []])
        }
    }

    @Test("SMS: a request without a number cannot end another user's subscription")
    func smsOfAnother() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            let fields = Self.smsFields(
                "Open", alias: "sms", Field("phoneNumber", "+491701234567"), Field("subscribe", "{}"))
            #expect(try await client.send("POST", .action("notifications"), fields).isSuccess)
            let stranger = ClientDouble(Self.android, at: server)
            let state = try await stranger.connect(.init(user: "ann", password: "secret"))[
                "smsNotificationSubscriptionState"]
            #expect(state == ["eventSources": []])
            let unsubscribe = Self.smsFields("Open", alias: "sms", Field("unsubscribe", ""))
            #expect(try await stranger.send("POST", .action("notifications"), unsubscribe).isSuccess)
            #expect(
                try server.installation.store.targets(of: nil, userID: "bjones").count == 1)
        }
    }
}
