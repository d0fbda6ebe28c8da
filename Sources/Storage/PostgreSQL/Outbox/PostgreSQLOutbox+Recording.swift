import Core
import Foundation
import PushModel
import Synchronization

/// Recording how attempts ended.
extension PostgreSQLOutbox {
    @discardableResult
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        guard !reports.isEmpty else { return 0 }
        try createPartitions(for: reports.filter(\.ending.isEnd).map(\.date))
        do {
            return try recordAttempts(reports, worker: worker)
        } catch {
            // Another server may have dropped a day.
            days.withLock { $0 = [] }
            throw error
        }
    }

    private func recordAttempts(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        try change { transaction, changes in
            let now = try now(in: transaction)
            let lead = lead(at: now)
            var seen: Set<Int64> = []
            var (ends, retries) = (DeliveryEnds(), DeliveryRetries())
            for report in reports {
                // The first report about a delivery counts.
                guard let number = report.number.value, let claim = report.claim.value, seen.insert(number).inserted
                else { continue }
                let requests = try report.requests.storedText()
                let failure = try report.failure.map { [$0] }?.storedText()
                switch report.ending {
                case .retry(let date, let reason):
                    retries.append(
                        number, report.id, claim: claim, due: date.timeIntervalSince1970 + lead,
                        setAt: report.date.timeIntervalSince1970 + lead, reason: reason, requests: requests,
                        failure: failure)
                case .delivered:
                    ends.append(number, claim: claim, .delivered, report, reason: nil, requests: requests)
                case .previewed:
                    ends.append(number, claim: claim, .previewed, report, reason: nil, requests: requests)
                case .refused(let reason):
                    ends.append(
                        number, claim: claim, .refused, report, reason: reason, requests: requests, failure: failure)
                case .expired: ends.append(number, claim: claim, .expired, report, reason: nil, requests: nil)
                }
            }
            if !retries.isEmpty {
                for number in try transaction.all(Int64.self, DeliveryRetries.update, retries.arguments + [worker]) {
                    changes.move(number, from: .sending, .postponed)
                }
            }
            guard !ends.isEmpty else { return 0 }
            var lanes = PostgreSQLArray()
            try transaction.forEachRow(DeliveryEnds.move, ends.arguments + [worker]) { row in
                lanes.append(try row.value(at: 1) as Int64)
                let state: DeliveryState = try row.choice("state")
                changes.move(try row.value(at: 0), from: .sending, state.event)
            }
            return try Self.releaseNext(of: lanes, at: now, in: transaction)
        }
    }

    /// Makes the next delivery of each lane due. A separate statement sees deliveries that a concurrent claim has flagged as waiting.
    ///
    /// - Returns: the number of deliveries that were waiting.
    private static func releaseNext(
        of lanes: PostgreSQLArray, at now: Double, in transaction: any StoreTransaction
    ) throws -> Int {
        try transaction.run(
            """
            UPDATE delivery SET due = ?, due_set_at = ?
            FROM unnest(?::bigint[]) AS ended (lane), LATERAL (
                SELECT seq FROM delivery AS d WHERE d.lane = ended.lane ORDER BY d.seq LIMIT 1
            ) AS head
            WHERE delivery.seq = head.seq AND delivery.due IS NULL
            """, [now, now, lanes])
    }

    func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int {
        guard !numbers.isEmpty else { return 0 }
        try createPartitions(for: [date])
        return try change { transaction, changes in
            var ends = DeliveryEnds()
            try transaction.forEachRow(
                """
                SELECT id, attempts, requests, seq FROM delivery WHERE seq = ANY (?::bigint[]) AND worker IS NULL
                ORDER BY seq FOR UPDATE
                """, [PostgreSQLArray(numbers)]
            ) { row in
                let row = PostgreSQLRow(row)
                ends.append(
                    row.integer(3), try row.id(0), claim: row.integer(1), attempts: row.integer(1), .refused,
                    endedAt: date, serviceID: nil, reason: reason, requests: row.optionalText(2))
            }
            guard !ends.isEmpty else { return 0 }
            var (lanes, count) = (PostgreSQLArray(), 0)
            try transaction.forEachRow(DeliveryEnds.move, ends.arguments + [nil]) { row in
                count += 1
                lanes.append(try row.value(at: 1) as Int64)
                changes.move(try row.value(at: 0), from: .queued, .refused)
            }
            _ = try Self.releaseNext(of: lanes, at: try now(in: transaction), in: transaction)
            return count
        }
    }
}

extension DeliveryState {
    /// The journal's event for this final state.
    fileprivate var event: DeliveryJournal.Event {
        switch self {
        case .previewed: .previewed
        case .refused: .refused
        case .expired: .expired
        default: .delivered
        }
    }
}

/// The results of deliveries, each column as an array.
struct DeliveryEnds {
    private var numbers = PostgreSQLArray()
    private var ids = PostgreSQLArray()
    private var claims = PostgreSQLArray()
    private var attempts = PostgreSQLArray()
    private var states = PostgreSQLArray()
    private var times = PostgreSQLArray()
    private var serviceIDs = PostgreSQLArray()
    private var reasons = PostgreSQLArray()
    private var requests = PostgreSQLArray()
    private var failures = PostgreSQLArray()

