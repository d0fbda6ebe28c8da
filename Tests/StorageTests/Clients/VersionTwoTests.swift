import Foundation
import GRDB
import PushModel
import Storage
import Testing

@Suite("A file of the second version")
struct VersionTwoTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    /// Ann with a phone, a number and a delivery to each.
    init() throws {
        folder = try TemporaryFolder()
        try folder.writeVersionTwo(
            """
            INSERT INTO user_subscription VALUES ('NewsAdapter', 'News', 'ann', '{"seen":3}');
            INSERT INTO device_subscription VALUES
                ('NewsAdapter', 'News', 'ann', 'phone', 'Reader', 'myNews', 'Android', 'token-1', '{"alert":true}');
            INSERT INTO sms_subscription VALUES
                ('NewsAdapter', 'News', '491701', '+49 170 1', 'gate', 'ann', NULL, NULL);
            INSERT INTO device_registration VALUES ('Reader', 'phone', 'ann', 'Android', 'token-1');
            INSERT INTO tag_subscription VALUES ('Reader', 'Push.ALL', 'phone'), ('Reader', 'sport', 'phone');
            INSERT INTO notification VALUES ('6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', '{"GCM":{"alert":"Hi"}}');
            INSERT INTO delivery (
                id, notification_id, target, platform, adapter, event_source, user_id, device_id, application_id, alias,
                token, subscription_options, created_at, expires_at, state, attempts, due
            ) VALUES (
                '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0002', '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', 'subscription',
                'Android', 'NewsAdapter', 'News', 'ann', 'phone', 'Reader', 'myNews', 'token-1', '{"alert":true}',
                1700000000, 1700086400, 'pending', 0, 1700000000
            );
            """)
        store = try folder.open()
    }

    @Test("Its subscriptions, registrations and deliveries are as they were")
    func kept() throws {
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [subscription()])
        #expect(try store.userSubscription(eventSource: news, userID: "ann")?.state == ["seen": 3])
        #expect(try store.smsSubscriptions(eventSource: nil, userID: "ann") == [try smsSubscription()])
        #expect(try store.tags(applicationID: "Reader", deviceID: "phone") == ["Push.ALL", "sport"])
        let claimed = try store.claimAtNoon()
        #expect(claimed.map(\.target) == [.subscription(subscription())])
        #expect(claimed.map(\.options) == [["GCM": ["alert": "Hi"]]])
    }

    @Test("It holds nothing of clients yet, and can from now on")
    func clients() throws {
        let owner = try PreferenceOwner(applicationID: "Reader", kind: .user, name: "ann")
        #expect(try store.applicationRules().isEmpty)
        #expect(try store.preferences(of: owner).isEmpty)
        #expect(try store.oauthClient("client-1") == nil)
        try store.setApplicationRule(rule())
        try store.setPreferences(preferences(["size"]), of: owner)
        #expect(try store.addOAuthClient(oauthClient()))
        let again = try folder.open()
        #expect(try again.applicationRules() == [rule()])
        #expect(try again.preferences(of: owner) == preferences(["size"]))
        #expect(try again.oauthClient("client-1") == oauthClient())
    }

    @Test("It has the tables and columns of a new file")
    func schema() throws {
        let columns = { (folder: TemporaryFolder) in
            try folder.otherConnection().read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT s.type AS type, s.name AS name, c.name AS part, c.type AS kind, c."notnull" AS needed
                        FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c
                        WHERE s.type = 'table' OR s.sql IS NOT NULL ORDER BY 1, 2, c.cid
                        """
                )
                .map(\.description)
            }
        }
        let new = try TemporaryFolder()
        _ = try new.open()
        #expect(try columns(folder) == columns(new))
        #expect(try columns(new).contains { $0.contains("oauth_client") })
        let violations = try folder.otherConnection().read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check") }
        #expect(violations.isEmpty)
    }
}
