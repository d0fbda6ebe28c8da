import Core
import PushModel
import TestSupport

/// Stands for the adapters: notes which polls run when, and makes them slow or fail.
final class PollProbe: Sendable {
    private struct State {
        var starts: [EventSourceID: [Double]] = [:]
        var running: [EventSourceID: Int] = [:]
        var mostAtOnce: [EventSourceID: Int] = [:]
        var cancelled: Set<EventSourceID> = []
        var held: Set<EventSourceID> = []
        var stuck: Set<EventSourceID> = []
        var failures: [EventSourceID: PollScriptError] = [:]
    }

    private let time: ManualTime
    private let state = AwaitableValue(State())

    init(time: ManualTime) {
        self.time = time
    }

    func run(_ eventSource: EventSourceID) async throws {
        let elapsed = time.elapsed
        let (isStuck, failure) = state.update { state in
            state.starts[eventSource, default: []].append(elapsed)
            state.running[eventSource, default: 0] += 1
            state.mostAtOnce[eventSource] = max(
                state.running[eventSource, default: 0], state.mostAtOnce[eventSource, default: 0]
            )
            return (state.stuck.contains(eventSource), state.failures[eventSource])
        }
        defer { state.update { $0.running[eventSource, default: 0] -= 1 } }
        do {
            if isStuck {
                try await Task.detached { try await self.waitUntilReleased(eventSource) }.value
            } else {
                try await waitUntilReleased(eventSource)
            }
        } catch {
            state.update { _ = $0.cancelled.insert(eventSource) }
            throw error
        }
        if let failure { throw failure }
    }

    private func waitUntilReleased(_ eventSource: EventSourceID) async throws {
        try await state.wait { !$0.held.contains(eventSource) && !$0.stuck.contains(eventSource) }
    }

    /// Its runs do not end until it is released.
    func hold(_ eventSource: EventSourceID) { state.update { _ = $0.held.insert(eventSource) } }

    /// Holds runs as `hold` does, but they also ignore cancellation.
    func holdDeaf(_ eventSource: EventSourceID) { state.update { _ = $0.stuck.insert(eventSource) } }

    func release(_ eventSource: EventSourceID) {
        state.update {
            $0.held.remove(eventSource)
            $0.stuck.remove(eventSource)
        }
    }

    /// Its next runs throw an error of this description; none with `nil`.
    func fail(_ eventSource: EventSourceID, with description: String?) {
        state.update { $0.failures[eventSource] = description.map(PollScriptError.init) }
    }

    /// The starts of its runs, in seconds since the test began.
    func starts(of eventSource: EventSourceID) -> [Double] { state.value.starts[eventSource] ?? [] }

    func mostAtOnce(of eventSource: EventSourceID) -> Int { state.value.mostAtOnce[eventSource] ?? 0 }

    func waitForStart(_ number: Int = 1, of eventSource: EventSourceID) async throws {
        try await state.wait { $0.starts[eventSource, default: []].count >= number }
    }

    func waitForCancellation(of eventSource: EventSourceID) async throws {
        try await state.wait { $0.cancelled.contains(eventSource) }
    }
}

struct PollScriptError: Error, CustomStringConvertible {
    let description: String
}
