import Core
import Synchronization

/// A rate limit for each network: a stock that fills up again with time.
final class NetworkRateLimiter: Sendable {
    /// Beyond so many networks, those are forgotten first whose stock is fullest.
    private static let capacity = 10_000

    private let stock: Int
    private let refill: Duration
    private let time: any TimeSource
    /// The uptime at which each network's stock will be full again.
    private let fullAt = Mutex<[String: Duration]>([:])

    /// - Parameters:
    ///   - stock: how often each network may do something at once.
    ///   - refill: after each such time it may once more.
    init(stock: Int, refill: Duration, time: any TimeSource) {
        (self.stock, self.refill, self.time) = (stock, refill, time)
    }

    /// How long a network has to wait; `nil` when something is left of its stock.
    func wait(of network: String) -> Duration? {
        let now = time.uptime
        return fullAt.withLock { wait(until: $0[network], at: now) }
    }

    /// Takes one from a network's stock.
    ///
    /// - Returns: how long the network has to wait when nothing was left; `nil` when something was.
    func take(for network: String) -> Duration? {
        let now = time.uptime
        return fullAt.withLock { fullAt in
            if let wait = wait(until: fullAt[network], at: now) { return wait }
            if fullAt[network] == nil, fullAt.count >= Self.capacity { Self.makeRoom(in: &fullAt, at: now) }
            fullAt[network] = max(fullAt[network] ?? now, now) + refill
            return nil
        }
    }

    private func wait(until full: Duration?, at now: Duration) -> Duration? {
        guard let full else { return nil }
        let wait = full + refill - now - refill * stock
        return wait > .zero ? wait : nil
    }

    private static func makeRoom(in fullAt: inout [String: Duration], at now: Duration) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= capacity else { return }
        // A tenth at once, so that it is rarely needed to sort.
        for (network, _) in fullAt.sorted(by: { $0.value < $1.value }).prefix(capacity / 10) { fullAt[network] = nil }
    }
}
