import Core
import Foundation
import PushModel
import Synchronization

/// State that claims keep for the next claim.
struct ClaimState {
    var looks: [DeliveryChannel: ClaimPosition] = [:]
    /// The times of failed claims whose transaction may have been committed.
    var unknown: [Double] = []
}

/// The position in a channel's index at which the next claim starts.
struct ClaimPosition {
    /// The due time of the last delivery that a claim read.
    var due: Double
    /// The uptime of the last scan from the beginning of the index.
    var lookedAtAll: Duration
}

/// Claiming.
extension PostgreSQLOutbox {
    /// A claim starts five seconds before the due time of the last claimed delivery, and every five seconds at the beginning of the
    /// index. Otherwise each claim would step over the index entries of all earlier ones while a long transaction blocks vacuum.
    private static let lookBack = 5.0

    /// The maximum number of queries per claim, and the number of rows of each after the first.
    private static let (longestSearch, searchStep) = (25, 2000)

    /// Commits asynchronously: a claim that a power failure undoes has no holder any more.
    func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery] {
        guard limit > 0, !channels.isEmpty else { return [] }
        var begun: Double?
        do {
            return try claim(limit, of: channels, lease, worker) { begun = $0 }
        } catch {
            if let begun { claims.withLock { $0.unknown.append(begun) } }
            throw error
        }
    }

    /// - Parameter isAboutTo: called with the database's time before the transaction updates deliveries.
    private func claim(
        _ limit: Int, of channels: Set<DeliveryChannel>, _ lease: Duration, _ worker: String,
        isAboutTo: (Double) -> Void
    ) throws(StoreError) -> [Delivery] {
        let former = claims.withLock { $0 }
        let (claimed, next) = try change(ahead: true) { transaction, changes -> ([Delivery], ClaimState) in
            let now = try now(in: transaction)
            var numbers: [Int64] = []
            var looks = former.looks
            for time in former.unknown { try giveBack(claimedAt: time, worker: worker, now: now, in: transaction) }
            for channel in DeliveryChannel.allCases where channels.contains(channel) {
                numbers += try choose(limit, of: channel, now: now, &looks[channel], in: transaction, &changes)
            }
            guard !numbers.isEmpty else { return ([], ClaimState(looks: looks)) }
            isAboutTo(now)
            let leaseEnd = now + lease / .seconds(1)
            try transaction.run(
                """
                UPDATE delivery SET attempts = attempts + 1, worker = ?, due = ?, due_set_at = ?
                WHERE seq = ANY (?::bigint[])
                """, [worker, leaseEnd, now, PostgreSQLArray(numbers)])
            return (
                try read(numbers, leaseEnd: leaseEnd - lead(at: now), in: transaction),
                ClaimState(looks: looks)
            )
        }
        claims.withLock { $0 = next }
        return claimed
    }

    /// Releases the deliveries of a failed claim whose transaction was committed.
    private func giveBack(
        claimedAt time: Double, worker: String, now: Double, in transaction: any StoreTransaction
    ) throws {
        let count = try transaction.run(
            """
            UPDATE delivery SET due = ?, due_set_at = ?, worker = NULL
            WHERE worker = ? AND due_set_at = ? AND attempts > 0
            """, [now, now, worker, time])
        var changes = OutboxChanges()
        changes.add(.sending, -count)
        changes.add(.queued, count)
        try save(changes, in: transaction)
    }

    /// Selects claimable deliveries, and flags deliveries as waiting when another one of their lane comes first.
    private func choose(
        _ limit: Int, of channel: DeliveryChannel, now: Double, _ lastLook: inout ClaimPosition?,
        in transaction: any StoreTransaction, _ changes: inout OutboxChanges
    ) throws -> [Int64] {
        var look = lastLook ?? ClaimPosition(due: 0, lookedAtAll: .zero)
        // The clock may have been set back since.
        var place: (due: Double, number: Int64) = (min(look.due, now) - Self.lookBack, 0)
        if uptime - look.lookedAtAll >= .seconds(Self.lookBack) {
            place = (-.infinity, 0)
            look.lookedAtAll = uptime
        }
        var chosen: [Int64] = []
        for step in 0..<Self.longestSearch {
            let wanted = step == 0 ? limit : max(limit, Self.searchStep)
            var (found, waiting, blockers) = (0, PostgreSQLArray(), PostgreSQLArray())
            try transaction.forEachRow(
                Self.candidates, [channel.rawValue, place.due, place.number, now, wanted]
            ) { row in
                found += 1
                guard chosen.count < limit else { return }
                let row = PostgreSQLRow(row)
                place = (row.real(1), row.integer(0))
                if row.isNull(3) {
                    chosen.append(row.integer(0))
                    if row.isNull(2) { changes.move(row.integer(0), from: .queued, .taken) }
                } else {
                    waiting.append(row.integer(0))
                    blockers.append(row.integer(3))
                }
            }
            if !waiting.isEmpty { try transaction.run(Self.wait, [blockers, waiting, blockers]) }
            if found < wanted || chosen.count == limit { break }
        }
        look.due = max(look.due, place.due)
        lastLook = look
        return chosen
    }

    /// Selects due deliveries, each with the delivery that blocks it: the begun one of its lane, or else an older one. A begun delivery
    /// is never blocked.
    private static let candidates = """
        WITH candidate AS MATERIALIZED (
            SELECT seq, due, worker, lane, attempts FROM delivery
            WHERE channel = ? AND (due, seq) > (?, ?) AND due <= ? ORDER BY due, seq LIMIT ? FOR UPDATE SKIP LOCKED
        )
        SELECT seq, due, worker, CASE WHEN attempts = 0 THEN coalesce(
            (SELECT d.seq FROM delivery AS d WHERE d.lane = c.lane AND d.attempts > 0),
            (SELECT d.seq FROM delivery AS d WHERE d.lane = c.lane AND d.seq < c.seq ORDER BY d.seq LIMIT 1)
        ) END
        FROM candidate AS c ORDER BY due, seq
        """

    /// Flags deliveries as waiting. The lock on the blocking row delays a concurrent deletion of that row, which then sees the flag. A delivery whose
    /// blocking row is locked by others stays due.
    private static let wait = """
        WITH blocker AS MATERIALIZED (
            SELECT seq FROM delivery WHERE seq = ANY (?::bigint[]) FOR KEY SHARE SKIP LOCKED
        )
        UPDATE delivery SET due = NULL FROM unnest(?::bigint[], ?::bigint[]) AS w (seq, blocker) JOIN blocker ON blocker.seq = w.blocker
        WHERE delivery.seq = w.seq
        """

    /// Reads claimed deliveries in this order, with their current targets.
    private func read(_ numbers: [Int64], leaseEnd: Double, in transaction: any StoreTransaction) throws -> [Delivery] {
        var reader = PostgreSQLDeliveryReader(contents)
        var recipients = JoinedRecipients()
        let rows = try transaction.rows(Self.taken, [PostgreSQLArray(numbers)])
        try reader.readNotifications(of: rows, in: transaction)
        return try rows.map { row in
            let row = PostgreSQLRow(row)
            var delivery = try reader.delivery(row)
            delivery.state = .sending
            delivery.attempts = row.count(DeliveryColumns.count)
            delivery.claim = StoreNumber(row.integer(DeliveryColumns.count))
            delivery.reason = row.optionalText(DeliveryColumns.count + 1)
            delivery.due = Date(timeIntervalSince1970: leaseEnd)
            recipients.row = row
            try recipients.update(&delivery)
            return delivery
        }
    }

    /// The columns have distinct labels, since equal labels would be merged.
    private static let taken = """
        SELECT \(PostgreSQLDeliveryReader.columns(of: "d")), d.attempts, d.reason, s.alias AS s_alias, s.platform AS s_platform,
            s.token AS s_token, s.options AS s_options, r.user_id AS r_user, r.platform AS r_platform, r.token AS r_token,
            t.tag IS NOT NULL AS has_tag, r.is_of_guest, m.gateway_id AS m_gateway, m.alias AS m_alias,
            m.application_id AS m_application
        FROM unnest(?::bigint[]) WITH ORDINALITY AS o (seq, place) JOIN delivery AS d USING (seq)
        JOIN notification AS n ON n.seq = d.notification
        LEFT JOIN device_subscription AS s ON s.adapter = n.adapter AND s.event_source = n.event_source
            AND s.user_id = d.user_id AND s.device_id = d.device_id AND s.application_id = d.application_id
        LEFT JOIN (SELECT *, coalesce(\(OwnershipSQL.isOfGuest), false) AS is_of_guest FROM device_registration) AS r
            ON r.application_id = d.application_id AND r.device_id = d.device_id
        LEFT JOIN tag_subscription AS t
            ON t.application_id = d.application_id AND t.tag = d.tag AND t.device_id = d.device_id
        LEFT JOIN sms_subscription AS m ON m.adapter = n.adapter AND m.event_source = n.event_source
            AND m.digits = d.digits AND m.user_id = d.user_id
        ORDER BY o.place
        """
}

/// Recipients that were joined to the row of the delivery.
private struct JoinedRecipients: RecipientLookup {
    var row: PostgreSQLRow?
    private var values = JSONValueCache()

    private static let first = DeliveryColumns.count + 2

    mutating func current(_ old: DeviceSubscription) throws -> DeviceSubscription? {
        guard let row, !row.isNull(Self.first + 2) else { return nil }
        return try row.current(old, from: Self.first, values: &values)
    }

    func registration(applicationID: String, deviceID: String, tag: String?) throws -> FoundRegistration? {
        guard let row, !row.isNull(Self.first + 6) else { return nil }
        return try row.registration(applicationID: applicationID, deviceID: deviceID, from: Self.first + 4)
    }

    func current(_ old: SMSSubscription) throws -> SMSSubscription? {
        guard let row, !row.isNull(Self.first + 9) else { return nil }
        return row.current(old, from: Self.first + 9)
    }
}
