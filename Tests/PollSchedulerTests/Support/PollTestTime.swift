import PushModel

import struct Foundation.Date

/// A clock that moves only when a test moves it.
final class PollTestTime: TimeSource {
    private struct State {
        var uptime = PollTestTime.startUptime
        var clockError = 0.0
        /// When each sleeper wants to wake up.
        var sleepers: [Int: Duration] = [:]
        var sleepersStarted = 0
    }

    /// The time of day at which every test begins.
    static let start = Date(timeIntervalSince1970: 1_700_000_000)
    /// Nothing to do with ``start``, as on a real machine.
    private static let startUptime = Duration.seconds(500)

    private let state = Watched(State())

    var now: Date {
        let state = state.value
        return Self.start.addingTimeInterval((state.uptime - Self.startUptime) / .seconds(1) + state.clockError)
    }

    var uptime: Duration { state.value.uptime }

    /// How long the test has been going on, in seconds.
    var elapsed: Double { (uptime - Self.startUptime) / .seconds(1) }

    func sleep(untilUptime deadline: Duration) async throws {
        let number = state.update { state in
            state.sleepersStarted += 1
            state.sleepers[state.sleepersStarted] = deadline
            return state.sleepersStarted
        }
        defer { state.update { $0.sleepers[number] = nil } }
        try await state.wait { $0.uptime >= deadline }
    }

    func advance(by duration: Duration) {
        state.update { $0.uptime += duration }
    }

    /// Somebody sets the machine's clock.
    func setClock(forwardBy seconds: Double) {
        state.update { $0.clockError += seconds }
    }

    /// Returns once these and no others sleep, given by when they wake up, in seconds since the test began.
    func waitForSleepers(until wakeUps: Double...) async throws {
        let deadlines = wakeUps.map { Self.startUptime + .seconds($0) }.sorted()
        try await state.wait { $0.sleepers.values.sorted() == deadlines }
    }
}
