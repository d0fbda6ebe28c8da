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

    /// How many deliveries waited for others to end, and are due now.
    private(set) var released = 0

    init(_ database: Database, worker: String) throws {
        self.worker = worker
        held = try RawStatement(
            database, "SELECT lane, attempts FROM delivery_progress WHERE seq = ? AND worker = ? AND attempts = ?")
        heldWhole = try RawStatement(
            database,
            "SELECT lane, attempts, reason, requests FROM delivery_progress WHERE seq = ? AND worker = ? AND attempts = ?"
        )
        postpone = try RawStatement(
            database,
            """
            UPDATE delivery_progress SET due = ?, due_set_at = ?, worker = NULL, reason = ?, requests = ? WHERE seq = ?
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
        // What an earlier attempt left is needed for one ending only.
        let row = report.ending == .expired ? heldWhole : held
        try row.bind(1, number)
        try row.bind(2, worker)
        try row.bind(3, claim)
        defer { row.reset() }
        guard try row.step() else { return }
        let (lane, attempts) = (row.integer(0), row.count(1))
        switch report.ending {
        case .retry(let date, let reason):
            try postpone(number, until: date, report, reason: reason)
            changes.move(number, from: .sending, .postponed)
            return
        case .delivered:
            try end(number, .delivered, attempts, report, reason: nil, requests: try report.requests.storedText())
            changes.move(number, from: .sending, .delivered)
        case .previewed:
            try end(number, .previewed, attempts, report, reason: nil, requests: try report.requests.storedText())
            changes.move(number, from: .sending, .previewed)
        case .refused(let reason):
            try end(number, .refused, attempts, report, reason: reason, requests: try report.requests.storedText())
            changes.move(number, from: .sending, .refused)
        case .expired:
            try end(
                number, .expired, attempts, report, reason: row.optionalText(2), requests: row.optionalText(3))
            changes.move(number, from: .sending, .expired)
        }
        row.reset()
        try remove.bind(1, number)
        try remove.run()
        try releaseNext(of: lane)
    }

    private func postpone(_ number: Int64, until date: Date, _ report: DeliveryReport, reason: String) throws {
        try postpone.bind(1, date)
        try postpone.bind(2, report.date)
        try postpone.bind(3, reason.withoutNUL)
        try postpone.bind(4, try report.requests.storedText())
        try postpone.bind(5, number)
        try postpone.run()
    }

    private func end(
        _ number: Int64, _ state: DeliveryState, _ attempts: Int, _ report: DeliveryReport, reason: String?,
        requests: String?
    ) throws {
        try ends.insert(
            number, state: state, attempts: attempts, endedAt: report.date, serviceID: report.serviceID, reason: reason,
            requests: requests)
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
