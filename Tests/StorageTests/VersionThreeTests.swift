import Foundation
import GRDB
import PushModel
import Storage
import Testing

@Suite("A file of the third version")
struct VersionThreeTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    private static let requests = #"[{"service":"FCM","method":"POST","url":"u","headers":[],"body":"b"}]"#

    /// Deliveries in every state and to every kind of target, named by their last digit.
    init() throws {
        folder = try TemporaryFolder()
        try folder.writeVersionThree(
            """
            INSERT INTO device_registration VALUES ('Reader', 'phone', 'ann', 'Android', 'token-1');
            INSERT INTO notification VALUES
                ('6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', '{"GCM":{"alert":"Hi"}}'),
                ('6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0002', '{"text":"Hi"}');
            INSERT INTO delivery (
                seq, id, notification_id, target, platform, adapter, event_source, user_id, device_id, application_id,
                alias, tag, token, phone_number, gateway_id, subscription_options, created_at, expires_at, state, attempts,
                due, worker, ended_at, reason, requests
            )
            SELECT
                n, '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f001' || n, '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0001', 'subscription',
                'Android', 'NewsAdapter', 'News', 'ann', device, 'Reader', 'myNews', NULL, 'token-1', NULL, NULL,
                '{"alert":true}', 1700000000, 1700086400, state, attempts, due, worker, ended, reason, requests
            FROM (
                SELECT 1 AS n, 'phone' AS device, 'pending' AS state, 2 AS attempts, 1700000030 AS due, NULL AS worker,
                    NULL AS ended, 'busy' AS reason, '\(Self.requests)' AS requests
                UNION SELECT 2, 'tablet', 'claimed', 1, 1700000120, 'me', NULL, NULL, NULL
                UNION SELECT 3, 'phone', 'pending', 0, 1700000000, NULL, NULL, NULL, NULL
                UNION SELECT 4, 'phone', 'delivered', 1, 1700000000, NULL, 1700000010, NULL, '\(Self.requests)'
                UNION SELECT 5, 'phone', 'refused', 1, 1700000000, NULL, 1700000011, 'no', NULL
                UNION SELECT 6, 'phone', 'expired', 3, 1700000000, NULL, 1700000012, 'busy', NULL
            );
            INSERT INTO delivery (
                seq, id, notification_id, target, platform, adapter, event_source, user_id, device_id, application_id,
                tag, token, phone_number, gateway_id, created_at, expires_at, state, attempts, due
            ) VALUES
                (
                    7, '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0017', '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0002', 'sms', 'SMS',
                    'NewsAdapter', 'News', 'ann', NULL, NULL, NULL, NULL, '+49 170 1', 'gate', 1700000000, 1700086400,
                    'pending', 0, 1700000000
                ),
                (
                    8, '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0018', '6b1f8d38-37a4-44a5-8d5a-6a3c4d6f0002', 'registration',
                    'Apple', NULL, NULL, NULL, 'pad', 'Reader', 'Push.ALL', 'token-9', NULL, NULL, 1700000000, 1700086400,
                    'pending', 0, 1700000000
                );
            """)
        store = try folder.open()
    }

    private func id(_ number: Int) -> UUID? { UUID(uuidString: "6b1f8d38-37a4-44a5-8d5a-6a3c4d6f001\(number)") }

    @Test("Its states have their new names, and nothing else about its deliveries has changed")
    func deliveries() throws {
        let all = try store.all().reversed() as [Delivery]
        #expect(all.map(\.id) == (1...8).map(id))
        #expect(
            all.map(\.state) == [.queued, .sending, .queued, .delivered, .refused, .expired, .queued, .queued])
        #expect(all.map(\.attempts) == [2, 1, 0, 1, 1, 3, 0, 0])
        #expect(all.map(\.reason) == ["busy", nil, nil, nil, "no", "busy", nil, nil])
        #expect(all.map(\.requests.count) == [1, 0, 0, 1, 0, 0, 0, 0])
        #expect(all.map { $0.endedAt?.timeIntervalSince(noon) } == [nil, nil, nil, 10, 11, 12, nil, nil])
        #expect(all[0].due == noon + 30 && all[1].due == noon + 120)
        #expect(all[..<6].allSatisfy { $0.options == ["GCM": ["alert": "Hi"]] && $0.expiresAt == noon + 86_400 })
        #expect(all[2].target == .subscription(subscription()))
        #expect(all[6].target == .sms(try smsSubscription()))
        #expect(
            all[7].target
                == .registration(
                    registration("pad", user: nil, platform: .apple, token: "token-9"), by: .tag("Push.ALL")))
        #expect(all[7].options == ["text": "Hi"])
    }

    @Test("Its deliveries are counted, and listed by state")
    func states() throws {
        #expect(try store.counts() == [.queued: 4, .sending: 1, .delivered: 1, .refused: 1, .expired: 1])
        #expect(try store.depth() == OutboxDepth(waiting: 5, ended: 3))
        for state in DeliveryState.allCases {
            let listed = try store.deliveries(state: state, limit: 9)
            #expect(listed == (try store.all().filter { $0.state == state }), "\(state)")
        }
    }

    @Test("What was due is handed out, and what goes to a device with one under way waits for that")
    func goesOn() throws {
        #expect(try store.claimAtNoon().map(\.id) == [id(8), id(7)])
        let again = try store.claim(limit: 9, now: noon + 30, leaseEnd: noon + 90, worker: "worker")
        #expect(again.map(\.id) == [id(1)])
        #expect(again.map(\.attempts) == [3])
        #expect(try store.record(again.map { .of($0, .delivered) }, worker: "worker") == 1)
        #expect(try store.claimAtNoon().map(\.id) == [id(3)])
        #expect(try store.release(worker: "me") == 1)
        #expect(try store.claimAtNoon().map(\.id) == [id(2)])
    }

    @Test("New deliveries get numbers of their own, and old ones can be forgotten with their notifications")
    func numbers() throws {
        try store.enqueue([delivery()])
        #expect(try store.all().count == 9)
        #expect(try store.purge(endedBefore: noon + 100) == 3)
        #expect(try folder.notificationCount() == 4)
    }
}
