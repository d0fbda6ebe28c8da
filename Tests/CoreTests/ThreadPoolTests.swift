import Core
import Dispatch
import TestSupport
import Testing

@Suite("Pools of threads", .defaultTimeLimit)
struct ThreadPoolTests {
    @Test("run all work, no more at once than they have threads, and leave Swift's threads free")
    func limit() async throws {
        let (pool, gate) = (ThreadPool(name: "test", threads: 2), DispatchSemaphore(value: 0))
        let counts = AwaitableValue([0, 0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    await pool.run {
                        counts.update { counts in
                            counts[0] += 1
                            counts[1] = max(counts[0], counts[1])
                        }
                        gate.wait()
                        counts.update { $0[0] -= 1 }
                    }
                }
            }
            try await waitUntil { pool.load >= 64 }
            try await counts.wait { $0 == [2, 2] }
            for _ in 0..<64 { gate.signal() }
        }
        #expect(counts.value == [0, 2])
    }

    @Test("run work in the order in which it came when they have one thread")
    func order() async {
        let (pool, order) = (ThreadPool(name: "test", threads: 1), AwaitableValue<[Int]>([]))
        for number in 0..<100 { pool.submit { order.update { $0.append(number) } } }
        for number in 100..<200 { await pool.run { order.update { $0.append(number) } } }
        #expect(order.value == Array(0..<200))
    }

    @Test("return the result to a task that is cancelled")
    func cancelled() async {
        let (pool, gate) = (ThreadPool(name: "test", threads: 1), DispatchSemaphore(value: 0))
        let task = Task {
            await pool.run {
                gate.wait()
                return 5
            }
        }
        task.cancel()
        gate.signal()
        #expect(await task.value == 5)
    }

    @Test("refuse work beyond a limit")
    func refused() {
        let (pool, gate) = (ThreadPool(name: "test", threads: 1), DispatchSemaphore(value: 0))
        let isAccepted = (0..<3).map { _ in pool.submit(below: 2) { gate.wait() } }
        #expect(isAccepted == [true, true, false])
        for _ in 0..<2 { gate.signal() }
    }
}

@Suite("Values that come later")
struct PromiseTests {
    @Test("are the first of several")
    func first() async {
        let promise = Promise<Int>()
        async let later = promise.get()
        promise.fulfill(1)
        promise.fulfill(2)
        #expect(await later == 1)
        #expect(promise.value == 1)
        for _ in 0..<2 { #expect(promise.wait(until: nil) == 1) }
    }

    @Test("end a wait at the deadline, or on cancellation")
    func givenUp() {
        let promise = Promise<Int>()
        #expect(promise.wait(until: ContinuousClock.now + .milliseconds(1)) == nil)
        #expect(promise.wait(until: nil, unless: { true }) == nil)
    }
}
