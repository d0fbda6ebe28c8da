import Core
import Foundation
import GRDB
import PushModel

extension SQLiteOutbox: BroadcastStore {
    func begin(_ broadcast: Broadcast) throws(StoreError) {
        try database.writeAhead { (database: Database) in
            guard try database.beginMessage(broadcast.id) else { return }
            let inserted = try database.run(
                """
                INSERT INTO broadcast (id, application_id, kind, options, created_at, expires_at, part)
                VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING
                """,
                [
                    broadcast.id.storedText, broadcast.applicationID, broadcast.target.kind.rawValue,
                    try broadcast.options.storedText(), broadcast.createdAt.timeIntervalSince1970,
                    broadcast.expiresAt.timeIntervalSince1970,
                ])
            guard inserted > 0 else { return }
            for (number, value) in broadcast.target.values.enumerated() {
                try database.run(
                    "INSERT INTO broadcast_part (broadcast_id, number, value) VALUES (?, ?, ?)",
                    [broadcast.id.storedText, number, value])
            }
        }
    }

    func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep? {
        var step: BroadcastStep?
        try database.writeAhead { (database: Database) in
            step = try database.expandBroadcast(id, limit: max(limit, 1), journal)
        }
        return step
    }

    func endBroadcast(_ id: UUID) throws(StoreError) {
        try database.write { (database: Database) in
            _ = try database.run("DELETE FROM broadcast WHERE id = ?", [id.storedText])
        }
    }

    func unfinishedBroadcasts() throws(StoreError) -> [UUID] {
        try database.read { (database: Database) in
            try database.rows("SELECT id FROM broadcast ORDER BY seq").map { try $0.uuid("id") }
        }
    }
}

extension Database {
    /// Makes the next deliveries of a broadcast and notes how far it has come.
    func expandBroadcast(_ id: UUID, limit: Int, _ journal: DeliveryJournal) throws -> BroadcastStep? {
        guard let row = try row("SELECT * FROM broadcast WHERE id = ?", [id.storedText]) else {
            return nil
        }
        let kind: TargetPart.Kind = try row.choice("kind")
        let (targets, next) = try targets(
            applicationID: try row.value("application_id"),
            from: RegistrationPage(part: try row.value("part"), afterDevice: try row.value("after_device")),
            limit: limit, part: { try broadcastPart(of: id.storedText, kind: kind, number: $0) })
        if !targets.isEmpty {
            let content = NotificationContent(try row.json("options"))
            let (createdAt, expiresAt) = (try row.date("created_at"), try row.date("expires_at"))
            var writer = try DeliveryWriter(self)
            try writer.insert(
                targets.lazy.map { target in
                    Delivery(
                        notificationID: id, content: content, target: target, createdAt: createdAt, expiresAt: expiresAt
                    )
                }, journal)
        }
        if let next {
            try run(
                "UPDATE broadcast SET part = ?, after_device = ? WHERE id = ?",
                [next.part, next.afterDevice, id.storedText])
        } else {
            // Its parts go with it.
            try run("DELETE FROM broadcast WHERE id = ?", [id.storedText])
        }
        return BroadcastStep(enqueued: targets.count, isLast: next == nil)
    }
}
