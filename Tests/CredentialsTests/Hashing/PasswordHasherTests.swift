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
        private let counts = Mutex((running: 0, most: 0, total: 0))

        var most: Int { counts.withLock { $0.most } }
        var total: Int { counts.withLock { $0.total } }

        func pass() {
            counts.withLock { counts in
                counts.running += 1
                counts.total += 1
                counts.most = max(counts.most, counts.running)
            }
            semaphore.wait()
            counts.withLock { $0.running -= 1 }
        }

        func open(_ times: Int) {
            for _ in 0..<times { semaphore.signal() }
        }
    }

    /// Lets other tasks run until it is so.
    private func wait(until isSo: () -> Bool) async {
        while !isSo() { await Task.yield() }
    }

    @Test("No more runs at once than allowed, and all of it runs")
    func atOnce() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 2, queueLimit: 10))
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await hasher.run { gate.pass() } } }
            await wait { hasher.load == 8 && gate.total == 2 }
            gate.open(8)
            try await group.waitForAll()
        }
        #expect(gate.most == 2)
        #expect(gate.total == 8)
    }

    @Test("What comes when the queue is full is told that it is busy, at once")
    func busy() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 1, queueLimit: 1))
        async let running: Void = hasher.run { gate.pass() }
        await wait { gate.total == 1 }
        async let waiting: Void = hasher.run { gate.pass() }
        await wait { hasher.load == 2 }
        let error = await #expect(throws: DirectoryError.self) { try await hasher.run { gate.pass() } }
        #expect(error?.kind == .busy)
        gate.open(2)
        _ = try await (running, waiting)
        #expect(gate.total == 2)
    }

    @Test("Swift's own threads stay free while work blocks")
    func free() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 8, queueLimit: 100))
        try await withThrowingTaskGroup { group in
            for _ in 0..<64 { group.addTask { try await hasher.run { gate.pass() } } }
            // If these held Swift's threads, this task would never come here.
            await wait { hasher.load == 64 }
            await Task.detached {}.value
            gate.open(64)
            try await group.waitForAll()
        }
    }

    @Test("Who waits too long gets a timeout, and work that had not begun never runs")
    func timeout() async throws {
        let (gate, threads) = (Gate(), BlockingThreads(name: "test", threads: 1, queueLimit: 5))
        async let running: Void = threads.run(within: .seconds(60)) { gate.pass() }
        await wait { gate.total == 1 }
        let error = await #expect(throws: DirectoryError.self) {
            try await threads.run(within: .milliseconds(20)) { gate.pass() }
        }
        #expect(error?.kind == .timeout)
        gate.open(2)
        _ = try await running
        await wait { threads.load == 0 }
        #expect(gate.total == 1)
    }

    @Test("A cancelled task goes on at once")
    func cancelled() async throws {
        let (gate, hasher) = (Gate(), PasswordHasher(atOnce: 1))
        let task = Task { try await hasher.run { gate.pass() } }
        await wait { gate.total == 1 }
        task.cancel()
        let error = await #expect(throws: DirectoryError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        gate.open(1)
    }

    @Test("Texts are equal only when all bytes are", arguments: [("abc", "abc"), ("", "")])
    func equal(given: String, stored: String) {
        #expect(ConstantTime.areEqual(given.utf8, Array(stored.utf8)))
    }

    @Test(
        "Texts of other lengths and bytes differ",
        arguments: [("abc", "abd"), ("abcabc", "abc"), ("ab", "abc"), ("", "a"), ("a", ""), ("\0", ""), ("", "\0")])
    func different(given: String, stored: String) {
        #expect(!ConstantTime.areEqual(given.utf8, Array(stored.utf8)))
    }
}
