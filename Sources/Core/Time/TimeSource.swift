public import struct Foundation.Date

/// The time, and waiting for it. Everything that depends on time uses one, so that tests set the clock manually.
public protocol TimeSource: Sendable {
    /// The time of day, for stored and displayed times. It may jump when the machine's clock is set.
    var now: Date { get }

    /// Monotonic time from any origin, for measuring waits.
    var uptime: Duration { get }

    /// Waits until ``uptime`` has reached `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(untilUptime deadline: Duration) async throws
}

/// The machine's own clocks.
public struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now

    public init() {}

    public var now: Date { Date() }

    public var uptime: Duration { Self.origin.duration(to: .now) }

    public func sleep(untilUptime deadline: Duration) async throws {
        try await Task.sleep(until: Self.origin + deadline, clock: .continuous)
    }
}

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double { self / .seconds(1) }
}
