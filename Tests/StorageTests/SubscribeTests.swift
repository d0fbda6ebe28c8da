import Core
import PushModel
import Storage
import Testing

@Suite("Subscribing", .everyStore)
struct SubscribeTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("The first device makes a user subscription with an empty state")
    func firstDevice() throws {
        let outcome = try store.subscribe(subscription())
        let user = UserSubscription(eventSource: news, userID: "ann", state: [:])
        #expect(
            outcome
                == SubscribeOutcome(change: .created, isFirstDeviceOfUser: true, userSubscription: user, removed: []))
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == user)
    }

    @Test("A subscription is read back whole")
    func roundTrip() throws {
        let whole = subscription(
            "ann \"é\" 🪔", device: "d'1", alias: "%_\n", platform: .windows, token: "https://x.notify.windows.com/?a=b",
            options: ["z": [1, 2.5, .null], "a": ["nested": "\u{0}"], "empty": [:]])
        _ = try store.subscribe(whole)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [whole])
    }

    @Test("A second device joins the user subscription and its state")
    func secondDevice() throws {
        _ = try store.subscribe(subscription())
        #expect(try store.saveState(["seen": 3], eventSource: news, userID: "ann"))
        let outcome = try store.subscribe(subscription(device: "tablet"))
        #expect(outcome.change == .created)
        #expect(!outcome.isFirstDeviceOfUser)
        #expect(outcome.userSubscription.state == ["seen": 3])
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).count == 2)
    }

    @Test("Subscribing twice has no effect the second time")
    func idempotence() throws {
        _ = try store.subscribe(subscription())
        let before = try store.deviceSubscriptions(matching: SubscriptionFilter())
        let outcome = try store.subscribe(subscription())
        #expect(outcome.change == .unchanged)
        #expect(!outcome.isFirstDeviceOfUser)
        #expect(outcome.removed.isEmpty)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == before)
    }

    @Test("A new token alone leaves the subscription unchanged, and is kept")
    func newToken() throws {
        _ = try store.subscribe(subscription())
        let renewed = subscription(token: "token-2")
        #expect(try store.subscribe(renewed).change == .unchanged)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [renewed])
    }

    @Test(
        "Another alias, platform or options update the subscription",
        arguments: [
            subscription(alias: "other"), subscription(platform: .apple), subscription(options: ["alert": false]),
            subscription(alias: "other", token: "token-2", options: [:]),
        ])
    func update(to changed: DeviceSubscription) throws {
        _ = try store.subscribe(subscription())
        let outcome = try store.subscribe(changed)
        #expect(outcome.change == .updated)
        #expect(!outcome.isFirstDeviceOfUser)
        #expect(outcome.removed.isEmpty)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [changed])
    }

    @Test("An alias that differs only in how its letters are composed is another alias")
    func composedLetters() throws {
        _ = try store.subscribe(subscription(alias: "caf\u{E9}"))
        #expect(try store.subscribe(subscription(alias: "cafe\u{301}")).change == .updated)
    }

    @Test("Names that differ in case belong to different users")
    func caseMatters() throws {
        _ = try store.subscribe(subscription("ann"))
        #expect(try store.subscribe(subscription("Ann", device: "tablet")).isFirstDeviceOfUser)
        #expect(try store.userSubscription(eventSource: news, userID: "ANN") == nil)
    }
}
