import Core
import Logging
import TestSupport
import Testing

@testable import Server

@Suite("Work that recurs")
struct RecurringWorkTests {
    private struct Failure: Error {}

    @Test("runs at once and after each pause, also after a failure, and ends when it is cancelled")
    func recurs() async throws {
        let (time, log, count) = (ManualTime(), LogRecorder(), AwaitableValue(0))
        let work = RecurringWork(failure: "it failed", pause: .seconds(60), time: time, logger: log.logger) {
            count.update { $0 += 1 }
            if count.value == 1 { throw Failure() }
        }
        let running = Task { try await work.run() }
        try await time.waitForSleeper(.seconds(60))
        #expect(log.messages(at: .error) == ["it failed: Failure(); the next try is in 60 s"])
        time.advance(by: .seconds(60))
        try await count.wait { $0 == 2 }
        try await time.waitForSleeper(.seconds(60))
        running.cancel()
        try await running.value
        #expect(count.value == 2)
        #expect(log.messages(at: .error).count == 1)
    }
}