    var isEmpty: Bool { numbers.isEmpty }

    /// The expression for the failed attempts of the row `d` with the one of the report `r`, a list of one.
    fileprivate static let withFailure = """
        CASE WHEN jsonb_array_length(d.failures) >= \(DeliveryFailure.limit) THEN d.failures - 0 \
        ELSE coalesce(d.failures, '[]'::jsonb) END || r.failure::jsonb
        """

    /// Moves deliveries to `delivery_end` if the worker (the last argument) still holds them under this claim, and returns the number,
    /// lane and state of each. Expired deliveries keep the reason and requests of their last attempt.
    static let move = """
        WITH report AS (
            SELECT * FROM unnest(?::bigint[], ?::uuid[], ?::integer[], ?::integer[], ?::text[], ?::float8[], ?::text[], ?::text[],
                ?::text[], ?::text[]) AS r (seq, id, claim, attempts, state, ended_at, service_id, reason, requests, failure)
        ), gone AS (
            DELETE FROM delivery AS d USING report AS r
            WHERE d.seq = r.seq AND d.id = r.id AND d.attempts = r.claim AND d.worker IS NOT DISTINCT FROM ?
            RETURNING d.*, r.attempts AS all_attempts, r.state, r.ended_at, r.service_id,
                CASE WHEN r.state = 'expired' THEN d.reason ELSE r.reason END AS last_reason,
                CASE WHEN r.state = 'expired' THEN d.requests ELSE r.requests END AS last_requests,
                CASE WHEN r.failure IS NULL THEN d.failures ELSE \(withFailure) END AS all_failures
        ), moved AS (
            INSERT INTO delivery_end (seq, notification, ended_at, channel, attempts, id, state, user_id, device_id, application_id,
                alias, tag, token, phone_number, gateway_id, subscription_options, is_for_user, service_id, reason, requests,
                failures)
            SELECT seq, notification, ended_at, channel, all_attempts, id, state, user_id, device_id, application_id, alias, tag, token,
                phone_number, gateway_id, subscription_options, is_for_user, service_id, last_reason, last_requests,
                all_failures
            FROM gone
        )
        SELECT seq, lane, state FROM gone ORDER BY seq
        """

    var arguments: [(any StoreArgument)?] {
        [numbers, ids, claims, attempts, states, times, serviceIDs, reasons, requests, failures]
    }

    /// - Parameters:
    ///   - claim: the row's number of attempts, which identifies the claim.
    ///   - attempts: the number of attempts to store.
    ///   - failure: the failed attempt to add to the row's; `nil` for none.
    mutating func append(
        _ number: Int64, _ id: UUID, claim: Int64, attempts: Int64, _ state: DeliveryState, endedAt: Date,
        serviceID: String?, reason: String?, requests: String?, failure: String? = nil
    ) {
        numbers.append(number)
        ids.append(id)
        claims.append(claim)
        self.attempts.append(attempts)
        states.append(state.rawValue)
        times.append(endedAt.timeIntervalSince1970)
        serviceIDs.append(serviceID?.withoutNUL)
        reasons.append(reason?.withoutNUL)
        self.requests.append(requests)
        failures.append(failure)
    }

    mutating func append(
        _ number: Int64, claim: Int64, _ state: DeliveryState, _ report: DeliveryReport, reason: String?,
        requests: String?, failure: String? = nil
    ) {
        append(
            number, report.id, claim: claim, attempts: claim, state, endedAt: report.date, serviceID: report.serviceID,
            reason: reason, requests: requests, failure: failure)
    }
}

/// Deliveries to retry, each column as an array.
private struct DeliveryRetries {
    private var numbers = PostgreSQLArray()
    private var ids = PostgreSQLArray()
    private var claims = PostgreSQLArray()
    private var dues = PostgreSQLArray()
    private var dueSetAts = PostgreSQLArray()
    private var reasons = PostgreSQLArray()
    private var requests = PostgreSQLArray()
    private var failures = PostgreSQLArray()

    var isEmpty: Bool { numbers.isEmpty }

    static let update = """
        UPDATE delivery AS d SET worker = NULL, due = r.due, due_set_at = r.due_set_at, reason = r.reason, requests = r.requests,
            failures = \(DeliveryEnds.withFailure)
        FROM unnest(?::bigint[], ?::uuid[], ?::integer[], ?::float8[], ?::float8[], ?::text[], ?::text[], ?::text[])
            AS r (seq, id, claim, due, due_set_at, reason, requests, failure)
        WHERE d.seq = r.seq AND d.id = r.id AND d.attempts = r.claim AND d.worker = ? RETURNING d.seq
        """

    var arguments: [(any StoreArgument)?] { [numbers, ids, claims, dues, dueSetAts, reasons, requests, failures] }

    mutating func append(
        _ number: Int64, _ id: UUID, claim: Int64, due: Double, setAt: Double, reason: String, requests: String?,
        failure: String?
    ) {
        numbers.append(number)
        ids.append(id)
        claims.append(claim)
        dues.append(due)
        dueSetAts.append(setAt)
        reasons.append(reason.withoutNUL)
        self.requests.append(requests)
        failures.append(failure)
    }
}
