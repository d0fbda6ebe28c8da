import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

@Suite("Calls in several steps", .defaultTimeLimit)
struct CallStepTests {
    /// A function that computes for a part of a millisecond.
    private static let work = "function work() { for (var i = 0, sum = 0; i < 30000; i++) sum += i % 7; return sum }"

    @Test("The CPU time of a call is that of all its steps, however short, and of no other call's")
    func cpuTime() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            try context.evaluate(Self.work, file: "Test-impl.js")
            let work = try context.global.get("work")
            let limit = Duration.milliseconds(100)
            let limited = context.begin(Bench.label, limits: ExecutionLimits(cpuTime: limit))
            let other = context.begin(Bench.label, limits: ExecutionLimits())
            var used = Duration.zero
            var usedBefore = Duration.zero
            let exceeded = Self.limit {
                while true {
                    usedBefore = used
                    let start = Self.cpuTime
                    defer { used += Self.cpuTime - start }
                    _ = try context.step(of: limited) { try work.call() }
                    for _ in 0..<3 { _ = try context.step(of: other) { try work.call() } }
                }
            }
            #expect(exceeded == .cpuTime)
            // A quarter of the time is the call's.
            #expect(used / 4 > limit / 2)
            #expect(usedBefore / 4 < limit * 2)
        }
    }

    @Test("A call that has exceeded a limit has no further step")
    func noFurtherStep() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            let call = context.begin(Bench.label, limits: ExecutionLimits(cpuTime: .milliseconds(30)))
            let endless = { try context.step(of: call) { try context.evaluate("for (;;) {}", file: "Test-impl.js") } }
            #expect(Self.limit { _ = try endless() } == .cpuTime)
            var hasRun = false
            #expect(Self.limit { try context.step(of: call) { hasRun = true } } == .cpuTime)
            #expect(!hasRun)
        }
    }

    @Test("The wall-clock time of a call goes on between its steps")
    func wallClock() async throws {
        let limit = try await Bench().run { try Self.limitAfterOtherCall($0) }
        #expect(limit == .wallClock)
    }

    /// The limit that ends a call of 50 ms after another call has had a step of 60 ms.
    private static func limitAfterOtherCall(_ context: ScriptContext) throws -> LimitExceededError.Limit? {
        let limited = context.begin(Bench.label, limits: ExecutionLimits(wallClock: .milliseconds(50)))
        let other = context.begin(Bench.label, limits: ExecutionLimits())
        _ = try context.step(of: other) {
            try context.evaluate("for (var end = Date.now() + 60; Date.now() < end;) {}", file: "Test-impl.js")
        }
        return limit { _ = try context.step(of: limited) { true } }
    }

    @Test("A generator whose step a limit has ended leaves the others of the machine as they were")
    func generators() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            try context.evaluate(
                """
                var caught = 0;
                function* inner() { try { yield 1; for (;;) {} } catch (e) { caught++ } finally { caught++ } }
                function* endless() { yield* inner() }
                function* count() { for (var i = 0; i < 3; i++) yield i; return "done" }
                var first = endless(), second = count();
                function next(generator) { return generator.next().value }
                """, file: "Test-impl.js")
            let next = try context.global.get("next")
            let first = try context.global.get("first")
            let second = try context.global.get("second")
            let limited = context.begin(Bench.label, limits: ExecutionLimits(cpuTime: .milliseconds(30)))
            let other = context.begin(Bench.label, limits: ExecutionLimits(cpuTime: .seconds(30)))
            #expect(try context.step(of: limited) { try next.call([first]).number } == 1)
            #expect(try context.step(of: other) { try next.call([second]).number } == 0)
            #expect(Self.limit { _ = try context.step(of: limited) { try next.call([first]) } } == .cpuTime)
            #expect(try context.step(of: other) { try next.call([second]).number } == 1)
            #expect(try context.step(of: other) { try next.call([second]).number } == 2)
            #expect(try context.step(of: other) { try next.call([second]).string } == "done")
            #expect(try context.global.get("caught").number == 0)
        }
    }

    @Test("The enforcer of limits keeps nothing of a call outside the call's own object")
    func stored() async throws {
        let bench = try await Bench()
        let names = try await bench.machine.run { machine in
            Mirror(reflecting: try machine.contexts.engine.limits).children.compactMap(\.label)
        }
        // A property of a call belongs into LimitedCall: steps of other calls run between those of a call that waits.
        #expect(
            names == [
                "interruption",
                // Set for each step.
                "callersInterruption", "group", "onSlice", "call",
                // Of the machine's heap.
                "heapWasExceeded", "hasCalledSinceExcess", "measuredHeap", "residentSizeAtMeasurement",
                "wantsMeasurement", "taken", "takers", "stepsSinceReading", "takenAtReading", "residentSizeAtLastWalk",
                "timeOfLastWalk", "takenAtLastWalk",
            ])
    }

    /// The limit that ends a body; `nil` for none.
    private static func limit(_ body: () throws -> Void) -> LimitExceededError.Limit? {
        do {
            try body()
            return nil
        } catch {
            return (error as? LimitExceededError)?.limit
        }
    }

    private static var cpuTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
