import Core
import Synchronization

/// A rate limit for each network: a stock that fills up again with time.
package final class NetworkRateLimiter: Sendable {
    private let stock: Int
    private let refill: Duration
    private let time: any TimeSource
    /// The uptime at which each network's stock will be full again. Networks that were not looked up for long are forgotten: their
    /// stock is full.
    private let fullAt = Mutex(BoundedTable<String, Duration>(capacity: 100_000))

    /// - Parameters:
    ///   - stock: how often each network may do something at once.
    ///   - refill: after each such time it may once more.
    init(stock: Int, refill: Duration, time: any TimeSource) {
        (self.stock, self.refill, self.time) = (stock, refill, time)
    }

    /// Returns the time that a network has to wait; `nil` when something is left of its stock.
    func wait(of network: String) -> Duration? {
        let now = time.uptime
        return fullAt.withLock { wait(until: $0[network], at: now) }
    }

    /// Takes one from a network's stock.
    ///
    /// - Returns: how long the network has to wait when nothing was left; `nil` when something was.
    package func take(for network: String) -> Duration? {
        let now = time.uptime
        return fullAt.withLock { fullAt in
            let full = fullAt[network]
            if let wait = wait(until: full, at: now) { return wait }
            fullAt[network] = max(full ?? now, now) + refill
            return nil
        }
    }

    private func wait(until full: Duration?, at now: Duration) -> Duration? {
        guard let full else { return nil }
        let wait = full + refill - now - refill * stock
        return wait > .zero ? wait : nil
    }
}
