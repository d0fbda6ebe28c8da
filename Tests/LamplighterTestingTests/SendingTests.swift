import Core
import LamplighterTesting
import PushModel
import TestSupport
import Testing

@Suite("Messages that an adapter under test sends")
struct SendingTests {
    private static let script = """
        WL.Server.createEventSource({ name: "News", onDeviceSubscribe: "arrived" });
        function arrived() { WL.Logger.warn("arrived"); }
        function tell(user, text) {
            var subscription = WL.Server.getUserNotificationSubscription("A.News", user);
            if (!subscription) return "nobody";
            WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, 3, { id: 7 }));
        }
        """

    @Test("The payload of each platform can be held against an expected one")
    func payloads() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        let ann = harness.user("ann")
        try await ann.device("iphone", platform: .apple).subscribe(to: "News", alias: "news")
        try await ann.device("pixel", platform: .android).subscribe(to: "News", alias: "news")
        try await harness.call("tell", "ann", "hello")
        let sent = try harness.sent.sorted { $0.platform < $1.platform }
        #expect(sent.map(\.platform) == ["Android", "Apple"])
        #expect(sent.map(\.device) == ["pixel", "iphone"])
        try sent[1].expect(
            body: [
                "aps": ["alert": ["action-loc-key": .null, "body": "hello"], "badge": 3, "sound": ""],
                "payload": .string(#"{"alias":"news","id":7}"#),
            ])
        #expect(sent[1].headers["apns-topic"] == "App")
    }

    @Test("A payload that is not as expected fails with a difference that one can read")
    func difference() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        try await harness.user("ann").device("iphone").subscribe(to: "A.News")
        try await harness.call("tell", "ann", "hello")
        let sent = try #require(try harness.sent.first)
        let error = try #require(throws: PayloadMismatchError.self) {
            try sent.expect(body: ["aps": ["alert": ["body": "good bye"], "badge": 3]])
        }
        #expect(error.description.contains("the notification to ann's iphone (Apple) is not as expected:"))
        #expect(error.description.contains(#"-       "body": "good bye""#))
        #expect(error.description.contains(#"+       "body": "hello""#))
    }

    @Test("Messages sent before can be cleared")
    func clearing() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        try await harness.user("ann").device("iphone").subscribe(to: "News")
        try await harness.call("tell", "ann", "one")
        try harness.clearSent()
        #expect(try harness.sent.isEmpty)
        try await harness.call("tell", "ann", "two")
        #expect(try harness.sent.map { $0.body["aps"]?["alert"]?["body"] } == ["two"])
    }

    @Test("a test can wait for messages that another task's calls send")
    func waiting() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        try await harness.user("ann").device("iphone").subscribe(to: "News")
        async let sent = harness.sent(atLeast: 2, within: .noLimit)
        try await harness.call("tell", "ann", "one")
        try await harness.call("tell", "ann", "two")
        #expect(try await sent.count == 2)
    }

    @Test("Subscribing runs the callbacks, unsubscribing ends what is sent")
    func callbacks() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        let phone = try await harness.user("ann").device("iphone").subscribe(to: "News")
        #expect(harness.log.count { $0.message == "arrived" } == 1)
        #expect(try await phone.unsubscribe(from: "News"))
        #expect(try await harness.call("tell", "ann", "hello") == "nobody")
        #expect(try harness.sent.isEmpty)
    }

    @Test("A notification that no service would accept is reported with the reason")
    func refusals() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        try await harness.user("ann").device("iphone").subscribe(to: "News")
        try await harness.call("tell", "ann", .string(String(repeating: "x", count: 5000)))
        let sent = try #require(try harness.sent.first)
        #expect(sent.requests.isEmpty)
        #expect(try #require(sent.refusal).contains("4096"))
        #expect(throws: PayloadMismatchError.self) { try sent.expect(body: [:]) }
    }

    @Test("Devices of all platforms have tokens that their services would take", arguments: Platform.allCases)
    func tokens(platform: Platform) async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        let device = harness.user("ann").device("phone", platform: platform)
        #expect(try device.token == device.token)
        try await device.subscribe(to: "News")
        try await harness.call("tell", "ann", "hello")
        #expect(try harness.sent.count == 1)
    }

    @Test("Broadcasts reach the devices that registered")
    func broadcasts() async throws {
        let harness = try await AdapterHarness(
            files: [
                "apps/Shop/application-descriptor.xml": """
                <application id="Shop" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
                    <displayName>Shop</displayName>
                    <tags><tag><name>sale</name><description>Sales</description></tag></tags>
                </application>
                """
            ].merging(
                AdapterText(
                    name: "A",
                    script: """
                        function all() {
                            WL.Server.sendMessage("Shop", { message: { alert: "all" } });
                            WL.Server.sendMessage("Shop", { message: { alert: "some" }, target: { tagNames: ["sale"] } });
                        }
                        """
                ).files
            ) { $1 })
        try harness.user("ann").device("one").register()
        try harness.user("bob").device("two", platform: .android).subscribe(toTag: "sale")
        try await harness.call("all")
        #expect(
            try harness.sent.map { "\($0.device ?? "") \($0.tag ?? "")" } == [
                "one Push.ALL", "two Push.ALL", "two sale",
            ])
    }
}
