import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite("Execution limits")
struct ExecutionLimitTests {
    private static let quick = ExecutionLimits(cpuTime: .milliseconds(60))

    @Test(
        "The CPU time limit ends a script that never would",
        arguments: [
            "for (;;) {}",
            "for (;;) { try { for (;;) {} } catch (e) {} finally { for (;;) {} } }",
            "function f() { try { for (;;) {} } finally { f() } } f()",
            "[3, 2, 1].sort(function () { for (;;) {} })",
            "({ get a() { for (;;) {} } }).a",
            "JSON.stringify({ toJSON: function () { for (;;) {} } })",
        ])
    func cpuTime(source: String) async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding(source, limits: Self.quick)
        #expect(error.limit == .cpuTime)
        #expect(try await bench.evaluate("6 * 7") == 42)
    }

    @Test("A native function that calls the script again after its end was stopped is stopped again", .defaultTimeLimit)
    func again() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            let stubborn = try context.makeFunction("stubborn") { call in
                for _ in 0..<3 { _ = try? call[0].call() }
                return call.context.undefined
            }
            try context.global.set("stubborn", stubborn)
        }
        let error = try await bench.limitEnding(
            "stubborn(function () { for (;;) {} }); for (;;) {}", limits: Self.quick)
        #expect(error.limit == .cpuTime)
        #expect(try await bench.evaluate("6 * 7") == 42)
    }

    @Test("A script that swallows its end with catch has not swallowed it")
    func uncatchable() async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding(
            "var caught = false; try { for (;;) {} } catch (e) { caught = true } 'survived'", limits: Self.quick)
        #expect(error.limit == .cpuTime)
        #expect(try await bench.evaluate("caught") == false)
    }

    @Test("The wall clock limit counts time that a native function waits")
    func wallClock() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            // Waits as a back-end call does, for the rest of the call's time.
            let wait = try context.makeFunction("waitForBackEnd") { call in
                let remaining = call.context.remainingTime ?? .zero
                _ = DispatchSemaphore(value: 0).wait(  // test: allowed, the subject is the rest of the call's time
                    timeout: .now() + remaining / .seconds(1))
                return call.context.undefined
            }
            try context.global.set("waitForBackEnd", wait)
        }
        let error = try await bench.limitEnding(
            "waitForBackEnd(); 'done'", limits: ExecutionLimits(wallClock: .milliseconds(50)))
        #expect(error.limit == .wallClock)
        #expect(error.configured == "50 ms")
    }

    @Test("The wall clock limit also ends a script that works")
    func wallClockWhileWorking() async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding("for (;;) {}", limits: ExecutionLimits(wallClock: .milliseconds(50)))
        #expect(error.limit == .wallClock)
    }

    @Test(
        "The heap limit ends a script that hoards", .defaultTimeLimit,
        arguments: [
            "var all = []; for (;;) all.push({ a: 1, b: [1, 2, 3] })",
            "var all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))",
            "var all = []; for (var i = 0; ; i++) all.push('text ' + i)",
            "var all = {}; for (var i = 0; ; i++) all['key' + i] = i",
            "try { var all = []; for (;;) all.push(new Array(1000).fill(0)) } catch (e) {} finally { for (;;) {} }",
        ])
    func heap(source: String) async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding(
            source, limits: ExecutionLimits(wallClock: .noLimit, heap: 16 << 20))
        #expect(error.limit == .heap)
        #expect(error.configured == "16 MB")
        // The engine's compiler, on a separate thread, holds the values of a loop for as long as it compiles it.
        repeat {
            try await bench.evaluate("all = null")
            await bench.machine.collectGarbage()
        } while bench.machine.heapSizeAfterCollection >= 8 << 20
    }

    @Test("A machine that is never idle measures its heap if calls each leave a little in it", .defaultTimeLimit)
    func slowLeak() async throws {
        let bench = try await Bench()
        try await bench.evaluate("var kept = []; function leak() { kept.push(new Uint8Array(100000).fill(1)) }")
        repeat {
            try await bench.evaluate("leak(); 1", limits: ExecutionLimits(heap: 64 << 20))
            await bench.machine.collectGarbage(ifOlderThan: .seconds(3600))
        } while bench.machine.heapSizeAfterCollection < 64 << 20
    }

    @Test("A call is not ended for memory that a longer one before it has kept", .defaultTimeLimit)
    func othersMemory() async throws {
        let bench = try await Bench()
        let limits = ExecutionLimits(wallClock: .noLimit, heap: 64 << 20)
        let keeping =
            "for (var kept = [], i = 0; i < 50; i++) kept.push(new Uint8Array(1 << 20).fill(1)); for (i = 0; i < 3e7; i++); kept.length"
        for number in 0..<3 {
            #expect(try await bench.evaluate(keeping.replacing("kept", with: "kept\(number)"), limits: limits) == 50)
            await bench.machine.collectGarbage(ifOlderThan: .seconds(3600))
        }
    }

    @Test("A long call is not ended for memory that short ones before it have kept", .defaultTimeLimit)
    func shortCallsMemory() async throws {
        let bench = try await Bench()
        let limits = ExecutionLimits(wallClock: .noLimit, heap: 64 << 20)
        try await bench.evaluate("var kept = []")
        for _ in 0..<50 {
            try await bench.evaluate("kept.push(new Uint8Array(2 << 20).fill(1)); 1", limits: limits)
        }
        #expect(try await bench.evaluate("for (var i = 0; i < 3e7; i++); kept.length", limits: limits) == 50)
    }

    @Test("A script may make much garbage as long as it holds little")
    func garbage() async throws {
        let bench = try await Bench()
        let result = try await bench.evaluate(
            "for (var i = 0; i < 300; i++) { var a = new Array(100000).fill(i); } i",
            limits: ExecutionLimits(wallClock: .noLimit, heap: 64 << 20))
        #expect(result == 300)
    }

    @Test(
        "A recursion without end gets a RangeError that it may catch",
        arguments: [
            "function f() { f() } f()", "function f(a) { return [2, 1].sort(f) } f()",
            "var o = {}; o.toString = function () { return '' + o }; '' + o",
            "var a = { get b() { return this.b } }; a.b",
        ])
    func endlessRecursion(source: String) async throws {
        let bench = try await Bench()
        let error = try await #require(throws: ScriptError.self) { try await bench.evaluate(source) }
        #expect(error.name == "RangeError")
        #expect(try await bench.evaluate("try { \(source) } catch (e) { e.name }") == "RangeError")
    }

    @Test("A recursion that leaves its stack nearly empty gets its RangeError each time")
    func sparseRecursion() async throws {
        let bench = try await Bench()
        let source =
            "function h(x, y) { var z = [x, y]; return h(z, x) || h(y, z) } try { h(1, 2) } catch (e) { e.name }"
        for _ in 0..<40 { #expect(try await bench.evaluate(source) == "RangeError") }
    }

    @Test(
        "A recursion that catches its own end is ended by the limit on its time",
        arguments: [
            "function f() { try { f() } catch (e) { f() } } f()", "function f() { try { f() } finally { f() } } f()",
        ])
    func stubbornRecursion(source: String) async throws {
        let bench = try await Bench()
        #expect(try await bench.limitEnding(source, limits: Self.quick).limit == .cpuTime)
        #expect(try await bench.evaluate("6 * 7") == 42)
    }

    @Test("Calls may nest ten thousand deep, also on a stack that a runaway recursion has used before")
    func modestRecursion() async throws {
        let bench = try await Bench()
        let source = "function f(n) { return n ? 1 + f(n - 1) : 0 } f(10000)"
        #expect(try await bench.evaluate(source) == 10_000)
        try await bench.evaluate("function g() { g() } try { g() } catch (e) {}")
        #expect(try await bench.evaluate(source) == 10_000)
    }

    @Test("An interrupted call ends, and the next one runs")
    func interrupt() async throws {
        let bench = try await Bench()
        let interruption = Interruption()
        try await bench.run { context in
            let started = try context.makeFunction("started") { call in
                interruption.request("nobody waits for it")
                return call.context.undefined
            }
            try context.global.set("started", started)
        }
        try await bench.machine.run { try $0.contexts.interruption = interruption }
        let error = try await bench.limitEnding("started(); for (;;) {}", limits: ExecutionLimits())
        #expect(error.limit == .interrupted && error.configured == "nobody waits for it")
        try await bench.machine.run { try $0.contexts.interruption = nil }
        #expect(try await bench.evaluate("6 * 7") == 42)
    }

    @Test("A call that begins after its cancellation ends as well")
    func interruptBefore() async throws {
        let bench = try await Bench()
        let interruption = Interruption()
        interruption.request("nobody waits for it")
        try await bench.machine.run { try $0.contexts.interruption = interruption }
        #expect(try await bench.limitEnding("for (;;) {}", limits: ExecutionLimits()).limit == .interrupted)
    }

    @Test("A machine that was interrupted runs no more calls, whenever they begin")
    func interruptMachine() async throws {
        let bench = try await Bench()
        bench.machine.interrupt(reason: "the server is stopping")
        #expect(try await bench.limitEnding("for (;;) {}", limits: ExecutionLimits()).limit == .interrupted)
    }

    @Test("The error names the limit, its value, the adapter and the procedure")
    func message() async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding("for (;;) {}", limits: Self.quick)
        #expect(error.description == "Test/run was stopped: it used more than the CPU time limit (cpuTime) of 60 ms")
    }

    @Test("The error contains the script's position")
    func stack() async throws {
        let bench = try await Bench()
        let error = try await bench.limitEnding(
            "function spin() {\n  for (;;) {} }\nfunction outer() { spin() }\nouter()", limits: Self.quick)
        let stack = try #require(error.stack)
        #expect(stack.hasPrefix("spin@Test-impl.js:"))
        #expect(stack.contains("\nouter@Test-impl.js:3\nglobal code@Test-impl.js:4"))
    }

    @Test("A call within a call shares the outer one's limits")
    func nested() async throws {
        let bench = try await Bench()
        let error = try await #require(throws: LimitExceededError.self) {
            try await bench.run { context in
                try context.call(Bench.label, limits: Self.quick) {
                    try context.call(CallLabel(adapter: "Other", procedure: "inner"), limits: ExecutionLimits()) {
                        try context.evaluate("for (;;) {}", file: "x.js").data()
                    }
                }
            }
        }
        #expect(error.label == Bench.label)
    }

    @Test("A limit in one machine leaves another's call alone")
    func separateMachines() async throws {
        let busy = try await Bench()
        let other = try await Bench()
        async let ended = busy.limitEnding("for (;;) {}", limits: Self.quick)
        let sum = try await other.evaluate("var n = 0; for (var i = 0; i < 1e6; i++) n += i; n")
        #expect(sum == 499_999_500_000)
        _ = try await ended
    }
}
