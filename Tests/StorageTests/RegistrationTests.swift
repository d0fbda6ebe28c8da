import PushModel
import Storage
import Testing

@Suite("Registrations")
struct RegistrationTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.open()
    }

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

    @Test("Registering twice changes nothing the second time")
    func idempotence() throws {
        try store.register(registration())
        #expect(try !store.register(registration()))
        #expect(try store.recipients(of: .everybody).count == 1)
    }

    @Test("A user that is not known leaves the known one, another replaces it")
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

    @Test("An updated token registers a device that has no subscription")
    func updateToken() throws {
        let token = DeviceToken(stored: "new")
        #expect(
            try store.updateToken(token, platform: .android, deviceID: "phone", applicationID: "Reader") == 0)
        #expect(try known() == registration(user: nil, token: "new"))
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

    @Test("Unregistering takes tags and subscriptions along, and tells what went")
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
                    registration: registration(token: "token-1"), tags: ["Push.ALL", "cars"],
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

    @Test("A device that registers again after it was gone begins anew")
    func again() throws {
        try store.register(registration())
        _ = try store.unsubscribe(fromTag: Tags.broadcast, applicationID: "Reader", deviceID: "phone")
        _ = try store.unregister(applicationID: "Reader", deviceID: "phone")
        try store.register(registration())
        #expect(try store.tags(applicationID: "Reader", deviceID: "phone") == ["Push.ALL"])
    }
}
