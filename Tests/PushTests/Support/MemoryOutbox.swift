import Core
import Foundation
import PushModel
import TestSupport

/// An outbox that forgets everything with the test, can be made to fail, and remembers how it was called.
final class MemoryOutbox: Outbox {
    enum Call: Sendable, Hashable, CaseIterable {
        case enqueue, flush, claim, record, release, nextDue, depth, clockWasSetBack, deliveries, counts, purge
    }

    struct Row: Sendable {
        var delivery: Delivery
        var worker: String?
    }

    struct State: Sendable {
        var rows: [Row] = []
        var calls: [Call] = []
        var failures: [Call: StoreError] = [:]
        /// How many reports came with each call of `record`.
        var batches: [Int] = []
        var purgeLimits: [Date] = []
        var clocks: [Date] = []
        /// Makes claims come back empty although something is due.
        var claimsNothing = false

        /// Those that are their device's first.
        func waiting(for channels: Set<DeliveryChannel>) -> [Int] {
            var devices: Set<String> = []
            return rows.indices.filter { index in
                let delivery = rows[index].delivery
                guard !delivery.state.isEnd, channels.contains(delivery.target.channel) else { return false }
                let target = delivery.target
                return devices.insert("\(target.applicationID ?? "") on \(target.deviceID ?? "a number")").inserted
            }
        }
    }

    let state = AwaitableValue(State())
    let time = ManualTime()
    /// Called in the middle of each call, on its thread; may block.
    private let interrupt: @Sendable (Call) -> Void

    init(_ deliveries: [Delivery] = [], interrupt: @escaping @Sendable (Call) -> Void = { _ in }) {
        self.interrupt = interrupt
        state.update { $0.rows = deliveries.map { Row(delivery: $0) } }
    }

    private func perform<Value: Sendable>(
        _ call: Call, _ body: (inout State) -> Value
    ) throws(StoreError) -> Value {
        interrupt(call)
        let result: Result<Value, StoreError> = state.update { state in
            state.calls.append(call)
            if let error = state.failures[call] { return .failure(error) }
            return .success(body(&state))
        }
        return try result.get()
    }

    func flush() throws(StoreError) {
        try perform(.flush) { _ in }
    }

    func enqueue(_ deliveries: [Delivery]) throws(StoreError) {
        try perform(.enqueue) { $0.rows += deliveries.map { Row(delivery: $0) } }
    }

    func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery] {
        let now = time.now
        return try perform(.claim) { state in
            if state.claimsNothing { return [] }
            let due = channels.flatMap { channel in
                state.waiting(for: [channel])
                    .filter { state.rows[$0].delivery.due <= now }
                    .sorted { (state.rows[$0].delivery.due, $0) < (state.rows[$1].delivery.due, $1) }
                    .prefix(limit)
            }
            for index in due {
                state.rows[index].worker = worker
                state.rows[index].delivery.state = .sending
                state.rows[index].delivery.attempts += 1
                state.rows[index].delivery.claim = StoreNumber(Int64(state.rows[index].delivery.attempts))
                state.rows[index].delivery.due = now + lease / .seconds(1)
            }
            return due.map { state.rows[$0].delivery }
        }
    }

    @discardableResult
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        try perform(.record) { state in
            let before = state.waiting(for: .all).count
            state.batches.append(reports.count)
            for report in reports {
                guard let index = state.rows.firstIndex(where: { $0.delivery.id == report.id }),
                    state.rows[index].delivery.state == .sending, state.rows[index].worker == worker,
                    state.rows[index].delivery.claim.value == report.claim.value
                else { continue }
                state.rows[index].worker = nil
                state.rows[index].delivery.take(report)
            }
            return max(state.waiting(for: .all).count - before + reports.count { $0.ending.isEnd }, 0)
        }
    }

    func release(worker: String) throws(StoreError) -> Int {
        try perform(.release) { state in
            let held = state.rows.indices.filter {
                state.rows[$0].worker == worker && state.rows[$0].delivery.state == .sending
            }
            for index in held {
                state.rows[index].worker = nil
                state.rows[index].delivery.state = .queued
                state.rows[index].delivery.due = state.rows[index].delivery.createdAt
            }
            return held.count
        }
    }

    func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration? {
        let now = time.now
        return try perform(.nextDue) { state in
            let due = state.waiting(for: channels).map { state.rows[$0].delivery.due }.min()
            return due.map { .seconds(max($0.timeIntervalSince(now), 0)) }
        }
    }

    func depth() throws(StoreError) -> OutboxDepth {
        try perform(.depth) { state in
            let waiting = state.rows.count { !$0.delivery.state.isEnd }
            return OutboxDepth(waiting: waiting, ended: state.rows.count - waiting)
        }
    }

    @discardableResult
    func clockWasSetBack() throws(StoreError) -> Int {
        let now = time.now
        return try perform(.clockWasSetBack) { state in
            state.clocks.append(now)
            return 0
        }
    }

    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64> {
        try perform(.deliveries) { state in
            let all = state.rows.map(\.delivery).reversed()
            return ListPage(items: all.filter { filter.state == nil || $0.state == filter.state }, next: nil)
        }
    }

    func delivery(_ number: Int64) throws(StoreError) -> Delivery? { nil }

    func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int { 0 }

    func counts() throws(StoreError) -> [DeliveryState: Int] {
        try perform(.counts) { Dictionary($0.rows.map { ($0.delivery.state, 1) }, uniquingKeysWith: +) }
    }

    func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int] {
        state.value.rows.filter { $0.delivery.notificationID == id }.reduce(into: [:]) { counts, row in
            counts[row.delivery.state, default: 0] += 1
        }
    }

    func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int {
        try perform(.purge) { state in
            state.purgeLimits.append(date)
            let before = state.rows.count
            state.rows.removeAll { row in row.delivery.endedAt.map { $0 < date } ?? false }
            var excess = max(state.rows.count { $0.delivery.state.isEnd } - keeping, 0)
            state.rows.removeAll { row in
                guard row.delivery.state.isEnd, excess > 0 else { return false }
                excess -= 1
                return true
            }
            return before - state.rows.count
        }
    }
}

extension MemoryOutbox {
    /// The deliveries, oldest first.
    var all: [Delivery] { state.value.rows.map(\.delivery) }

    func fail(_ call: Call, _ error: StoreError?) {
        state.update { $0.failures[call] = error }
    }

    func count(_ call: Call) -> Int { state.value.calls.count { $0 == call } }

    /// Returns once every delivery is in this state.
    func waitUntilAll(are expected: DeliveryState) async throws {
        try await state.wait { $0.rows.allSatisfy { $0.delivery.state == expected } }
    }
}

extension Delivery {
    fileprivate mutating func take(_ report: DeliveryReport) {
        if report.ending != .expired { requests = report.requests }
        serviceID = report.serviceID
        if let failure = report.failure { failures.add(failure) }
        switch report.ending {
        case .delivered: state = .delivered
        case .previewed: state = .previewed
        case .refused: state = .refused
        case .expired: state = .expired
        case .retry(let date, _):
            state = .queued
            due = date
        }
        switch report.ending {
        case .delivered, .previewed: reason = nil
        case .refused(let reason), .retry(_, let reason): self.reason = reason
        case .expired: break
        }
        if state != .queued { endedAt = report.date }
    }
}
