/// The schedule of further attempts at a delivery that did not succeed.
///
/// Exponential with full jitter: the n-th wait is random, from zero to `base` doubled n - 1 times, so that deliveries that failed together are not
/// retried together (anchors F2, F4).
public struct RetryPolicy: Sendable, Hashable {
    /// The longest first wait.
    public var base: Duration
    /// The longest wait of all, unless the service asks for more.
    public var cap: Duration

    public init(base: Duration = .seconds(2), cap: Duration = .seconds(600)) {
        self.base = base
        self.cap = cap
    }

    /// Returns the wait after an attempt.
    ///
    /// - Parameters:
    ///   - attempt: the number of the attempt that failed, from 1.
    ///   - retryAfter: the least wait that the service asked for; it may exceed the cap.
    func delay(
        afterAttempt attempt: Int, retryAfter: Duration?, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        // Past 2^30 the cap has long been reached.
        let doublings = min(max(attempt - 1, 0), 30)
        let longest = min(base * (1 << doublings), cap)
        let fraction = Double(generator.next()) / Double(UInt64.max)
        return max(longest * fraction, retryAfter ?? .zero)
    }
}
