import Foundation
import GRDB
import PushModel

/// A worker takes deliveries of one channel. Runs inside the caller's transaction.
struct DeliveryClaim {
    let database: Database
    let channel: DeliveryChannel
    let now: Date
    let leaseEnd: Date
    let worker: String

    /// The limit on the numbers that one claim checks in search of deliveries of its channel, and on those that it puts aside because an earlier one
    /// to the device is on its way. It keeps the wait of other writers short.
    private static let searchLength: Int64 = 50_000

    /// Takes up to `limit`: up to half of them such as were begun earlier, and more if there are not enough new ones.
    func take(
        limit: Int, reader: inout DeliveryReader, changes: inout OutboxChanges
    ) throws -> [Delivery] {
        let due = try dueAgain(limit: limit)
        let new = try takeNew(
            limit: limit - min(due.count, (limit + 1) / 2), reader: &reader, changes: &changes)
        return try take(due.prefix(limit - new.count), reader: &reader, changes: &changes) + new
    }

    // MARK: Begun earlier

    private struct Due {
        let number: Int64
        let attempts: Int
        let wasSending: Bool
        let reason: String?
    }

    private func dueAgain(limit: Int) throws -> [Due] {
        let select = try RawStatement(
            database,
            """
            SELECT seq, attempts, worker IS NOT NULL, reason FROM delivery_progress INDEXED BY delivery_progress_due
            WHERE channel = ? AND due <= ? ORDER BY due, seq LIMIT ?
            """)
        defer { select.reset() }
        try select.bind(1, channel.rawValue)
        try select.bind(2, now)
        try select.bind(3, limit)
        var due: [Due] = []
        while try select.step() {
            due.append(
                Due(
                    number: select.integer(0), attempts: select.count(1), wasSending: select.integer(2) != 0,
                    reason: select.optionalText(3)))
        }
        return due
    }

    private func take(
        _ due: some Sequence<Due>, reader: inout DeliveryReader, changes: inout OutboxChanges
    ) throws -> [Delivery] {
        let select = try RawStatement(database, "SELECT \(DeliveryColumns.names) FROM delivery WHERE seq = ?")
        let update = try RawStatement(
            database,
            "UPDATE delivery_progress SET attempts = ?, due = ?, due_set_at = ?, worker = ? WHERE seq = ?")
        defer { select.reset() }
        var taken: [Delivery] = []
        for due in due {
            try select.bind(1, due.number)
            guard try select.step() else {
                throw StoredValueError(code: .corrupt, reason: "a delivery is under way and not there")
            }
            taken.append(claimed(try reader.delivery(select), attempts: due.attempts + 1, reason: due.reason))
            select.reset()
            try update.bind(1, due.attempts + 1)
            try update.bind(2, leaseEnd)
            try update.bind(3, now)
            try update.bind(4, worker)
            try update.bind(5, due.number)
            try update.run()
            if !due.wasSending { changes.move(due.number, from: .queued, .taken) }
        }
        return taken
    }

    // MARK: New

    private func takeNew(
        limit: Int, reader: inout DeliveryReader, changes: inout OutboxChanges
    ) throws -> [Delivery] {
        guard limit > 0, let (cursor, last) = try range(), cursor < last else { return [] }
        let searchEnd = min(cursor + Self.searchLength, last)
        let select = try RawStatement(
            database,
            """
            SELECT \(DeliveryColumns.names) FROM delivery
            WHERE seq > ? AND seq <= ? AND channel = ? AND begun = 0 ORDER BY seq
            """)
        defer { select.reset() }
        try select.bind(1, cursor)
        try select.bind(2, searchEnd)
        try select.bind(3, channel.rawValue)
        let isOccupied = try RawStatement(database, "SELECT 1 FROM delivery_progress WHERE lane = ? LIMIT 1")
        let insert = try RawStatement(
            database,
            """
            INSERT INTO delivery_progress (seq, lane, channel, attempts, due, due_set_at, worker)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
        try insert.bind(3, channel.rawValue)
        try insert.bind(6, now)
        var taken: [Delivery] = []
        var reached = searchEnd
        while try select.step() {
            let delivery = try reader.delivery(select)
            let number = select.integer(0)
            let lane = OrderingKey(delivery.target).number
            try isOccupied.bind(1, lane)
            let mustWait = try isOccupied.step()
            isOccupied.reset()
            try insert.bind(1, number)
            try insert.bind(2, lane)
            try insert.bind(4, mustWait ? 0 : 1)
            try insert.bind(5, mustWait ? nil : leaseEnd)
            try insert.bind(7, mustWait ? nil : worker)
            try insert.run()
            guard !mustWait else { continue }
            taken.append(claimed(delivery, attempts: 1, reason: nil))
            changes.move(number, from: .queued, .taken)
            if taken.count == limit {
                reached = number
                break
            }
        }
        let advance = try RawStatement(database, "UPDATE outbox_channel SET cursor = ? WHERE channel = ?")
        try advance.bind(1, reached)
        try advance.bind(2, channel.rawValue)
        try advance.run()
        return taken
    }

    /// Returns the last number that was checked, and the last that exists.
    private func range() throws -> (cursor: Int64, last: Int64)? {
        let select = try RawStatement(database, "SELECT cursor, last_seq FROM outbox_channel WHERE channel = ?")
        try select.bind(1, channel.rawValue)
        defer { select.reset() }
        return try select.step() ? (select.integer(0), select.integer(1)) : nil
    }

    private func claimed(_ delivery: Delivery, attempts: Int, reason: String?) -> Delivery {
        var delivery = delivery
        delivery.state = .sending
        delivery.attempts = attempts
        delivery.claim = StoreNumber(Int64(attempts))
        delivery.due = leaseEnd
        delivery.reason = reason
        return delivery
    }
}
