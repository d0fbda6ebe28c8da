import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Enqueueing", .everyStore)
struct EnqueueTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("An enqueued delivery is read back whole")
    func roundTrip() throws {
        var whole = delivery(age: 5, to: subscription(platform: .apple, options: ["badge": false]))
        whole.attempts = 2
        whole.due = noon + 7
        whole.reason = "503 \u{1F56F}"
        whole.requests = [request, request]
        try store.outbox.enqueue([whole])
        #expect(try store.all() == [whole])
    }

    @Test("A delivery may be refused from the start")
    func endedFromTheStart() throws {
        var refused = delivery()
        refused.state = .refused
        refused.endedAt = noon
        refused.reason = "MPNS is no more"
        try store.outbox.enqueue([refused])
        #expect(try store.all() == [refused])
        #expect(try store.nextDue() == nil)
    }

    @Test("No deliveries are no work")
    func nothing() throws {
        try store.outbox.enqueue([])
        #expect(try store.outbox.counts().values.reduce(0, +) == 0)
    }

    @Test("The options of one notification are stored once")
    func sharedOptions() throws {
        let notification = UUID()
        try store.outbox.enqueue((0..<50).map { _ in delivery(notificationID: notification) })
        #expect(try folder.notificationCount() == 1)
        #expect(Set(try store.all().map(\.options)) == [delivery().options])
    }

    @Test("A claim gets the contents that were enqueued, each notification its own, without reading them again")
    func sharedContents() throws {
        let contents = ["for ann", "for bob"].map { NotificationContent(["GCM": ["alert": .string($0)]]) }
        let targets = ["ann", "bob"].map { subscription($0, device: $0) }
        for target in targets { _ = try store.subscribe(target) }
        try store.outbox.enqueue(zip(contents, targets).map(Self.new))
        let claimed = try store.claimAtNoon().sorted { ($0.target.userID ?? "") < ($1.target.userID ?? "") }
        #expect(claimed.count == 2)
        #expect(zip(claimed, contents).allSatisfy { $0.content === $1 })
    }

    private static func new(_ content: NotificationContent, to target: DeviceSubscription) -> Delivery {
        Delivery(
            notificationID: UUID(), content: content, target: .subscription(target), createdAt: noon,
            expiresAt: noon + 60)
    }

    @Test("One delivery that cannot be stored stops all")
    func allOrNone() throws {
        let known = delivery()
        try store.outbox.enqueue([known])
        let impossible = delivery(to: subscription("ann\u{0}bob"))
        #expect(
            code { () throws(StoreError) in try store.outbox.enqueue([delivery(), delivery(), impossible]) } == .other)
        #expect(try store.all() == [known])
        #expect(try folder.notificationCount() == 1)
    }

    @Test("A notification to ten thousand devices is one call, claimed and recorded in batches of five hundred")
    func fanOut() throws {
        let notification = UUID()
        let deliveries = (0..<10_000).map {
            delivery(notificationID: notification, to: subscription("user \($0)", device: "device \($0)"))
        }
        try store.outbox.enqueue(deliveries)
        #expect(try store.outbox.counts() == [.queued: 10_000])

        var order: [UUID] = []
        while case let batch = try store.claimAtNoon(500), !batch.isEmpty {
            order += batch.map(\.id)
            try store.outbox.record(batch.map { .of($0, .delivered, requests: [request]) }, worker: "worker")
        }
        #expect(order == deliveries.map(\.id))
        #expect(try store.outbox.counts() == [.delivered: 10_000])
    }
}
