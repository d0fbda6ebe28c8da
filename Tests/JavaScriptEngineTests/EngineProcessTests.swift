import CEngineMemory
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

@Suite("Process")
struct EngineProcessTests {
    @Test("A stray SIGUSR1 does not kill the process, also during garbage collection")
    func straySignal() async throws {
        let bench = try await Bench()
        async let busy: ScriptData = bench.evaluate(
            "for (var i = 0; i < 400; i++) { var a = new Array(20000).fill({}).map(function (x) { return [x] }) } i")
        for _ in 0..<200 {
            kill(getpid(), SIGUSR1)
            pthread_kill(pthread_self(), SIGUSR1)
            await Task.yield()
        }
        #expect(try await busy == 400)
    }

    @Test("Preparing again succeeds again")
    func prepareTwice() throws {
        try EngineProcess.prepare()
        try EngineProcess.prepare()
    }

    /// The race itself needs two threads at the same instruction within 20 ns; benchmarks/engine-abort widens it.
    @Test("The engine's timers do not come to the assertions that can abort the process")
    func trapBookkeeping() async throws {
        let bench = try await Bench()
        let before = TrapBookkeeping.callCounts
        _ = try await bench.limitEnding("for (;;) {}", limits: ExecutionLimits(cpuTime: .milliseconds(60)))
        let after = TrapBookkeeping.callCounts
        #expect(after.requests > before.requests)
        #expect(after.cancellations > before.cancellations)
        #expect(EngineProcess.warning == nil)
    }

    @Test("Workarounds for the engine are reported for review from a date on")
    func expiry() async throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        func warnings(on day: String) async throws -> String {
            let output = Pipe()
            let script = repository.appending(path: "scripts/lint-expiry").path
            #expect(try await ChildProcess(script, [day], output: output).exitStatus == 0)
            return await output.fileHandleForReading.allText()
        }
        #expect(try await warnings(on: "2026-11-27").isEmpty)
        let late = try await warnings(on: "9999-12-31")
        for file in ["TrapBookkeeping.swift", "DescriptorReserve.swift", "timers.c"] { #expect(late.contains(file)) }
    }

    @Test("Calls that end in time order their timers without waking a thread of the engine's")
    func sharedTimers() async throws {
        #expect(SymbolReplacement.isInPlace("_ZN3WTF13WorkQueueBase13dispatchAfterENS_7SecondsEONS_8FunctionIFvvEEE"))
        let before = lamplighter_shared_timers()
        let bench = try await Bench()
        _ = try await bench.evaluate("1")
        #expect(lamplighter_shared_timers() > before)
    }

    @Test("Jobs run on the machine's one thread, in order")
    func order() async throws {
        let bench = try await Bench()
        try await bench.evaluate("var order = []")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { try await bench.evaluate("var start = order.length; order.push(start)") }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.evaluate("order.every(function (x, i) { return x === i }) && order.length") == 50)
    }

    @Test("A blocked machine delays no other")
    func blocked() async throws {
        let blocked = try await Bench()
        let free = try await Bench()
        let gate = DispatchSemaphore(value: 0)
        try await blocked.run { context in
            let wait = try context.makeFunction("wait") { call in
                gate.wait()
                return call.context.undefined
            }
            try context.global.set("wait", wait)
        }
        async let waiting: ScriptData = blocked.evaluate("wait(); 1")
        #expect(try await free.evaluate("2") == 2)
        gate.signal()
        #expect(try await waiting == 1)
    }
}
