import Core
import Foundation
import GRDB
import PushModel

/// Writes new deliveries and what follows from them. Runs inside the caller's transaction.
struct DeliveryWriter {
    private let database: Database
    private let insert: RawStatement
    private var notifications: NotificationRows
    private var texts = JSONTextCache()
    private var changes = OutboxChanges()
    private var number: Int64
    private var lastOfChannel: [DeliveryChannel: Int64] = [:]

    init(_ database: Database) throws {
        self.database = database
        let last = try RawStatement(database, "SELECT last_seq FROM outbox")
        defer { last.reset() }
        guard try last.step() else { throw StoredValueError(code: .corrupt, reason: "the table outbox is empty") }
        number = last.integer(0)
        notifications = NotificationRows(database)
        let parameters = Array(repeating: "?", count: Int(DeliveryColumns.count)).joined(separator: ", ")
        insert = try RawStatement(database, "INSERT INTO delivery (\(DeliveryColumns.names)) VALUES (\(parameters))")
    }

    mutating func insert(_ deliveries: some Sequence<Delivery>, _ journal: DeliveryJournal) throws {
        for delivery in deliveries {
            number += 1
            let hasBegun = delivery.state != .queued || delivery.attempts > 0 || delivery.due > delivery.createdAt
            let channel = delivery.target.channel
            try insert.bind(1, number)
            try insert.bind(2, delivery.id)
            try insert.bind(3, try notifications.add(delivery))
            try insert.bind(4, channel.rawValue)
            try insert.bind(5, hasBegun ? 1 : 0)
            try insert.bind(delivery.target, from: 6, texts: &texts)
            try insert.run()
            changes.add(number, in: delivery.state)
            if hasBegun { try insertStanding(of: delivery) } else { lastOfChannel[channel] = number }
        }
        try save(journal)
    }

    /// Writes the data that the deliveries share, and the numbers of new deliveries.
    private mutating func save(_ journal: DeliveryJournal) throws {
        try notifications.save()
        try changes.save(in: database, journal)
        let last = try RawStatement(database, "UPDATE outbox SET last_seq = ?")
        try last.bind(1, number)
        try last.run()
        let update = try RawStatement(database, "UPDATE outbox_channel SET last_seq = ? WHERE channel = ?")
        for (channel, number) in lastOfChannel {
            try update.bind(1, number)
            try update.bind(2, channel.rawValue)
            try update.run()
        }
    }

    /// Writes the state of a delivery that is not a new one.
    private mutating func insertStanding(of delivery: Delivery) throws {
        if let endedAt = delivery.endedAt {
            if delivery.state.isEnd { changes.ended += 1 }
            let end = try DeliveryEndWriter(database)
            try end.insert(
                number, state: delivery.state, attempts: delivery.attempts, endedAt: endedAt,
                serviceID: delivery.serviceID, reason: delivery.reason,
                requests: try delivery.requests.storedText(), failures: try delivery.failures.storedText())
        } else {
            let progress = try RawStatement(
                database,
                """
                INSERT INTO delivery_progress (seq, lane, channel, attempts, due, due_set_at, reason, requests, failures)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
            try progress.bind(1, number)
            try progress.bind(2, OrderingKey(delivery.target).number)
            try progress.bind(3, delivery.target.channel.rawValue)
            try progress.bind(4, delivery.attempts)
            try progress.bind(5, delivery.due)
            try progress.bind(6, delivery.createdAt)
            try progress.bind(7, delivery.reason?.withoutNUL)
            try progress.bind(8, try delivery.requests.storedText())
            try progress.bind(9, try delivery.failures.storedText())
            try progress.run()
        }
    }
}
