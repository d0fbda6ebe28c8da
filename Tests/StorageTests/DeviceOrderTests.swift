import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("The order of deliveries to one device", .everyStore)
struct DeviceOrderTests {
    let folder: StoreFolder
    let store: SQLStore
    let phone = subscription()

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func record(_ claimed: [Delivery], _ ending: DeliveryReport.Ending) throws -> Int {
        try store.outbox.record(claimed.map { .of($0, ending) }, worker: "worker")
    }

    @Test("A delivery is claimed when the one before has ended in any way")
    func oneByOne() throws {
        let endings: [DeliveryReport.Ending] = [.delivered, .refused(reason: "no"), .expired, .delivered]
        let deliveries = endings.map { _ in delivery(to: phone) }
        try store.outbox.enqueue(deliveries)
        for (index, ending) in endings.enumerated() {
            let claimed = try store.claimAtNoon()
            #expect(claimed.map(\.id) == [deliveries[index].id])
            #expect(try store.claimAtNoon().isEmpty)
            #expect(try record(claimed, ending) == (index < 3 ? 1 : 0))
        }
        #expect(try store.nextDue() == nil)
    }

    @Test("A retry delays only the later ones to its device")
    func retry() throws {
        let (first, second, other) = (delivery(to: phone), delivery(to: phone), delivery())
        try store.outbox.enqueue([first, second, other])
        let claimed = try store.claimAtNoon()
        #expect(claimed.map(\.id) == [first.id, other.id])
        #expect(try record([claimed[0]], .retry(at: noon + 30, reason: "503")) == 0)
        let third = delivery(to: phone)
        try store.outbox.enqueue([third])
        #expect(try store.claimAtNoon().isEmpty)
        #expect(try store.nextDue() == noon + 30)
        let again = try store.claim(limit: 9, now: noon + 30, leaseEnd: noon + 90, worker: "worker")
        #expect(again.map(\.id) == [first.id])
        #expect(try record(again, .delivered) == 1)
        #expect(
            try store.claim(limit: 9, now: noon + 30, leaseEnd: noon + 90, worker: "worker").map(\.id) == [second.id])
        #expect(try store.outbox.counts() == [.delivered: 1, .sending: 2, .queued: 1])
    }

    @Test("A device is an application on a device, for any event source, user and token")
    func sameDevice() throws {
        let same = [
            delivery(to: phone), delivery(to: subscription("bob", to: weather, alias: "b", token: "t2")),
            Delivery(
                notificationID: UUID(), options: [:], target: .registration(registration("phone"), by: .device),
                createdAt: noon, expiresAt: noon + 60),
        ]
        let others = [
            delivery(to: subscription(application: "Other")), delivery(to: subscription(device: "tablet")),
        ]
        try store.outbox.enqueue(same + others)
        #expect(try store.claimAtNoon().map(\.id) == ([same[0]] + others).map(\.id))
    }

    @Test("A phone number is a device, in any spelling and for any subscriber")
    func phoneNumbers() throws {
        let subscriptions = [
            try smsSubscription("+49 170 1"), try smsSubscription("0049 (170) 1", user: "bob", application: "Reader"),
            try smsSubscription("+49 170 2"),
        ]
        let deliveries = subscriptions.map {
            Delivery(
                notificationID: UUID(), options: ["text": "Hi"], target: .sms($0), createdAt: noon,
                expiresAt: noon + 60)
        }
        try store.outbox.enqueue(deliveries)
        #expect(try store.claimAtNoon().map(\.id) == [deliveries[0].id, deliveries[2].id])
    }

    @Test("Deliveries that wait for another are queued, and listed so")
    func listed() throws {
        let deliveries = [delivery(to: phone), delivery(to: phone)]
        try store.outbox.enqueue(deliveries)
        _ = try store.claimAtNoon()
        #expect(try store.outbox.deliveries(state: .queued, limit: 9) == [deliveries[1]])
        #expect(try store.outbox.counts() == [.sending: 1, .queued: 1])
    }

    @Test("Thousands to one device do not delay a later one to another, and all are sent in order")
    func crowd() throws {
        let crowd = (0..<3000).map { _ in delivery(to: phone) }
        let behind = delivery()
        try store.outbox.enqueue(crowd + [behind])
        var claimed = try store.claimAtNoon(10)
        #expect(claimed.map(\.id) == [crowd[0].id, behind.id])
        claimed.removeLast()
        var order = [crowd[0].id]
        while order.count < 50 {
            try #require(try record(claimed, .delivered) == 1)
            claimed = try store.claimAtNoon(10)
            order += claimed.map(\.id)
        }
        #expect(order == crowd[..<50].map(\.id))
    }

    @Test("A worker that dies keeps the order: the first is released first")
    func release() throws {
        let deliveries = (0..<3).map { _ in delivery(to: phone) }
        try store.outbox.enqueue(deliveries)
        _ = try store.claimAtNoon()
        #expect(try store.outbox.release(worker: "worker") == 1)
        #expect(try folder.open().claimAtNoon().map(\.id) == [deliveries[0].id])
        #expect(try folder.open().claimAtNoon().isEmpty)
    }

    @Test("A lease that runs out lets the same one go first, not the next")
    func lease() throws {
        let deliveries = [delivery(to: phone), delivery(to: phone)]
        try store.outbox.enqueue(deliveries)
        _ = try store.claimAtNoon()
        let again = try store.claim(limit: 9, now: noon + 61, leaseEnd: noon + 99, worker: "other")
        #expect(again.map(\.id) == [deliveries[0].id])
    }
}
