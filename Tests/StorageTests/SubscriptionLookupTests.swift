import Core
import PushModel
import Storage
import Testing

@Suite("Reading and changing subscriptions", .everyStore)
struct SubscriptionLookupTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    /// Ordered as the store returns them.
    private static let stored = [
        subscription("ann", to: news, device: "phone", application: "Other"),
        subscription("ann", to: news, device: "phone"),
        subscription("ann", to: news, device: "tablet"),
        subscription("bob", to: news, device: "bobphone"),
        subscription("ann", to: sport, device: "phone", alias: "sport"),
        subscription("ann", to: weather, device: "phone", alias: "storms"),
    ]

    @Test(
        "A filter finds what matches all of its members, in order",
        arguments: [
            (SubscriptionFilter(), [0, 1, 2, 3, 4, 5]), (SubscriptionFilter(adapter: "NewsAdapter"), [0, 1, 2, 3, 4]),
            (SubscriptionFilter(eventSource: news), [0, 1, 2, 3]), (SubscriptionFilter(userID: "bob"), [3]),
            (SubscriptionFilter(deviceID: "phone"), [0, 1, 4, 5]),
            (SubscriptionFilter(applicationID: "Other"), [0]),
            (SubscriptionFilter(eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader"), [1]),
            (SubscriptionFilter(adapter: "WeatherAdapter", eventSource: news), []),
            (SubscriptionFilter(userID: "nobody"), []), (SubscriptionFilter(userID: "' OR 1=1 --"), []),
        ])
    func filters(_ filter: SubscriptionFilter, expected: [Int]) throws {
        for subscription in Self.stored.reversed() { _ = try store.subscribe(subscription) }
        #expect(try store.deviceSubscriptions(matching: filter) == expected.map { Self.stored[$0] })
    }

    @Test("State is saved for one user and one event source only")
    func saveState() throws {
        for subscription in Self.stored { _ = try store.subscribe(subscription) }
        let state: JSONValue = ["z": 1, "a": [true, .null, "x"]]
        #expect(try store.saveState(state, eventSource: news, userID: "ann"))
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == state)
        #expect(try store.userSubscription(eventSource: sport, userID: "ann")?.state == [:])
        #expect(try store.userSubscription(eventSource: news, userID: "bob")?.state == [:])
    }

    @Test("Saving the state of a removed user subscription fails and creates no row")
    func saveStateOfNobody() throws {
        #expect(try !store.saveState(["a": 1], eventSource: news, userID: "ann"))
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == nil)
    }
}
