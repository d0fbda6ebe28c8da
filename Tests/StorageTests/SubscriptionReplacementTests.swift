import Core
import PushModel
import Storage
import Testing

@Suite("Subscriptions that make room", .everyStore)
struct SubscriptionReplacementTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func stored() throws -> [DeviceSubscription] {
        try store.deviceSubscriptions(matching: SubscriptionFilter())
    }

    @Test("A user who takes over a device replaces the user before, whose last device it was")
    func otherUser() throws {
        _ = try store.subscribe(subscription("ann"))
        #expect(try store.saveState(["seen": 3], eventSource: news, userID: "ann"))
        let outcome = try store.subscribe(subscription("bob"))
        #expect(
            outcome.removed == [
                RemovedSubscription(
                    deviceSubscription: subscription("ann"),
                    userSubscription: UserSubscription(eventSource: news, userID: "ann", state: ["seen": 3]),
                    wasLastDeviceOfUser: true)
            ])
        #expect(outcome.isFirstDeviceOfUser)
        #expect(try stored() == [subscription("bob")])
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == nil)
    }

    @Test("the former user of a device keeps the subscriptions of other devices")
    func otherUserWithTwoDevices() throws {
        _ = try store.subscribe(subscription("ann"))
        _ = try store.subscribe(subscription("ann", device: "tablet"))
        let outcome = try store.subscribe(subscription("bob"))
        #expect(outcome.removed.map(\.wasLastDeviceOfUser) == [false])
        #expect(try stored() == [subscription("ann", device: "tablet"), subscription("bob")])
        #expect(try store.userSubscription(eventSource: news, userID: "ann") != nil)
    }

    @Test(
        "Another user's subscription stays when the device, the application or the event source differs",
        arguments: [
            subscription("bob", device: "tablet"), subscription("bob", application: "Other"),
            subscription("bob", to: sport), subscription("bob", to: EventSourceID(adapter: "Other", name: "News")),
        ])
    func strangers(_ other: DeviceSubscription) throws {
        _ = try store.subscribe(subscription("ann"))
        #expect(try store.subscribe(other).removed.isEmpty)
        #expect(try stored().count == 2)
    }

    @Test("An alias used again for another event source takes the earlier subscription away")
    func sameAlias() throws {
        _ = try store.subscribe(subscription(to: news))
        let outcome = try store.subscribe(subscription(to: weather))
        #expect(outcome.removed.map(\.deviceSubscription) == [subscription(to: news)])
        #expect(outcome.removed.map(\.wasLastDeviceOfUser) == [true])
        #expect(try stored() == [subscription(to: weather)])
    }

    @Test(
        "An alias used again by another device, application or user removes no subscription",
        arguments: [
            subscription(to: weather, device: "tablet"), subscription(to: weather, application: "Other"),
            subscription("bob", to: weather),
        ])
    func sameAliasElsewhere(_ other: DeviceSubscription) throws {
        _ = try store.subscribe(subscription(to: news))
        #expect(try store.subscribe(other).removed.isEmpty)
        #expect(try stored().count == 2)
    }

    @Test("Renaming a subscription to an alias in use takes the one that had it away")
    func renamedToUsedAlias() throws {
        _ = try store.subscribe(subscription(to: news, alias: "a"))
        _ = try store.subscribe(subscription(to: sport, alias: "b"))
        let outcome = try store.subscribe(subscription(to: sport, alias: "a"))
        #expect(outcome.change == .updated)
        #expect(outcome.removed.map(\.deviceSubscription.eventSource) == [news])
    }

    @Test("Other users' subscriptions are removed before the user's own")
    func order() throws {
        _ = try store.subscribe(subscription("ann", to: news, alias: "x"))
        _ = try store.subscribe(subscription("bob", to: weather, alias: "myNews"))
        let outcome = try store.subscribe(subscription("bob", to: news, alias: "myNews"))
        #expect(outcome.removed.map(\.deviceSubscription.userID) == ["ann", "bob"])
    }

    @Test("Unsubscribing one of two devices keeps the user subscription")
    func unsubscribeOne() throws {
        _ = try store.subscribe(subscription())
        _ = try store.subscribe(subscription(device: "tablet"))
        let removed = try store.unsubscribe(
            eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader")
        #expect(removed?.deviceSubscription == subscription())
        #expect(removed?.wasLastDeviceOfUser == false)
        #expect(try store.userSubscription(eventSource: news, userID: "ann") != nil)
    }

    @Test("Unsubscribing the last device removes the user subscription, and returns its state")
    func unsubscribeLast() throws {
        _ = try store.subscribe(subscription())
        #expect(try store.saveState(["seen": 3], eventSource: news, userID: "ann"))
        let removed = try store.unsubscribe(
            eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader")
        #expect(removed?.wasLastDeviceOfUser == true)
        #expect(removed?.userSubscription.state == ["seen": 3])
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == nil)
        #expect(try store.subscribe(subscription()).userSubscription.state == [:])
    }

    @Test("Unsubscribing a missing subscription has no effect")
    func unsubscribeNothing() throws {
        _ = try store.subscribe(subscription())
        for (source, user, device, application) in [
            (sport, "ann", "phone", "Reader"), (news, "bob", "phone", "Reader"), (news, "ann", "tablet", "Reader"),
            (news, "ann", "phone", "Other"),
        ] {
            #expect(
                try store.unsubscribe(
                    eventSource: source, userID: user, deviceID: device, applicationID: application) == nil)
        }
        #expect(try stored() == [subscription()])
    }
}
