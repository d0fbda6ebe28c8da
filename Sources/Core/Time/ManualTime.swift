public import struct Foundation.Date

/// A clock that moves only when a test moves it, and knows who sleeps.
public final class ManualTime: TimeSource {
    private struct State {
        var uptime = ManualTime.startUptime
        var clockError = 0.0
        /// The wake-up time of each sleeper.
        var sleepers: [Int: Duration] = [:]
        var sleepersStarted = 0
    }

    /// The time of day at which a test begins that does not say another: 14 November 2023, 22:13:20 UTC.
    public static let start = Date(timeIntervalSince1970: 1_700_000_000)
    /// Nothing to do with ``start``, as on a real machine.
    private static let startUptime = Duration.seconds(500)

    private let state = AwaitableValue(State())

    /// The time of day at which this one began.
    public let beginning: Date

    public init(at beginning: Date = ManualTime.start) {
        self.beginning = beginning
    }

    public var now: Date {
        let state = state.value
        return beginning.addingTimeInterval((state.uptime - Self.startUptime) / .seconds(1) + state.clockError)
    }

    public var uptime: Duration { state.value.uptime }

    /// The time since the start of the test, in seconds.
    public var elapsed: Double { (uptime - Self.startUptime) / .seconds(1) }

    public func sleep(untilUptime deadline: Duration) async throws {
        let number = state.update { state in
            state.sleepersStarted += 1
            state.sleepers[state.sleepersStarted] = deadline
            return state.sleepersStarted
        }
        defer { state.update { $0.sleepers[number] = nil } }
        try await state.wait { $0.uptime >= deadline }
    }

    /// Lets time go by, and wakes those whose time has come.
    public func advance(by duration: Duration) {
        state.update { $0.uptime += duration }
    }

    /// Ends all sleep, now and later, with a `CancellationError`: for when what is tested is no longer needed.
    public func stop() {
        state.close()
    }

    /// Somebody sets the machine's clock.
    public func setClock(forwardBy seconds: Double) {
        state.update { $0.clockError += seconds }
    }

    /// Returns once these and no others sleep, each given by how long it still has to sleep.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit.
    public func waitForSleepers(_ durations: Duration...) async throws {
        let expected = durations.sorted()
        try await state.wait { state in state.sleepers.values.map { $0 - state.uptime }.sorted() == expected }
    }

    /// Returns once a task sleeps that still has to sleep so long; other sleepers do not matter.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit.
    public func waitForSleeper(_ duration: Duration) async throws {
        try await state.wait { state in state.sleepers.values.contains { $0 - state.uptime == duration } }
    }

    /// Returns once so many tasks sleep that still have to sleep so long; other sleepers do not matter.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit.
    public func waitForSleeper(_ duration: Duration, count: Int) async throws {
        try await state.wait { state in state.sleepers.values.count { $0 - state.uptime == duration } == count }
    }

    /// Returns once nobody sleeps any more who still has to sleep so long.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit.
    public func waitForNoSleeper(_ duration: Duration) async throws {
        try await state.wait { state in !state.sleepers.values.contains { $0 - state.uptime == duration } }
    }

    /// Returns once one task sleeps and no other, given by when it wakes up, in seconds since the test began.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit.
    public func waitForSleepers(until wakeUp: Double) async throws {
        let deadline = Self.startUptime + .seconds(wakeUp)
        try await state.wait { Array($0.sleepers.values) == [deadline] }
    }
}
