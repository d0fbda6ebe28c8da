import Core
import Foundation
import Testing

@Suite("The machine's clocks")
struct SystemTimeTests {
    @Test("The uptime never goes back")
    func uptime() {
        let time = SystemTime()
        let earlier = time.uptime
        #expect(time.uptime >= earlier)
    }

    @Test("Two of them agree on the uptime")
    func shared() {
        let (one, other) = (SystemTime(), SystemTime())
        let (before, between, after) = (one.uptime, other.uptime, one.uptime)
        #expect(before <= between && between <= after)
    }

    @Test("Waiting for a time that has passed returns at once")
    func past() async throws {
        try await SystemTime().sleep(untilUptime: .zero)
    }

    @Test("A cancelled wait throws")
    func cancelled() async {
        let task = Task { try await SystemTime().sleep(untilUptime: .seconds(1_000_000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
