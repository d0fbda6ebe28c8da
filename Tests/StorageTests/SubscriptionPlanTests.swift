import Core
import Foundation
import GRDB
import PushModel
import TestSupport
import Testing

@testable import Storage

@Suite("Search for a device's subscriptions")
struct SubscriptionPlanTests {
    /// Runs statements, and records how SQLite finds the rows of each query.
    private final class PlannedTransaction: StoreTransaction {
        private let database: any StoreTransaction
        private(set) var plans: [String] = []

        init(_ database: any StoreTransaction) { self.database = database }

        func run(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> Int {
            try note(sql, arguments)
            return try database.run(sql, arguments)
        }

        func forEachRow(_ sql: String, _ arguments: [(any StoreArgument)?], _ body: (StoreRow) throws -> Void) throws {
            try note(sql, arguments)
            try database.forEachRow(sql, arguments, body)
        }

        func indexed(by index: String) -> String { database.indexed(by: index) }

        private func note(_ sql: String, _ arguments: [(any StoreArgument)?]) throws {
            try database.forEachRow("EXPLAIN QUERY PLAN " + sql, arguments) { plans.append(try $0.value("detail")) }
        }
    }

    @Test("reads neither all subscribers of the event source nor all devices of the application")
    func search() throws {
        // PostgreSQL plans for itself.
        guard StoreEngine.current == .sqlite else { return }
        let store = try SQLStore(inMemoryAt: SystemTime())
        let subscription = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "phone", applicationID: "App",
            alias: "x", platform: .apple, token: try DeviceToken(exampleOf: "1", platform: .apple), options: [:])
        _ = try store.subscribe(subscription)
        let device = DeviceRegistration(subscription)
        let claim = DeviceClaim(
            applicationID: "App", deviceID: "phone", clientID: "c", users: [RealmUser(id: "ann", realm: "R")])
        let plans = try store.database.write { database in
            let planned = PlannedTransaction(database)
            _ = try planned.conflictingSubscriptions(of: subscription)
            _ = try planned.movableSubscriptions(of: claim, to: device)
            _ = try planned.upsert(subscription)
            _ = try planned.register(device, at: .now)
            return planned.plans
        }
        #expect(!plans.isEmpty)
        for plan in plans where plan.contains("SEARCH") || plan.contains("SCAN") {
            #expect(
                !plan.hasSuffix("(adapter=? AND event_source=?)") && !plan.hasSuffix("(application_id=?)"), "\(plan)")
            #expect(!plan.hasPrefix("SCAN device") && !plan.hasPrefix("SCAN tag"), "\(plan)")
        }
    }
}
