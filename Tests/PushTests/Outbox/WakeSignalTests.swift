import TestSupport
import Testing

@testable import Push

@Suite("The wake-up signal", .defaultTimeLimit)
struct WakeSignalTests {
    @Test("A signal set before the wait is not lost")
    func before() async {
        let signal = WakeSignal()
        signal.set()
        await signal.wait()
    }

    @Test("Several signals count as one")
    func several() async throws {
        let signal = WakeSignal()
        signal.set()
        signal.set()
        await signal.wait()
        let woken = AwaitableValue(false)
        let waiting = Task {
            await signal.wait()
            woken.update { $0 = true }
        }
        #expect(!woken.value)
        signal.set()
        await waiting.value
        #expect(woken.value)
    }

    @Test("A thousand rounds between two tasks lose no signal")
    func rounds() async {
        let (there, back) = (WakeSignal(), WakeSignal())
        let other = Task.detached {
            for _ in 0..<1000 {
                await there.wait()
                back.set()
            }
        }
        for _ in 0..<1000 {
            there.set()
            await back.wait()
        }
        await other.value
    }
}
