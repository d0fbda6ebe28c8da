import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Owed callbacks in the store", .everyStore)
struct PendingCallbackStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func owed() throws -> [PendingCallback] { try store.pendingCallbacks(limit: 100).callbacks }

    @Test("A change with an id records its callbacks, whole and in order, for the next process that opens the file")
    func recorded() throws {
        _ = try store.subscribe(subscription("bob"))
        _ = try store.saveState(["seen": 3], eventSource: news, userID: "bob")
        let change = UUID()
        let outcome = try store.subscribe(subscription("ann"), owing: change)
        let bob = UserSubscription(eventSource: news, userID: "bob", state: ["seen": 3])
        let removed = RemovedSubscription(
            deviceSubscription: subscription("bob"), userSubscription: bob, wasLastDeviceOfUser: true)
        #expect(outcome.removed == [removed])
        #expect(
            try folder.open().pendingCallbacks(limit: 100).callbacks == [
                PendingCallback(id: .init(change: change, number: 0), event: .unsubscribed(removed)),
                PendingCallback(
                    id: .init(change: change, number: 1),
                    event: .subscribed(
                        subscription("ann"), of: UserSubscription(eventSource: news, userID: "ann"),
                        isFirstDeviceOfUser: true)),
            ])
    }

    @Test("Ending a subscription and removing a device record theirs")
    func removals() throws {
        _ = try store.subscribe(subscription())
        _ = try store.subscribe(subscription(to: sport, alias: "sport"))
        _ = try store.subscribe(subscription(to: weather, alias: "storms"))
        _ = try store.unsubscribe(
            eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader", owing: UUID())
        _ = try store.unregister(applicationID: "Reader", deviceID: "phone", owing: UUID())
        #expect(try owed().map(\.event.deviceSubscription.eventSource) == [news, sport, weather])
        #expect(try owed().map(\.id.number) == [0, 0, 1])
    }

    @Test("Earlier callbacks are of other changes, of the same user and event source, newest first")
    func before() throws {
        var changes: [UUID] = []
        let bobs = subscription("bob", device: "tablet", token: "token-2")
        for (subscription, isNew) in [
            (subscription(), true), (bobs, true), (subscription(to: sport, alias: "sport"), true),
            (subscription(), false),
            (subscription(), true), (subscription(), false),
        ] {
            changes.append(UUID())
            if isNew {
                _ = try store.subscribe(subscription, owing: changes.last)
            } else {
                _ = try store.unsubscribe(
                    eventSource: subscription.eventSource, userID: subscription.userID, deviceID: "phone",
                    applicationID: "Reader", owing: changes.last)
            }
        }
        let owed = try owed()
        #expect(owed.map(\.id.change) == changes)
        let last = try #require(owed.last)
        #expect(
            try store.pendingCallbacks(before: last, limit: nil).map(\.id.change) == [
                changes[4], changes[3], changes[0],
            ])
        #expect(try store.pendingCallbacks(before: last, limit: 1).map(\.id.change) == [changes[4]])
        #expect(try store.pendingCallbacks(before: owed[1], limit: nil).isEmpty)
        try store.settle(last.id)
        #expect(try store.pendingCallbacks(before: last, limit: nil).isEmpty)
    }

    @Test("A change that has no effect, fails, or has no id records no callback")
    func nothing() throws {
        _ = try store.subscribe(subscription())
        _ = try store.subscribe(subscription(), owing: UUID())
        #expect(
            try store.unsubscribe(
                eventSource: news, userID: "bob", deviceID: "phone", applicationID: "Reader", owing: UUID()) == nil)
        #expect(throws: StoreError.self) { try store.subscribe(subscription("a\0b"), owing: UUID()) }
        _ = try store.unsubscribe(eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader")
        #expect(try owed().isEmpty)
    }

    @Test("A callback is pending until it is settled, each separately")
    func settling() throws {
        _ = try store.subscribe(subscription("bob"))
        _ = try store.subscribe(subscription("ann"), owing: UUID())
        let all = try owed()
        try store.settle(all[0].id)
        #expect(try owed() == [all[1]])
        #expect(try !store.isCallbackPending(all[0].id) && store.isCallbackPending(all[1].id))
        try store.settle(all[0].id)
        try store.settle(all[1].id)
        #expect(try owed().isEmpty)
    }

    @Test("Pages follow each other to the end", arguments: [1, 2, 3, 5, 6])
    func pages(limit: Int) throws {
        for number in 0..<5 { _ = try store.subscribe(subscription("u\(number)", device: "d\(number)"), owing: UUID()) }
        var users: [String] = []
        var position: Int64?
        repeat {
            let page = try store.pendingCallbacks(from: position, limit: limit)
            users += page.callbacks.map(\.event.deviceSubscription.userID)
            position = page.next
        } while position != nil
        #expect(users == (0..<5).map { "u\($0)" })
    }

    @Test("Callbacks of some adapters are found among those of others")
    func adapters() throws {
        for number in 0..<6 {
            let source = number % 2 == 0 ? news : weather
            _ = try store.subscribe(subscription("u\(number)", to: source, device: "d\(number)"), owing: UUID())
        }
        var users: [String] = []
        var position: Int64?
        repeat {
            let page = try store.pendingCallbacks(of: ["WeatherAdapter", "Other"], from: position, limit: 1)
            users += page.callbacks.map(\.event.deviceSubscription.userID)
            position = page.next
        } while position != nil
        #expect(users == ["u1", "u3", "u5"])
        #expect(try store.pendingCallbacks(of: [], limit: 9).callbacks.isEmpty)
    }

    @Test("counts the callbacks of adapters, and drops those of one")
    func orphans() throws {
        _ = try store.subscribe(subscription("ann"), owing: UUID())
        _ = try store.subscribe(subscription("bob", to: weather, device: "tablet"), owing: UUID())
        #expect(try store.pendingCallbackCounts(exceptOf: []) == ["NewsAdapter": 1, "WeatherAdapter": 1])
        #expect(try store.pendingCallbackCounts(exceptOf: ["NewsAdapter"]) == ["WeatherAdapter": 1])
        #expect(try store.dropPendingCallbacks(of: "WeatherAdapter") == 1)
        #expect(try owed().map(\.event.deviceSubscription.eventSource) == [news])
    }
}
