import Core
import Foundation
import GRDB
import PushModel

/// The outbox in a SQLite file.
final class SQLiteOutbox: Outbox {
    let database: SQLiteDatabase
    /// The changes of deliveries since the store was opened.
    let journal: DeliveryJournal
    let time: any TimeSource
    private let accepted = AcceptedNotifications()

    init(_ database: SQLiteDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
        journal = DeliveryJournal(time: time)
    }

    func enqueue(_ deliveries: [Delivery]) throws(StoreError) {
        guard !deliveries.isEmpty else { return }
        accepted.add(deliveries)
        try database.writeAhead { (database: Database) in
            var writer = try DeliveryWriter(database)
            try writer.insert(deliveries, journal)
        }
    }

    func flush() throws(StoreError) {
        // A transaction with full synchronisation is written after all earlier transactions, and makes them durable too.
        try database.write { (database: Database) in
            try database.execute(sql: "UPDATE flush_mark SET number = number + 1")
        }
    }

    /// Does not wait for the disk: a power failure ends all claims.
    func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery] {
        guard limit > 0 else { return [] }
        let now = time.now
        let leaseEnd = now.addingTimeInterval(lease / .seconds(1))
        var claimed: [Delivery] = []
        try database.writeAhead { (database: Database) in
            var reader = try DeliveryReader(database, accepted)
            var changes = OutboxChanges()
            for channel in DeliveryChannel.allCases where channels.contains(channel) {
                let claim = DeliveryClaim(
                    database: database, channel: channel, now: now, leaseEnd: leaseEnd, worker: worker)
                claimed += try claim.take(limit: limit, reader: &reader, changes: &changes)
            }
            var targets = try CurrentTargets(database)
            for index in claimed.indices { try targets.update(&claimed[index]) }
            if !claimed.isEmpty { try changes.save(in: database, journal) }
        }
        return claimed
    }

    @discardableResult
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        guard !reports.isEmpty else { return 0 }
        return try database.write { (database: Database) in
            var recorder = try DeliveryRecorder(database, worker: worker)
            var changes = OutboxChanges()
            for report in reports { try recorder.record(report, changes: &changes) }
            try changes.save(in: database, journal)
            return recorder.released
        }
    }

    func beat(worker: String, silence: Duration) -> OutboxHeartbeat? { nil }

    func release(worker: String) throws(StoreError) -> Int { try release("worker = ?", [worker]) }

    /// Releases the deliveries of all workers, in a file that no server uses.
    func releaseAll() throws(StoreError) { _ = try release("worker IS NOT NULL", []) }

    private func release(_ condition: String, _ values: [String]) throws(StoreError) -> Int {
        try database.write { (database: Database) in
            // Always due, which keeps their order.
            var changes = OutboxChanges()
            let held = try RawStatement(database, "SELECT seq FROM delivery_progress WHERE \(condition) ORDER BY seq")
            defer { held.reset() }
            for (index, value) in values.enumerated() { try held.bind(Int32(index + 1), value) }
            while try held.step() { changes.move(held.integer(0), from: .sending, .given) }
            let count = try database.run(
                "UPDATE delivery_progress SET due = 0, worker = NULL WHERE \(condition)", values)
            try changes.save(in: database, journal)
            return count
        }
    }

    func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration? {
        let now = time.now
        return try database.read { (database: Database) in
            let isNew = try RawStatement(
                database, "SELECT cursor < last_seq FROM outbox_channel WHERE channel = ?")
            let earliest = try RawStatement(
                database,
                """
                SELECT due FROM delivery_progress INDEXED BY delivery_progress_due
                WHERE channel = ? AND due IS NOT NULL ORDER BY due LIMIT 1
                """)
            var next: Duration?
            for channel in channels {
                try isNew.bind(1, channel.rawValue)
                defer { isNew.reset() }
                if try isNew.step(), isNew.integer(0) != 0 { return .zero }
                try earliest.bind(1, channel.rawValue)
                defer { earliest.reset() }
                guard try earliest.step() else { continue }
                let wait = Duration.seconds(max(earliest.date(0).timeIntervalSince(now), 0))
                next = min(next ?? wait, wait)
            }
            return next
        }
    }

    func depth() throws(StoreError) -> OutboxDepth {
        try database.read { (database: Database) in
            let select = try RawStatement(database, "SELECT queued + sending, ended_ever FROM outbox")
            defer { select.reset() }
            guard try select.step() else { return OutboxDepth(waiting: 0, ended: 0) }
            return OutboxDepth(waiting: select.count(0), ended: select.count(1))
        }
    }
}

extension OutboxChanges {
    /// Writes them, and has them noted in the journal once they are committed.
    func save(in database: Database, _ journal: DeliveryJournal? = nil) throws {
        let columns = counts.map { "\($0.column) = \($0.column) + ?" }.joined(separator: ", ")
        let update = try RawStatement(database, "UPDATE outbox SET \(columns)")
        for (index, count) in counts.enumerated() { try update.bind(Int32(index + 1), count.change) }
        try update.run()
        let spans = spans.joined
        guard let journal, !spans.isEmpty else { return }
        database.afterNextTransaction { _ in journal.append(spans) }
    }
}

/// Looks up who gets a claimed delivery. Runs inside the caller's transaction.
struct CurrentTargets: RecipientLookup {
    private let subscription: RawStatement
    private let registration: RawStatement
    private let sms: RawStatement
    private var values = JSONValueCache()

    init(_ database: Database) throws {
        subscription = try RawStatement(
            database,
            """
            SELECT alias, platform, token, options FROM device_subscription
            WHERE adapter = ? AND event_source = ? AND user_id = ? AND device_id = ? AND application_id = ?
            """)
        registration = try RawStatement(
            database,
            """
            SELECT user_id, platform, token, EXISTS (
                SELECT 1 FROM tag_subscription AS t
                WHERE t.application_id = r.application_id AND t.tag = ? AND t.device_id = r.device_id
            ), coalesce(\(OwnershipSQL.isOfGuest), false)
            FROM device_registration AS r WHERE application_id = ? AND device_id = ?
            """)
        sms = try RawStatement(
            database,
            """
            SELECT gateway_id, alias, application_id FROM sms_subscription
            WHERE adapter = ? AND event_source = ? AND digits = ? AND user_id = ?
            """)
    }

    mutating func current(_ old: DeviceSubscription) throws -> DeviceSubscription? {
        try subscription.bind(1, old.eventSource.adapter)
        try subscription.bind(2, old.eventSource.name)
        try subscription.bind(3, old.userID)
        try subscription.bind(4, old.deviceID)
        try subscription.bind(5, old.applicationID)
        defer { subscription.reset() }
        return try subscription.step() ? try subscription.current(old, from: 0, values: &values) : nil
    }

    func registration(applicationID: String, deviceID: String, tag: String?) throws -> FoundRegistration? {
        try registration.bind(1, tag)
        try registration.bind(2, applicationID)
        try registration.bind(3, deviceID)
        defer { registration.reset() }
        guard try registration.step() else { return nil }
        return try registration.registration(applicationID: applicationID, deviceID: deviceID, from: 0)
    }

    func current(_ old: SMSSubscription) throws -> SMSSubscription? {
        try sms.bind(1, old.eventSource.adapter)
        try sms.bind(2, old.eventSource.name)
        try sms.bind(3, old.phoneNumber.digits)
        try sms.bind(4, old.userID)
        defer { sms.reset() }
        return try sms.step() ? sms.current(old, from: 0) : nil
    }
}
