import Synchronization

/// What arrived, and who waits for it.
final class Journal: Sendable {
    private struct Waiter {
        let service: SandboxService?
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        /// A ring once it is full; `oldest` is where it begins.
        var kept: [Arrival] = []
        var oldest = 0
        var counts: [SandboxService: Int] = [:]
        var waiters: [Int: Waiter] = [:]
        var watchers: [Int: AsyncStream<Arrival>.Continuation] = [:]
        var lastNumber = 0
        var isEnded = false

        func count(_ service: SandboxService?) -> Int {
            service.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
        }
    }

    private let limit: Int
    private let state = Mutex(State())
    private let sequences: [SandboxService: Counter]

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    init(limit: Int) {
        self.limit = limit
        sequences = Dictionary(uniqueKeysWithValues: SandboxService.allCases.map { ($0, Counter()) })
    }

    /// The number of a new request to a service, from 1.
    func nextSequence(_ service: SandboxService) -> Int {
        sequences[service]?.value.add(1, ordering: .relaxed).newValue ?? 0
    }

    /// - Parameter arrival: made only when somebody will read it.
    func record(_ service: SandboxService, _ arrival: () -> Arrival) {
        let ready = state.withLock { state -> [Waiter] in
            state.counts[service, default: 0] += 1
            if limit > 0 || !state.watchers.isEmpty {
                let arrival = arrival()
                keep(arrival, in: &state)
                for watcher in state.watchers.values { watcher.yield(arrival) }
            }
            guard !state.waiters.isEmpty else { return [] }
            let ready = state.waiters.filter { state.count($0.value.service) >= $0.value.count }
            for key in ready.keys { state.waiters[key] = nil }
            return Array(ready.values)
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func keep(_ arrival: Arrival, in state: inout State) {
        guard limit > 0 else { return }
        if state.kept.count < limit {
            state.kept.append(arrival)
        } else {
            state.kept[state.oldest] = arrival
            state.oldest = (state.oldest + 1) % limit
        }
    }

    func kept(_ service: SandboxService?) -> [Arrival] {
        let all = state.withLock { Array($0.kept[$0.oldest...] + $0.kept[..<$0.oldest]) }
        return service.map { service in all.filter { $0.service == service } } ?? all
    }

    func count(_ service: SandboxService?) -> Int { state.withLock { $0.count(service) } }

    /// Returns when `count` is reached, the time is over, the task is cancelled or the journal has ended.
    func wait(for count: Int, of service: SandboxService?, within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: count, of: service) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for count: Int, of service: SandboxService?) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.isEnded || Task.isCancelled || state.count(service) >= count { return true }
                    state.waiters[number] = Waiter(service: service, count: count, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    /// Everything that arrives from now on, until ``end()``. A slow reader loses the oldest.
    func watch() -> AsyncStream<Arrival> {
        let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self, bufferingPolicy: .bufferingNewest(10_000))
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.lastNumber += 1
            state.watchers[state.lastNumber] = continuation
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Wakes everyone who waits or watches.
    func end() {
        let (waiters, watchers) = state.withLock { state in
            state.isEnded = true
            defer {
                state.waiters = [:]
                state.watchers = [:]
            }
            return (Array(state.waiters.values), Array(state.watchers.values))
        }
        for waiter in waiters { waiter.continuation.resume() }
        for watcher in watchers { watcher.finish() }
    }
}
