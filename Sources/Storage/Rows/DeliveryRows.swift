import Foundation
import GRDB
import PushModel

/// What the operations on the outbox are made of. Each runs inside the caller's transaction.
extension Database {
    /// Writes what a notification's deliveries share, once.
    func insertNotification(_ id: UUID, options: JSONValue) throws {
        try run(
            "INSERT INTO notification (id, options) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [id.storedText, try options.storedText()])
    }

    func insert(_ delivery: Delivery) throws {
        let target = try delivery.target.storedValues()
        let columns: [(any DatabaseValueConvertible)?] = [
            delivery.id.storedText, delivery.notificationID.storedText, delivery.createdAt.timeIntervalSince1970,
            delivery.expiresAt.timeIntervalSince1970, delivery.state.rawValue, delivery.attempts,
            delivery.due.timeIntervalSince1970, delivery.endedAt?.timeIntervalSince1970,
            delivery.reason?.withoutNUL, try delivery.requests.storedText(),
        ]
        let placeholders = Array(repeating: "?", count: columns.count + target.count).joined(separator: ", ")
        try run(
            """
            INSERT INTO delivery (
                id, notification_id, created_at, expires_at, state, attempts, due, ended_at, reason, requests,
                \(DeliveryTarget.storedColumns)
            ) VALUES (\(placeholders))
            """, columns + target)
    }

    /// Writes how an attempt ended, when `worker` still holds the delivery.
    func record(_ report: DeliveryReport, worker: String) throws {
        let (state, retry, reason): (DeliveryState, Date?, String?) =
            switch report.ending {
            case .delivered: (.delivered, nil, nil)
            case .refused(let reason): (.refused, nil, reason)
            case .expired: (.expired, nil, nil)
            case .retry(let date, let reason): (.pending, date, reason)
            }
        let endedAt = retry == nil ? report.date : nil
        // An expired delivery keeps the reason of the last attempt that failed.
        try run(
            """
            UPDATE delivery SET
                state = ?, due = coalesce(?, due), worker = NULL, ended_at = ?, requests = ?,
                reason = coalesce(?, CASE ? WHEN 'expired' THEN reason END)
            WHERE id = ? AND state = 'claimed' AND worker = ?
            """,
            [
                state.rawValue, retry?.timeIntervalSince1970, endedAt?.timeIntervalSince1970,
                try report.requests.storedText(), reason?.withoutNUL, state.rawValue, report.id.storedText, worker,
            ])
    }

    /// - Parameter condition: goes behind WHERE, and may go on with ORDER BY and LIMIT.
    func deliveries(where condition: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Delivery] {
        let rows = try Row.fetchCursor(
            statement(
                """
                SELECT *, (SELECT options FROM notification WHERE id = notification_id) AS notification_options
                FROM delivery WHERE \(condition)
                """, arguments))
        var deliveries: [Delivery] = []
        var options: [UUID: JSONValue] = [:]
        while let row = try rows.next() {
            let notification = try row.uuid("notification_id")
            let shared = try options[notification] ?? row.json("notification_options")
            options[notification] = shared
            deliveries.append(try row.delivery(notificationID: notification, options: shared))
        }
        return deliveries
    }

    /// Deletes up to `limit` deliveries that ended before `date`, and the notifications that they leave behind.
    ///
    /// - Returns: how many deliveries were deleted.
    func purge(endedBefore date: Date, limit: Int) throws -> Int {
        let ended = "FROM delivery WHERE ended_at < ? ORDER BY ended_at, seq LIMIT ?"
        let arguments: [any DatabaseValueConvertible] = [date.timeIntervalSince1970, limit]
        let notifications = try String.fetchSet(
            statement("SELECT notification_id \(ended)", arguments))
        let count = try run("DELETE FROM delivery WHERE seq IN (SELECT seq \(ended))", arguments)
        for notification in notifications {
            try run(
                """
                DELETE FROM notification
                WHERE id = ? AND NOT EXISTS (SELECT 1 FROM delivery WHERE notification_id = notification.id)
                """, [notification])
        }
        return count
    }
}

extension Row {
    func uuid(_ column: String) throws -> UUID {
        guard let id = UUID(uuidString: try value(column)) else {
            throw StoredValueError(code: .corrupt, reason: "column \(column) does not hold a UUID")
        }
        return id
    }

    fileprivate func delivery(notificationID: UUID, options: JSONValue) throws -> Delivery {
        var delivery = Delivery(
            id: try uuid("id"), notificationID: notificationID, options: options,
            target: try deliveryTarget(), createdAt: try date("created_at"), expiresAt: try date("expires_at"))
        delivery.state = try choice("state")
        delivery.attempts = try value("attempts")
        delivery.due = try date("due")
        delivery.endedAt = try optionalDate("ended_at")
        delivery.reason = try value("reason")
        delivery.requests = try requests()
        return delivery
    }

    private func requests() throws -> [PushRequest] {
        guard let text: String = try value("requests") else { return [] }
        do {
            return try JSONDecoder().decode([PushRequest].self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoredValueError(code: .corrupt, reason: "column requests does not hold push requests")
        }
    }
}

extension [PushRequest] {
    /// JSON, or nothing when there are none, as for most deliveries that wait.
    fileprivate func storedText() throws -> String? {
        isEmpty ? nil : String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }
}

extension UUID {
    /// Lower case, as it goes to the push services.
    var storedText: String { uuidString.lowercased() }
}

extension String {
    /// Reasons come from outside. A NUL in one must not keep the end of a delivery from being recorded.
    fileprivate var withoutNUL: String { replacing("\0", with: "\u{FFFD}") }
}
