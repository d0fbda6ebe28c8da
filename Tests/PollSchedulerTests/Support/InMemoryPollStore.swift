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
        var wasCalledInTask = false
    }

    static let diskFull = StoreError(.diskFull, location: "/data/store.sqlite", reason: "no space left")

    let state: Watched<State>
    private let gate = DispatchSemaphore(value: 0)

    init(_ records: PollRecord...) {
        var state = State()
        for record in records { state.records[record.eventSource] = record }
        self.state = Watched(state)
    }

    func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord? {
        noteCaller()
        if let error = state.value.readError { throw error }
        return state.value.records[eventSource]
    }

    func savePollRecords(_ records: [PollRecord]) throws(StoreError) {
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
