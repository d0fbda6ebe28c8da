import Core
import Foundation
import GRDB
import PushModel

/// Writes how a worker's attempts ended. Runs inside the caller's transaction.
struct DeliveryRecorder {
    let worker: String
    private let held: RawStatement
    private let heldWhole: RawStatement
    private let postpone: RawStatement
    private let remove: RawStatement
    private let next: RawStatement
    private let release: RawStatement
    private let ends: DeliveryEndWriter

    /// The number of deliveries that waited for others to end, and are due now.
    private(set) var released = 0

    init(_ database: Database, worker: String) throws {
        self.worker = worker
        held = try RawStatement(
            database,
            "SELECT lane, attempts, failures FROM delivery_progress WHERE seq = ? AND worker = ? AND attempts = ?")
        heldWhole = try RawStatement(
            database,
            """
            SELECT lane, attempts, failures, reason, requests FROM delivery_progress
            WHERE seq = ? AND worker = ? AND attempts = ?
            """)
        postpone = try RawStatement(
            database,
            """
            UPDATE delivery_progress SET due = ?, due_set_at = ?, worker = NULL, reason = ?, requests = ?, failures = ?
            WHERE seq = ?
            """)
        remove = try RawStatement(database, "DELETE FROM delivery_progress WHERE seq = ?")
        next = try RawStatement(
            database, "SELECT seq, due IS NULL FROM delivery_progress WHERE lane = ? ORDER BY seq LIMIT 1")
        release = try RawStatement(database, "UPDATE delivery_progress SET due = 0 WHERE seq = ?")
        ends = try DeliveryEndWriter(database)
    }

    /// Does nothing when the worker does not hold the delivery any more, or has claimed it again since.
    mutating func record(_ report: DeliveryReport, changes: inout OutboxChanges) throws {
        guard let number = report.number.value, let claim = report.claim.value else { return }
        // The results of an earlier attempt are needed for one ending only.
        let row = report.ending == .expired ? heldWhole : held
        try row.bind(1, number)
        try row.bind(2, worker)
        try row.bind(3, claim)
        defer { row.reset() }
        guard try row.step() else { return }
        let (lane, attempts) = (row.integer(0), row.count(1))
        var failures = row.optionalText(2)
        if let failure = report.failure {
            var all = try [DeliveryFailure](stored: failures)
            all.add(failure)
            failures = try all.storedText()
        }
        let event: DeliveryJournal.Event
        switch report.ending {
        case .retry(let date, let reason):
            try postpone(number, until: date, report, reason: reason, failures: failures)
            changes.move(number, from: .sending, .postponed)
            return
        case .delivered: event = .delivered
        case .previewed: event = .previewed
        case .refused: event = .refused
        case .expired: event = .expired
        }
        let isExpired = event == .expired
        let requests = try isExpired ? row.optionalText(4) : report.requests.storedText()
        try ends.insert(
            number, state: event.state, attempts: attempts, endedAt: report.date, serviceID: report.serviceID,
            reason: isExpired ? row.optionalText(3) : report.failure?.reason, requests: requests, failures: failures)
        changes.move(number, from: .sending, event)
        row.reset()
        try remove.bind(1, number)
        try remove.run()
        try releaseNext(of: lane)
    }

    private func postpone(
        _ number: Int64, until date: Date, _ report: DeliveryReport, reason: String, failures: String?
    ) throws {
        try postpone.bind(1, date)
        try postpone.bind(2, report.date)
        try postpone.bind(3, reason.withoutNUL)
        try postpone.bind(4, try report.requests.storedText())
        try postpone.bind(5, failures)
        try postpone.bind(6, number)
        try postpone.run()
    }

    /// Makes the next delivery to the same device due, if it waited for this one.
    private mutating func releaseNext(of lane: Int64) throws {
        try next.bind(1, lane)
        guard try next.step() else { return }
        let (number, waits) = (next.integer(0), next.integer(1) != 0)
        next.reset()
        guard waits else { return }
        try release.bind(1, number)
        try release.run()
        released += 1
    }
}

/// Writes how deliveries ended.
struct DeliveryEndWriter {
    private let insert: RawStatement

    init(_ database: Database) throws {
        insert = try RawStatement(
            database,
            """
            INSERT INTO delivery_end (seq, state, attempts, ended_at, service_id, reason, requests, failures)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func insert(
        _ number: Int64, state: DeliveryState, attempts: Int, endedAt: Date, serviceID: String?, reason: String?,
        requests: String?, failures: String?
    ) throws {
        try insert.bind(1, number)
        try insert.bind(2, state.rawValue)
        try insert.bind(3, attempts)
        try insert.bind(4, endedAt)
        try insert.bind(5, serviceID?.withoutNUL)
        try insert.bind(6, reason?.withoutNUL)
        try insert.bind(7, requests)
        try insert.bind(8, failures)
        try insert.run()
    }
}
