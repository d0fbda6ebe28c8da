import Core
import Foundation
import PushModel
import Storage

/// Measures the lists of the management API; `benchmarks/lists` fills the tables of devices and subscriptions.
enum Listing {
    private static let environment = ProcessInfo.processInfo.environment

    /// The store at `ADDRESS` in PostgreSQL, or else in the folder `FOLDER`.
    private static func store() throws -> SQLStore {
        if let address = environment["ADDRESS"].flatMap({ PostgreSQLAddress($0) }) { return try SQLStore(address) }
        return try SQLStore(folder: environment["FOLDER"] ?? "lists")
    }

    /// Makes `ROWS` deliveries to as many devices of a quarter as many users: half of them end, of which each tenth is refused.
    static func prepare() throws {
        let (store, rows) = (try store(), Int(environment["ROWS"] ?? "") ?? 1_000_000)
        let (batch, start) = (2000, Date().addingTimeInterval(-86_400))
        for first in stride(from: 0, to: rows, by: batch) {
            let notification = UUID()
            let date = start.addingTimeInterval(Double(first) / Double(rows) * 86_000)
            try store.outbox.enqueue(
                (first..<first + batch).map { number in
                    Delivery(
                        notificationID: notification, options: ["alert": "The lamps are lit"],
                        subscription: subscription(number), createdAt: date, expiresAt: date.addingTimeInterval(864_000)
                    )
                })
        }
        var ended = 0
        while ended < rows / 2 {
            let claimed = try store.outbox.claim(limit: batch, lease: .seconds(600), worker: "benchmark")
            let reports = claimed.enumerated().map { index, delivery in
                DeliveryReport(
                    on: delivery, ending: index % 10 == 0 ? .refused(reason: "UNREGISTERED") : .delivered, date: Date())
            }
            try store.outbox.record(reports, worker: "benchmark")
            ended += claimed.count
        }
    }

    private static func subscription(_ number: Int) -> DeviceSubscription {
        DeviceSubscription(
            eventSource: EventSourceID(adapter: "News", name: "Storms"), userID: "user-\(number % 250_000)",
            deviceID: "device-\(number)",
            applicationID: number % 100_000 == 7 ? "com.example.rare" : "com.example.news",
            alias: "storms", platform: .android, token: DeviceToken(stored: "token-\(number)"), options: ["alert": true]
        )
    }

    /// Times the first page of each list, and a page in the middle.
    static func measure() throws {
        let store = try store()
        let middle = Int64((Int(environment["ROWS"] ?? "") ?? 1_000_000) / 2)
        let someID = try store.outbox.deliveries(state: nil, limit: 1).first?.notificationID
        let news = EventSourceID(adapter: "News", name: "Storms")
        func deliveries(_ filter: DeliveryFilter, before: Int64? = nil) -> () throws -> Int {
            { try store.outbox.deliveries(matching: filter, before: before, limit: 100).items.count }
        }
        func devices(_ filter: DeviceFilter, after: DevicePosition? = nil) -> () throws -> Int {
            { try store.devices(matching: filter, after: after, limit: 100).items.count }
        }
        func subscriptions(_ filter: SubscriptionFilter) -> () throws -> Int {
            { try store.subscriptions(matching: filter, after: nil, limit: 100).items.count }
        }
        let lists: [(String, () throws -> Int)] = [
            ("deliveries", deliveries(.init())), ("deliveries, in the middle", deliveries(.init(), before: middle)),
            ("deliveries, queued", deliveries(.init(state: .queued))),
            ("deliveries, delivered", deliveries(.init(state: .delivered))),
            ("deliveries, refused", deliveries(.init(state: .refused))),
            ("deliveries of a user", deliveries(.init(userID: "user-4711"))),
            ("deliveries to a device", deliveries(.init(deviceID: "device-4711"))),
            ("deliveries of a rare application", deliveries(.init(applicationID: "com.example.rare"))),
            ("deliveries of a message", deliveries(.init(notificationID: someID))),
            ("deliveries since an hour", deliveries(.init(since: Date().addingTimeInterval(-3600)))),
            (
                "deliveries since 20 hours, refused",
                deliveries(.init(state: .refused, since: Date().addingTimeInterval(-72_000)))
            ),
            ("users", { try store.users(startingWith: "", after: nil, limit: 100).items.count }),
            ("users, prefix", { try store.users(startingWith: "user-1234", after: nil, limit: 100).items.count }),
            ("devices", devices(.init())),
            (
                "devices, in the middle",
                devices(.init(), after: .init(applicationID: "com.example.news", deviceID: "device-5"))
            ),
            ("devices, prefix", devices(.init(idPrefix: "device-1234"))),
            ("devices of a user", devices(.init(userID: "user-4711"))),
            ("devices of a platform", devices(.init(platform: .android))),
            ("devices of a tag", devices(.init(tag: "storms"))),
            ("devices of a tag and a user", devices(.init(userID: "user-4711", tag: "storms"))),
            ("subscriptions", subscriptions(.init())),
            ("subscriptions to an event source", subscriptions(.init(eventSource: news))),
            ("subscriptions of a user", subscriptions(.init(userID: "user-4711"))),
            ("subscriptions of a rare application", subscriptions(.init(applicationID: "com.example.rare"))),
        ]
        for (name, list) in lists {
            var (times, count) = ([Duration](), 0)
            for _ in 0..<21 {
                let start = ContinuousClock.now
                count = try list()
                times.append(ContinuousClock.now - start)
            }
            let first = times[0] / .milliseconds(1)
            let sorted = times.sorted().map { $0 / .milliseconds(1) }
            print(
                String(
                    format: "%@ first %6.1f ms, median %6.1f ms, longest %6.1f ms, %d items",
                    name.padding(toLength: 38, withPad: " ", startingAt: 0), first, sorted[10], sorted[20], count))
        }
    }
}
