import Core
import Dispatch
import PushModel
import TestSupport

/// A store that can be read, filled, broken and slowed down by the test.
final class InMemoryPollStore: PollStore {
    struct State {
        var records: [EventSourceID: PollRecord] = [:]
        /// The event sources of each attempt to save, failed ones included.
        var attempts: [[EventSourceID]] = []
        var readError: StoreError?
        var saveError: StoreError?
        var isHeld = false
        /// The server that runs the polls.
        var leaseHolder: String?
        var leaseEpoch: Int64 = 0
        var leaseError: StoreError?
        /// The number of requests for a lease.
        var leaseCalls = 0
        var wasCalledInTask = false
    }

    static let diskFull = StoreError(.diskFull, location: "/data/store.sqlite", reason: "no space left")

    let state: AwaitableValue<State>
    private let gate = DispatchSemaphore(value: 0)

    init(_ records: PollRecord...) {
        var state = State()
        for record in records { state.records[record.eventSource] = record }
        self.state = AwaitableValue(state)
    }

    func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord? {
        noteCaller()
        if let error = state.value.readError { throw error }
        return state.value.records[eventSource]
    }

    func leasePolls(
        _ former: PollLease?, holder: String, for duration: Duration
    ) throws(StoreError) -> PollLease? {
        let answer = state.update { state -> Result<PollLease?, StoreError> in
            state.leaseCalls += 1
            if let error = state.leaseError { return .failure(error) }
            guard state.leaseHolder == nil || state.leaseHolder == holder else { return .success(nil) }
            if former?.epoch != state.leaseEpoch || former == nil { state.leaseEpoch += 1 }
            state.leaseHolder = holder
            return .success(PollLease(epoch: state.leaseEpoch, holder: holder))
        }
        return try answer.get()
    }

    func endPollLease(_ lease: PollLease) throws(StoreError) {
        state.update { if $0.leaseEpoch == lease.epoch { $0.leaseHolder = nil } }
    }

    func savePollRecords(_ records: [PollRecord], under lease: PollLease?) throws(StoreError) -> Bool {
        if let lease, lease.epoch != state.value.leaseEpoch { return false }
        noteCaller()
        let isHeld = state.update { state in
            state.attempts.append(records.map(\.eventSource))
            return state.isHeld
        }
        if isHeld { gate.wait() }
        if let error = state.value.saveError { throw error }
        state.update { state in
            for record in records { state.records[record.eventSource] = record }
        }
        return true
    }

    private func noteCaller() {
        if withUnsafeCurrentTask(body: { $0 != nil }) { state.update { $0.wasCalledInTask = true } }
    }

    /// The next save blocks its thread until it is released.
    func hold() { state.update { $0.isHeld = true } }

    func release() {
        state.update { $0.isHeld = false }
        gate.signal()
    }

    func waitForRecord(
        of eventSource: EventSourceID, where condition: @escaping @Sendable (PollRecord) -> Bool = { _ in true }
    ) async throws -> PollRecord {
        try await state.wait { $0.records[eventSource].map(condition) ?? false }
        guard let record = state.value.records[eventSource] else { throw CancellationError() }
        return record
    }
}
