import Foundation
import GRDB
import PushModel
import Storage
import Testing

@Suite("A file of the first version")
struct MigrationTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    /// Ann's and bob's subscriptions on one phone, and a delivery in each of four states.
    init() throws {
        folder = try TemporaryFolder()
        try folder.writeVersionOne(
            """
            INSERT INTO user_subscription VALUES
                ('NewsAdapter', 'News', 'ann', '{"seen":3}'), ('NewsAdapter', 'Sport', 'bob', '{}');
            INSERT INTO device_subscription VALUES
                ('NewsAdapter', 'News', 'ann', 'phone', 'Reader', 'myNews', 'Android', 'token-1', '{"alert":true}'),
                ('NewsAdapter', 'News', 'ann', 'tablet', 'Reader', 'myNews', 'Apple', 'token-2', '{"alert":true}'),
                ('NewsAdapter', 'Sport', 'bob', 'phone', 'Reader', 'mySport', 'Android', 'token-1', '{}');
            INSERT INTO notification VALUES ('6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', '{"GCM":{"alert":"Hi"}}');
            INSERT INTO delivery (
                id, notification_id, adapter, event_source, user_id, device_id, application_id, alias, platform, token,
                subscription_options, created_at, expires_at, state, attempts, due, worker, ended_at, reason, requests
            )
            SELECT
                '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f000' || n, '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', 'NewsAdapter', 'News',
                'ann', 'phone', 'Reader', 'myNews', 'Android', 'token-1', '{"alert":true}', 1700000000, 1700086400, state,
                n, 1700000000 + n, worker, ended, reason, NULL
            FROM (
                SELECT 2 AS n, 'pending' AS state, NULL AS worker, NULL AS ended, 'busy' AS reason
                UNION SELECT 3, 'claimed', 'me', NULL, NULL
                UNION SELECT 4, 'delivered', NULL, 1700000010, NULL
                UNION SELECT 5, 'refused', NULL, 1700000010, 'no'
            );
            INSERT INTO poll VALUES ('NewsAdapter', 'News', 60, NULL, 1700000000, 2);
            """)
        store = try folder.open()
    }

    @Test("Its subscriptions and states are as they were")
    func subscriptions() throws {
        #expect(
            try store.deviceSubscriptions(matching: SubscriptionFilter(eventSource: news)) == [
                subscription(), subscription(device: "tablet", platform: .apple, token: "token-2"),
            ])
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == ["seen": 3])
        #expect(try store.pollRecord(of: news)?.consecutiveFailures == 2)
    }

    @Test("Its deliveries go to the subscriptions they went to, and are in the states they were in")
    func deliveries() throws {
        let all = try store.all().sorted { $0.attempts < $1.attempts }
        #expect(all.map(\.state) == [.queued, .sending, .delivered, .refused])
        #expect(all.map(\.attempts) == [2, 3, 4, 5])
        #expect(all.map(\.reason) == ["busy", nil, nil, "no"])
        #expect(all.map { $0.due.timeIntervalSince(noon) } == [2, 3, 10, 10])
        #expect(all.map(\.endedAt) == [nil, nil, noon + 10, noon + 10])
        #expect(all.allSatisfy { $0.target == .subscription(subscription()) })
        #expect(all.allSatisfy { $0.options == ["GCM": ["alert": "Hi"]] && $0.expiresAt == noon + 86_400 })
    }

    @Test("Its worker takes up again what it held, and the outbox goes on")
    func outbox() throws {
        #expect(try store.release(worker: "me") == 1)
        let claimed = try store.claim(limit: 10, now: noon + 5, leaseEnd: noon + 60, worker: "me")
        #expect(claimed.count == 2)
        try store.record(claimed.map { .of($0, .delivered) }, worker: "me")
        try store.enqueue([delivery()])
        #expect(try store.counts() == [.delivered: 3, .refused: 1, .queued: 1])
        #expect(try store.purge(endedBefore: noon + 100) == 4)
        #expect(try folder.notificationCount() == 1)
    }

    @Test("Its devices are registered once each, with their latest user, and get broadcasts")
    func registrations() throws {
        #expect(
            try store.recipients(of: .everybody) == [
                BroadcastRecipient(registration(user: "bob", token: "token-1"), by: .tag("Push.ALL")),
                BroadcastRecipient(registration("tablet", platform: .apple, token: "token-2"), by: .tag("Push.ALL")),
            ])
    }

    @Test("It has the tables of a new file, and opens again")
    func schema() throws {
        let tables = { (folder: TemporaryFolder) in
            try folder.otherConnection().read { database in
                try Row.fetchAll(
                    database,
                    sql: "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
                )
                .map { "\($0["type"] as String) \($0["name"] as String) on \($0["tbl_name"] as String)" }
            }
        }
        let new = try TemporaryFolder()
        _ = try new.open()
        #expect(try tables(folder) == tables(new))
        #expect(try folder.open().all().count == 4)
        let violations = try folder.otherConnection().read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check") }
        #expect(violations.isEmpty)
    }
}
