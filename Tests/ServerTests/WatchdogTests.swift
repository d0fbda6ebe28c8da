import Core
import Logging
import TestSupport
import Testing

@testable import Server

@Suite("The watchdog", .defaultTimeLimit)
struct WatchdogTests {
    @Test("passes on no sign of life while a loop has not responded, names it, and goes on once it has")
    func silence() async throws {
        let (signs, isOpen, log) = (AwaitableValue(0), AwaitableValue(false), LogRecorder())
        let watchdog = Watchdog(
            [.init(name: "polls") { try? await isOpen.wait { $0 } }, .init(name: "scripts") {}], logger: log.logger
        ) { signs.update { $0 += 1 } }
        watchdog.tick()
        #expect(signs.value == 1)
        try await watchdog.asked.wait { $0 == ["polls"] }
        watchdog.tick()
        #expect(signs.value == 1)
        #expect(
            log.messages(at: .critical) == [
                "polls: no sign of life; the service manager ends this process if it stays so"
            ])
        isOpen.update { $0 = true }
        try await watchdog.asked.wait { $0.isEmpty }
        watchdog.tick()
        #expect(signs.value == 2)
    }
}
