import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Credentials

@Suite("Work that blocks", .onOwnThreads)
struct PasswordHasherTests {
    /// Work that goes on until it is let go.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        /// The number of passes, those that still wait included.
        var total: Int { count.withLock { $0 } }

        func pass() {
            count.withLock { $0 += 1 }
            semaphore.wait()
        }

        func open(_ times: Int) {
            for _ in 0..<times { semaphore.signal() }
        }
    }

    @Test("Work on a full queue fails as busy, at once")
    func busy() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 1, queueLimit: 1))
        async let running: Void = hasher.run { gate.pass() }
        try await waitUntil { gate.total == 1 }
        async let waiting: Void = hasher.run { gate.pass() }
        try await waitUntil { hasher.load == 2 }
        let error = await #expect(throws: DirectoryError.self) { try await hasher.run { gate.pass() } }
        #expect(error?.kind == .busy)
        gate.open(2)
        _ = try await (running, waiting)
        #expect(gate.total == 2)
    }

    @Test("Work that waits too long gets a timeout, and never runs")
    func timeout() async throws {
        let (gate, threads) = (Gate(), LoginThreads(name: "test", threads: 1, queueLimit: 5))
        async let running: Void = threads.run(within: .noLimit) { gate.pass() }
        try await waitUntil { gate.total == 1 }
        let error = await #expect(throws: DirectoryError.self) {
            try await threads.run(within: .milliseconds(20)) { gate.pass() }
        }
        #expect(error?.kind == .timeout)
        gate.open(2)
        _ = try await running
        try await waitUntil { threads.load == 0 }
        #expect(gate.total == 1)
    }

    @Test("A cancelled task returns at once")
    func cancelled() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 1))
        let task = Task { try await hasher.run { gate.pass() } }
        try await waitUntil { gate.total == 1 }
        task.cancel()
        let error = await #expect(throws: DirectoryError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        gate.open(1)
    }

    @Test("Strings are equal only when all bytes are", arguments: [("abc", "abc"), ("", "")])
    func equal(given: String, stored: String) {
        #expect(ConstantTime.areEqual(given.utf8, Array(stored.utf8)))
    }

    @Test(
        "Strings of other lengths and bytes differ",
        arguments: [("abc", "abd"), ("abcabc", "abc"), ("ab", "abc"), ("", "a"), ("a", ""), ("\0", ""), ("", "\0")])
    func different(given: String, stored: String) {
        #expect(!ConstantTime.areEqual(given.utf8, Array(stored.utf8)))
    }
}
