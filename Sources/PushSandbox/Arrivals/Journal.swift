import Synchronization

/// The arrivals, and the tasks that wait for them.
final class Journal: Sendable {
    /// An arrival with its position among all, from 1.
    struct Numbered: Sendable {
        let number: Int
        let arrival: Arrival
        /// The number of messages that were accepted and refused by now, including those that a reader has missed.
        let totals: Totals
    }

    /// The numbers of accepted and refused messages since the start or the last ``clear()``.
    struct Totals: Sendable {
        var accepted = 0
        var refused = 0
    }

    /// An entry of the stream that ``watch(after:limit:)`` returns.
    enum Event: Sendable {
        case arrival(Numbered)
        /// The journal discarded the kept arrivals, of which `through` was the last.
        case cleared(through: Int)
    }

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
        var totals = Totals()
        /// The number of the last arrival before the last ``Journal/clear()``.
        var cleared = 0
        var waiters: [Int: Waiter] = [:]
        var watchers: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastNumber = 0
        var isEnded = false

        var keptInOrder: [Arrival] { Array(kept[oldest...] + kept[..<oldest]) }

        /// ``keptInOrder`` with their numbers.
        var numbered: [Numbered] {
            let first = count(nil) - kept.count + 1
            return keptInOrder.enumerated().map { Numbered(number: first + $0, arrival: $1, totals: totals) }
        }

        func count(_ service: SandboxService?) -> Int {
            service.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
        }
    }

    private let limit: Int
    private let state = Mutex(State())
    private let hasWatchers = Atomic(false)
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

    /// - Parameter arrival: made only when somebody will read it, and not while others wait for the lock.
    func record(_ service: SandboxService, _ arrival: () -> Arrival) {
        let arrival = limit > 0 || hasWatchers.load(ordering: .relaxed) ? arrival() : nil
        let ready = state.withLock { state -> [Waiter] in
            state.counts[service, default: 0] += 1
            if let arrival {
                keep(arrival, in: &state)
                if service != .oauth {
                    state.totals.accepted += arrival.isAccepted ? 1 : 0
                    state.totals.refused += arrival.isAccepted ? 0 : 1
                }
                let numbered = Numbered(number: state.count(nil), arrival: arrival, totals: state.totals)
                for watcher in state.watchers.values { watcher.yield(.arrival(numbered)) }
            }
            guard !state.waiters.isEmpty else { return [] }
            let ready = state.waiters.filter { state.count($0.value.service) >= $0.value.count }
            for key in ready.keys { state.waiters[key] = nil }
            return Array(ready.values)
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func keep(_ entry: Arrival, in state: inout State) {
        guard limit > 0 else { return }
        if state.kept.count < limit {
            state.kept.append(entry)
        } else {
            state.kept[state.oldest] = entry
            state.oldest = (state.oldest + 1) % limit
        }
    }

    func kept(_ service: SandboxService?) -> [Arrival] {
        let all = state.withLock { $0.keptInOrder }
        return service.map { service in all.filter { $0.service == service } } ?? all
    }

    /// The last so many arrivals.
    func numbered(last most: Int) -> [Numbered] {
        state.withLock { Array($0.numbered.suffix(most)) }
    }

    /// Discards the kept arrivals and their totals, and announces it to the watchers. The counts of ``count(_:)`` stay.
    ///
    /// - Returns: the number of discarded arrivals.
    func clear() -> Int {
        state.withLock { state in
            let discarded = state.kept.count
            state.kept = []
            state.oldest = 0
            state.totals = Totals()
            state.cleared = state.count(nil)
            for watcher in state.watchers.values { watcher.yield(.cleared(through: state.cleared)) }
            return discarded
        }
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

    /// Streams arrivals until ``end()``.
    ///
    /// - Parameters:
    ///   - last: the stream begins with the kept arrivals after this number, and with ``Event/cleared(through:)`` if the journal
    ///     was cleared after it; nil begins with the next arrival.
    ///   - limit: the number of entries that a slow reader may be behind before it loses the oldest; nil for no limit.
    func watch(after last: Int?, limit: Int?) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: limit.map { .bufferingNewest($0) } ?? .unbounded)
        let number = state.withLock { state -> Int? in
            if let last {
                if last < state.cleared { continuation.yield(.cleared(through: state.cleared)) }
                for entry in state.numbered where entry.number > last { continuation.yield(.arrival(entry)) }
            }
            guard !state.isEnded else { return nil }
            state.lastNumber += 1
            state.watchers[state.lastNumber] = continuation
            hasWatchers.store(true, ordering: .relaxed)
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            state.withLock { state in
                state.watchers[number] = nil
                hasWatchers.store(!state.watchers.isEmpty, ordering: .relaxed)
            }
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
