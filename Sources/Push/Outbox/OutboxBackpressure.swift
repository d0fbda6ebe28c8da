public import Core
import Foundation
public import PushModel
import Synchronization

/// Knows how many deliveries wait and how fast they go, and from that how long a script should hold back
/// (server-api 2.8: `notify*` returns the milliseconds to wait before submitting again).
///
/// The count is an estimate between two times at which the store is asked, since other processes may use it. The rate is
/// that of all workers; it is measured only while so much waits that they are the ones who decide it, and weighs the last
/// ten seconds or so of that.
public final class OutboxBackpressure: Sendable {
    private let time: any TimeSource
    private let highWaterMark: Int
    private let state: Mutex<State>

    /// The longest wait that is ever asked for, in milliseconds.
    public static let longestWait = 60_000

    private struct State {
        var waiting = 0
        var rate: DrainRate
        /// How many had ever ended when the store was last asked, and how many this worker has ended since.
        var endedEver: Int?
        var endedHere = 0
        var endings: [DeliveryState: Int] = [:]
    }

    /// - Parameter highWaterMark: how many deliveries may wait before scripts are asked to hold back.
    public init(time: any TimeSource, highWaterMark: Int = 10_000) {
        self.time = time
        self.highWaterMark = highWaterMark
        state = Mutex(State(rate: DrainRate(uptime: time.uptime)))
    }

    /// How many deliveries have been accepted whose end is not known yet.
    public var waiting: Int { state.withLock { $0.waiting } }

    /// How long a script should wait before it submits more, in milliseconds: nothing up to the high-water mark, beyond
    /// it the time that the worker needs for the excess, but at most ``longestWait``.
    public var millisecondsToWait: Int {
        update { state in
            let excess = state.waiting - highWaterMark
            guard excess > 0 else { return 0 }
            let milliseconds = (Double(excess) / state.rate.perSecond * 1000).rounded(.up)
            return milliseconds < Double(Self.longestWait) ? Int(milliseconds) : Self.longestWait
        }
    }

    /// So many deliveries are about to be enqueued; said before they are, so that the worker can't be done with them
    /// first.
    public func add(_ count: Int) {
        update { $0.waiting += count }
    }

    /// So many deliveries were not enqueued after all.
    public func takeBack(_ count: Int) {
        update { $0.waiting = max($0.waiting - count, 0) }
    }

    /// The number of deliveries that this server has brought to each end since its start.
    public var endings: [DeliveryState: Int] { state.withLock { $0.endings } }

    /// Deliveries have come to their end.
    func ended(_ states: [DeliveryState]) {
        ended(states.count)
        state.withLock { state in
            for ending in states { state.endings[ending, default: 0] += 1 }
        }
    }

    /// So many deliveries have come to their end.
    func ended(_ count: Int) {
        update { state in
            if isBusy(state) { state.rate.drained(count) }
            state.waiting = max(state.waiting - count, 0)
            state.endedHere += count
        }
    }

    /// So many deliveries wait according to the store.
    func reset(waiting: Int) {
        update { $0.waiting = waiting }
    }

    /// How it is according to the store, and what other workers have done.
    func reset(_ depth: OutboxDepth) {
        update { state in
            if let endedEver = state.endedEver, isBusy(state) {
                state.rate.drained(max(depth.ended - endedEver - state.endedHere, 0))
            }
            state.waiting = depth.waiting
            state.endedEver = depth.ended
            state.endedHere = 0
        }
    }

    /// Whether more waits than the workers can have in their hands.
    private func isBusy(_ state: State) -> Bool { state.waiting > highWaterMark / 10 }

    private func update<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            state.rate.advance(to: time.uptime, isBusy: isBusy(state))
            return body(&state)
        }
    }
}

/// A rate that follows recent work: each second counts less the longer ago it is, by a factor e in ten seconds.
///
/// Idle time does not count. Otherwise a worker that had nothing to do for a while would look slow.
struct DrainRate {
    private static let memory = 10.0

    private var drained: Double
    private var seconds = 1.0
    private var uptime: Duration

    /// - Parameter assumed: the rate per second to begin with, which counts like a second's observation.
    init(uptime: Duration, assumed: Double = 200) {
        self.uptime = uptime
        drained = assumed
    }

    /// How many a second.
    var perSecond: Double { drained / seconds }

    /// Lets time go by.
    mutating func advance(to now: Duration, isBusy: Bool) {
        let elapsed = (now - uptime).inSeconds
        uptime = now
        guard isBusy, elapsed > 0 else { return }
        let remaining = exp(-elapsed / Self.memory)
        drained *= remaining
        seconds = seconds * remaining + Self.memory * (1 - remaining)
    }

    mutating func drained(_ count: Int) {
        drained += Double(count)
    }
}
