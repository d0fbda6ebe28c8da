import Core
import Foundation
import PushModel

extension PostgreSQLOutbox: BroadcastStore {
    func begin(_ broadcast: Broadcast) throws(StoreError) {
        let notification = try database.concurrently(ahead: true) { transaction -> Int64? in
            let known = try transaction.row("SELECT seq FROM broadcast WHERE id = ?", [broadcast.id.uuidString])
            guard known == nil, try transaction.beginMessage(broadcast.id) else { return nil }
            let notification = try transaction.insertNotification(
                NotificationKey(broadcast), NotificationContent(broadcast.options))
            try transaction.run(
                """
                INSERT INTO broadcast (id, notification, application_id, kind, part, deliveries) VALUES (?, ?, ?, ?, 0, 0)
                """,
                [broadcast.id.uuidString, notification, broadcast.applicationID, broadcast.target.kind.rawValue])
            for (number, value) in broadcast.target.values.enumerated() {
                try transaction.run(
                    "INSERT INTO broadcast_part (broadcast_id, number, value) VALUES (?, ?, ?)",
                    [broadcast.id.uuidString, number, value])
            }
            return notification
        }
        if let notification { accept([notification: broadcast.id]) }
    }

    /// Locks the row of the broadcast, so servers take turns. The deliveries are created in the database, which returns only their
    /// numbers.
    func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep? {
        try change(ahead: true) { transaction, changes in
            guard
                let row = try transaction.row(
                    """
                    SELECT notification, application_id, kind, part, after_device, deliveries FROM broadcast
                    WHERE id = ? FOR UPDATE
                    """, [id.uuidString])
            else { return nil }
            let notification: Int64 = try row.value("notification")
            let applicationID: String = try row.value("application_id")
            let kind: TargetPart.Kind = try row.choice("kind")
            let now = try now(in: transaction)
            let page = RegistrationPage(part: try row.value("part"), afterDevice: try row.value("after_device"))
            let (count, next) = try transaction.walk(
                from: page, limit: max(limit, 1),
                part: { try transaction.broadcastPart(of: id.uuidString, kind: kind, number: $0) }
            ) { part, device, wanted in
                let query = RecipientQuery(part, of: applicationID, after: device, limit: wanted, in: transaction)
                guard part.kind != .eventSource else {
                    let made = try transaction.rows(
                        Self.insert(subscriptions: query.sql), query.arguments + [notification, now, now])
                    for row in made { changes.add(try row.value(at: 0), in: .queued) }
                    let last = try made.last.map {
                        SubscriberPosition(userID: try $0.value(at: 1), deviceID: try $0.value(at: 2)).text
                    }
                    return (made.count, last)
                }
                let made = try transaction.rows(
                    Self.insert(query.sql),
                    query.arguments + [notification, now, now, part.address.tag, part.kind == .user])
                for row in made { changes.add(try row.value(at: 0), in: .queued) }
                return (made.count, try made.last?.value(at: 1))
            }
            let total = try row.value("deliveries") + count
            if let next {
                try transaction.run(
                    "UPDATE broadcast SET part = ?, after_device = ?, deliveries = ? WHERE id = ?",
                    [next.part, next.afterDevice, total, id.uuidString])
            } else {
                // Its parts go with it.
                try transaction.run("DELETE FROM broadcast WHERE id = ?", [id.uuidString])
                if total == 0 {
                    try transaction.run("DELETE FROM notification WHERE seq = ?", [notification])
                    forget(notification)
                }
            }
            return BroadcastStep(enqueued: count, isLast: next == nil)
        }
    }

    func endBroadcast(_ id: UUID) throws(StoreError) {
        try database.concurrently { transaction in
            _ = try transaction.run("DELETE FROM broadcast WHERE id = ?", [id.uuidString])
        }
    }

    func unfinishedBroadcasts() throws(StoreError) -> [UUID] {
        try database.read { transaction in
            try transaction.rows("SELECT id FROM broadcast ORDER BY seq").map { try $0.uuid("id") }
        }
    }

    /// Creates deliveries to the registrations of a query, and returns the number and the device of each.
    private static func insert(_ registrations: String) -> String {
        """
        WITH page AS MATERIALIZED (\(registrations)), new AS (
            INSERT INTO delivery (id, notification, lane, due, due_set_at, channel, attempts, user_id, device_id, application_id, tag,
                token, is_for_user)
            SELECT gen_random_uuid(), ?::bigint, hashtextextended(\(DeliveryArrays.laneOfDevice), 0), ?::float8, ?::float8,
                \(channel), 0, user_id, device_id, application_id, ?::text, token, ?::boolean
            FROM page ORDER BY device_id
            RETURNING seq, device_id
        )
        SELECT seq, device_id FROM new ORDER BY seq
        """
    }

    /// Creates deliveries to the subscriptions of a query, and returns the number, the user and the device of each.
    private static func insert(subscriptions: String) -> String {
        """
        WITH page AS MATERIALIZED (\(subscriptions)), new AS (
            INSERT INTO delivery (id, notification, lane, due, due_set_at, channel, attempts, user_id, device_id, application_id, alias,
                token, subscription_options)
            SELECT gen_random_uuid(), ?::bigint, hashtextextended(\(DeliveryArrays.laneOfDevice), 0), ?::float8, ?::float8,
                \(channel), 0, user_id, device_id, application_id, alias, token, options
            FROM page ORDER BY user_id, device_id
            RETURNING seq, user_id, device_id
        )
        SELECT seq, user_id, device_id FROM new ORDER BY seq
        """
    }

    /// The channel of a registration.
    private static let channel: String = {
        let cases = DeliveryChannel.allCases.compactMap { channel in
            channel.platform.map { "WHEN '\($0.rawValue)' THEN \(channel.rawValue)" }
        }
        return "CASE platform \(cases.joined(separator: " ")) END"
    }()
}
