import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Lists of deliveries", .everyStore)
struct DeliveryListTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func to(_ user: String, _ device: String, application: String = "App") -> DeviceSubscription {
        subscription(user, device: device, application: application)
    }

    private func list(_ filter: DeliveryFilter, limit: Int = 100) throws -> [UUID] {
        var (ids, before): ([UUID], Int64?) = ([], nil)
        repeat {
            let page = try store.outbox.deliveries(matching: filter, before: before, limit: limit)
            #expect(page.items.count <= limit)
            ids += page.items.map(\.id)
            before = page.next
        } while before != nil
        return ids
    }

    @Test("Each filter alone and all together find the matching deliveries, newest first")
    func filters() throws {
        let message = UUID()
        let all = [
            delivery(age: 60, to: to("ann", "phone")),
            delivery(age: 30, notificationID: message, to: to("bob", "tablet")),
            delivery(age: 0, to: to("ann", "tablet", application: "Other")),
        ]
        for delivery in all { try store.outbox.enqueue([delivery]) }
        let ids = all.map(\.id)
        #expect(try list(DeliveryFilter()) == ids.reversed())
        #expect(try list(DeliveryFilter(userID: "ann")) == [ids[2], ids[0]])
        #expect(try list(DeliveryFilter(deviceID: "tablet")) == [ids[2], ids[1]])
        #expect(try list(DeliveryFilter(applicationID: "App")) == [ids[1], ids[0]])
        #expect(try list(DeliveryFilter(notificationID: message)) == [ids[1]])
        #expect(try list(DeliveryFilter(since: noon - 30)) == [ids[2], ids[1]])
        #expect(try list(DeliveryFilter(since: noon + 30)).isEmpty)
        #expect(try list(DeliveryFilter(until: noon)) == [ids[1], ids[0]])
        #expect(try list(DeliveryFilter(userID: "ann", since: noon - 60, until: noon - 30)) == [ids[0]])
        #expect(try list(DeliveryFilter(until: noon - 60)).isEmpty)
        let claimed = try store.claimAtNoon(1)
        try store.outbox.record([.of(claimed[0], .refused(reason: "no"))], worker: "worker")
        #expect(try list(DeliveryFilter(state: .refused)) == [ids[0]])
        #expect(
            try list(
                DeliveryFilter(
                    state: .refused, userID: "ann", deviceID: "phone", applicationID: "App", since: noon - 60)) == [
                    ids[0]
                ])
        #expect(try list(DeliveryFilter(state: .refused, userID: "bob")).isEmpty)
        #expect(try list(DeliveryFilter(state: .queued, userID: "ann")) == [ids[2]])
    }

    @Test("A queued delivery names the one to its device that must end first, once a worker has seen it")
    func waiting() throws {
        try store.outbox.enqueue([delivery(to: to("ann", "phone")), delivery(to: to("ann", "phone"))])
        #expect(try store.all().map(\.waitsFor.value) == [nil, nil])
        let claimed = try store.claimAtNoon()
        let (second, first) = (try store.all()[0], try store.all()[1])
        #expect(claimed.map(\.id) == [first.id])
        #expect(second.waitsFor.value != nil && second.waitsFor.value == first.number.value)
        #expect(first.waitsFor.value == nil)
        try store.outbox.record([.of(claimed[0], .delivered)], worker: "worker")
        #expect(try store.all().map(\.waitsFor.value) == [nil, nil])
    }

    @Test("Pages contain each delivery once, also while new ones are queued", arguments: [1, 2, 3])
    func pages(limit: Int) throws {
        let deliveries = (0..<6).map { _ in delivery(to: to("ann", "phone \(UUID())")) }
        try store.outbox.enqueue(deliveries)
        let first = try store.outbox.deliveries(matching: DeliveryFilter(userID: "ann"), before: nil, limit: limit)
        try store.outbox.enqueue([delivery(to: to("ann", "new"))])
        var ids = first.items.map(\.id)
        var next = first.next
        while let before = next {
            let page = try store.outbox.deliveries(
                matching: DeliveryFilter(userID: "ann"), before: before, limit: limit)
            ids += page.items.map(\.id)
            next = page.next
        }
        #expect(ids == deliveries.map(\.id).reversed())
    }

    @Test("A filter without an index examines a bounded number of deliveries for each page, and still finds all")
    func bounded() throws {
        let rare = delivery(to: to("ann", "rare", application: "Rare"))
        try store.outbox.enqueue([rare])
        let notification = UUID()
        try store.outbox.enqueue(
            (0..<longestSearch).map { delivery(notificationID: notification, to: to("ann", "d\($0)")) })
        let filter = DeliveryFilter(applicationID: "Rare")
        #expect(try store.outbox.deliveries(matching: filter, before: nil, limit: 10).items.isEmpty)
        #expect(try list(filter, limit: 10) == [rare.id])
    }

    @Test("A queued delivery is cancelled, and the next one to its device is due")
    func cancel() throws {
        let device = to("ann", "phone")
        let deliveries = (0..<3).map { _ in delivery(to: device) }
        try store.outbox.enqueue(deliveries)
        let first = try #require(try store.claimAtNoon().first)
        let numbers = try store.all().reversed().map { try #require($0.number.value) }
        #expect(try 0 == store.outbox.cancelDeliveries([numbers[0]], reason: "no", at: noon))
        #expect(try store.outbox.cancelDeliveries([numbers[1]], reason: "no", at: noon) == 1)
        #expect(try 0 == store.outbox.cancelDeliveries([numbers[1]], reason: "no", at: noon))
        let cancelled = try #require(try store.outbox.delivery(numbers[1]))
        #expect(cancelled.state == .refused && cancelled.reason == "no" && cancelled.endedAt == noon)
        try store.outbox.record([.of(first, .retry(at: noon + 30, reason: "busy"))], worker: "worker")
        #expect(try store.outbox.cancelDeliveries([numbers[0]], reason: "no", at: noon) == 1)
        #expect(
            try store.claim(limit: 9, now: noon + 1, leaseEnd: noon + 61, worker: "worker").map(\.id) == [
                deliveries[2].id
            ])
        #expect(try store.outbox.counts() == [.refused: 2, .sending: 1])
    }

    @Test("A delivery that no worker has seen is cancelled, and not claimed")
    func cancelUnseen() throws {
        try store.outbox.enqueue([delivery()])
        let number = try #require(try store.all().first?.number.value)
        #expect(try store.outbox.cancelDeliveries([number], reason: "no", at: noon) == 1)
        #expect(try store.claimAtNoon().isEmpty)
        #expect(try store.outbox.counts() == [.refused: 1])
        #expect(try store.outbox.delivery(number + 1) == nil)
    }
}
