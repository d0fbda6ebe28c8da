import Core
import Foundation
import PushModel
import Storage
import Synchronization
import Testing

@Suite("Registrations", .everyStore)
struct RegistrationTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func known(_ device: String = "phone", application: String = "Reader") throws -> DeviceRegistration? {
        try store.registration(applicationID: application, deviceID: device)
    }

    @Test("A registration is read back whole, with or without a user", arguments: ["ann", nil])
    func roundTrip(user: String?) throws {
        let whole = registration("d'1", user: user, platform: .windows, token: "https://x.notify.windows.com/?a=b")
        #expect(try store.register(whole))
        #expect(try known("d'1") == whole)
        #expect(try known("phone") == nil)
    }

    @Test("Registering twice has no effect the second time")
    func idempotence() throws {
        try store.register(registration())
        #expect(try !store.register(registration()))
        #expect(try store.recipients(of: .everybody, limit: 9).count == 1)
    }

    @Test("An unknown user keeps the known one, another replaces it")
    func user() throws {
        try store.register(registration(user: "ann"))
        #expect(try !store.register(registration(user: nil)))
        #expect(try known()?.userID == "ann")
        #expect(try store.register(registration(user: "bob")))
        #expect(try known()?.userID == "bob")
    }

    @Test("Subscribing to an event source registers the device and user with the token")
    func subscribing() throws {
        _ = try store.subscribe(subscription("ann", token: "token-1"))
        #expect(try known() == registration(token: "token-1"))
        _ = try store.subscribe(subscription("bob", token: "token-2"))
        #expect(try known() == registration(user: "bob", token: "token-2"))
    }

    @Test("A new token goes to the device's subscriptions of that application, and to no others")
    func tokenOfSubscriptions() throws {
        _ = try store.subscribe(subscription(token: "old"))
        _ = try store.subscribe(subscription(to: weather, alias: "storms", token: "old"))
        _ = try store.subscribe(subscription(application: "Other", token: "old"))
        _ = try store.subscribe(subscription(device: "tablet", token: "old"))
        try store.register(registration(platform: .apple, token: "new"))
        let all = try store.deviceSubscriptions(matching: SubscriptionFilter())
        #expect(all.count == 4)
        for subscription in all {
            let isMeant = subscription.deviceID == "phone" && subscription.applicationID == "Reader"
            #expect(subscription.token.value == (isMeant ? "new" : "old"))
            #expect(subscription.platform == (isMeant ? .apple : .android))
        }
    }

    @Test("Unregistering removes tags and subscriptions, and returns them")
    func unregister() throws {
        _ = try store.subscribe(subscription(token: "token-1"))
        _ = try store.subscribe(subscription(device: "tablet"))
        _ = try store.subscribe(subscription(to: sport, application: "Other", alias: "sport"))
        _ = try store.subscribe(toTag: "cars", applicationID: "Reader", deviceID: "phone")
        let removed = try store.unregister(applicationID: "Reader", deviceID: "phone")
        let user = UserSubscription(eventSource: news, userID: "ann", state: [:])
        #expect(
            removed
                == RemovedRegistration(
                    registration: registration(token: "token-1"),
                    subscriptions: [
                        RemovedSubscription(
                            deviceSubscription: subscription(), userSubscription: user, wasLastDeviceOfUser: false)
                    ]))
        #expect(try known() == nil)
        #expect(try store.tags(applicationID: "Reader", deviceID: "phone").isEmpty)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.deviceID) == ["tablet", "phone"])
        #expect(try known(application: "Other") != nil)
        #expect(try store.unregister(applicationID: "Reader", deviceID: "phone") == nil)
    }

    @Test("A device whose token has changed meanwhile is not unregistered for the old one")
    func outdatedToken() throws {
        _ = try store.subscribe(subscription(token: "new"))
        #expect(
            try store.unregister(applicationID: "Reader", deviceID: "phone", token: DeviceToken(stored: "old")) == nil)
        #expect(try known() != nil)
        let token = DeviceToken(stored: "new")
        #expect(
            try store.unregister(applicationID: "Reader", deviceID: "phone", token: token)?.subscriptions.count == 1)
    }

    @Test(
        "A device that confirmed its token after the service's timestamp stays",
        arguments: [false, true])
    func confirmed(bySubscribing: Bool) throws {
        guard StoreEngine.current != .memory else { return }
        let time = SetTime(noon)
        let store = try folder.open(time: time)
        _ = try store.subscribe(subscription())
        time.now = noon + 100
        if bySubscribing {
            #expect(try store.subscribe(subscription()).change == .unchanged)
        } else {
            #expect(try !store.register(registration(token: "token-1")))
        }
        let unregister = { (date: Date) in
            try store.unregister(
                applicationID: "Reader", deviceID: "phone", token: DeviceToken(stored: "token-1"), notSince: date)
        }
        #expect(try unregister(noon + 99) == nil)
        #expect(try known() != nil)
        #expect(try unregister(noon + 100)?.subscriptions.count == 1)
        #expect(try known() == nil)
    }

    @Test("removes a subscription with a refused token although the device has registered another token since")
    func refusedTokenOfOtherUser() throws {
        let time = SetTime(noon)
        let store = try folder.open(time: time)
        _ = try store.subscribe(subscription("bob", token: "token-1"))
        time.now = noon + 100
        try store.register(registration(user: "ann", token: "token-2"))
        // As if ann had another installation, which moves her subscriptions only.
        try folder.run("UPDATE device_subscription SET token = 'token-1'")
        let removed = try store.unregister(
            applicationID: "Reader", deviceID: "phone", token: DeviceToken(stored: "token-1"), notSince: noon + 50,
            owing: UUID())
        #expect(removed?.subscriptions.map(\.deviceSubscription.userID) == ["bob"])
        #expect(removed?.registration == nil)
        #expect(try store.pendingCallbacks(limit: 9).callbacks.count == 1)
        #expect(try known()?.token.value == "token-2")
        #expect(try store.tags(applicationID: "Reader", deviceID: "phone") == ["Push.ALL"])
    }

    @Test("A device without a registration time counts as registered long ago")
    func confirmedNever() throws {
        try store.register(registration())
        try folder.run("UPDATE device_registration SET confirmed_at = NULL")
        #expect(
            try store.unregister(applicationID: "Reader", deviceID: "phone", notSince: noon)?.registration != nil)
    }

    @Test("A device that registers again after it was removed starts with the defaults")
    func again() throws {
        try store.register(registration())
        _ = try store.unsubscribe(fromTag: Tags.broadcast, applicationID: "Reader", deviceID: "phone")
        _ = try store.unregister(applicationID: "Reader", deviceID: "phone")
        try store.register(registration())
        #expect(try store.tags(applicationID: "Reader", deviceID: "phone") == ["Push.ALL"])
    }
}

/// A time of day that a test sets.
private final class SetTime: TimeSource {
    private let time: Mutex<Date>

    init(_ date: Date) {
        time = Mutex(date)
    }

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var uptime: Duration { .zero }

    func sleep(untilUptime deadline: Duration) async throws {}
}
