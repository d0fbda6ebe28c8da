import Foundation
import JavaScriptEngine
import Synchronization
import TestSupport
import Testing

@Suite("Memory", .serialized)
struct MemoryTests {
    @Test("An idle machine collects its garbage", .defaultTimeLimit)
    func idleCollection() async throws {
        var size: Int
        // The engine's compiler, on a separate thread, may still hold the values of the loop: then another machine tries.
        repeat {
            let machine = try VirtualMachine.start(name: "idle", idleDelay: .milliseconds(20))
            try await machine.run { machine in
                let context = try machine.contexts.make(name: "busy")
                try context.evaluate(
                    "var a = []; for (var i = 0; i < 3e5; i++) a.push({ i: i }); a = null", file: "x.js")
            }
            try await waitUntil { machine.heapSizeAfterCollection != 0 }
            size = machine.heapSizeAfterCollection
        } while size >= 8 << 20
    }

    @Test("A machine may be used at any moment of the check whether it is idle", .defaultTimeLimit)
    func useDuringIdleCheck() async throws {
        let machine = try VirtualMachine.start(name: "busy", idleDelay: .microseconds(20))
        for _ in 0..<20_000 { await machine.run { _ in } }
    }

    @Test("Memory comes back to the system after a busy spell", .defaultTimeLimit)
    func residentSize() async throws {
        let bench = try await Bench()
        try await bench.evaluate(
            "var all = []; for (var i = 0; i < 150; i++) all.push(new Uint8Array(1 << 20).fill(1))")
        let busy = try Self.residentSize()
        try await bench.evaluate("all = null")
        // The engine's allocator returns pages from a separate thread, some time after the collection.
        repeat { await bench.machine.collectGarbage() } while try Self.residentSize() > busy - (100 << 20)
    }

    @Test(
        "A call takes no more than three times the heap that it may have, and the memory comes back",
        .defaultTimeLimit,
        arguments: [
            "for (var a = []; ;) a.push(new Uint8Array(1 << 30).fill(1))",
            "for (var a = []; ;) a.push(new Uint8Array(60 << 20).fill(1))", "new Float64Array(1 << 27).fill(1)",
            "new Uint8Array(new ArrayBuffer(1 << 30)).fill(1)",
            "var b = new ArrayBuffer(8, { maxByteLength: 1 << 30 }); b.resize(1 << 30); new Uint8Array(b).fill(1)",
            "new Uint8Array(new ArrayBuffer(8).transfer(1 << 30)).fill(1)", "Uint8Array.from({ length: 1 << 29 })",
            "'x'.repeat(1 << 29)", "'x'.padStart(1 << 29)",
            "'x'.padEnd(1 << 29, 'abc').charAt(7) + ''.padEnd(1 << 28, 'abc').indexOf('d')",
            "Array(1 << 20).join('x'.repeat(1000)).indexOf('y')",
            "var s = 'x'.repeat(30 << 20); s.concat(s, s, s).charAt(5)",
            "for (var s = 'xy', i = 0; i < 28; i++) s += s; s.indexOf('z')",
            "var s = 'x'.repeat(30 << 20); `${s}${s}${s}`.charCodeAt(7)",
            "var s = 'x'.repeat(30 << 20); JSON.stringify([s, s, s, s, s, s])",
            "'x'.repeat(1 << 20).replace(/x/g, 'y'.repeat(1000))", "'x'.repeat(1 << 25).split('')",
            "new Array(1 << 26).fill(7)", "var a = new Array(1 << 22).fill(1); a.concat(a, a, a, a, a)",
            "encodeURIComponent('\\u1234'.repeat(7 << 20))", "'\\ufdfa'.repeat(7 << 20).normalize('NFKD')",
            "'\\u0390'.repeat(7 << 20).toLocaleUpperCase('tr')",
            "for (var a = []; ;) a.push('\\u0390'.repeat(2 << 20).toUpperCase())",
            "for (var a = []; ;) a.push('\\u0390'.repeat(1 << 20).toLocaleUpperCase('tr'))",
            "for (var a = []; ;) a.push('\\u0130'.repeat(1 << 20).toLocaleLowerCase('en'))",
            "for (var a = []; ;) a.push(new Intl.DateTimeFormat('de'))",
            "for (var a = [], i = 0; ; i++) a.push(Symbol('x'.repeat(1000) + i))",
            "new Array(6e6).fill(12345678.5).sort()", "for (var a = []; ;) a.push(new Error('x'.repeat(1e5)).stack)",
            "for (var a = []; ;) a.push(new Float64Array(7 << 20).map(Math.random))",
        ])
    func oneStep(source: String) async throws {
        let bench = try await Bench()
        let heap = 64 << 20
        try await bench.evaluate("1")
        // The kernel then counts the largest size from here on.
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let before = try Self.residentSize()
        await #expect(throws: (any Error).self) {
            try await bench.evaluate(
                "(function () { \(source); })()", limits: ExecutionLimits(wallClock: .noLimit, heap: heap))
        }
        #expect(try Self.largestSize() - before < 3 * heap)
        // The collector takes everything on the stack for values, and the call left some there: other calls write over it.
        repeat {
            try await bench.evaluate("[1, 2, 3].map(function (n) { return { n: n } })")
            await bench.machine.collectGarbage()
        } while try Self.residentSize() > before + heap
    }

    @Test("A string too long for the server's functions is refused, and an error's is cut", .defaultTimeLimit)
    func longTexts() async throws {
        let bench = try await Bench()
        try await bench.machine.run { machine in
            let context = try machine.contexts.make(name: "texts")
            let value = try context.evaluate("'é'.repeat((16 << 20) + 1)", file: "x.js")
            #expect(throws: HostError.self) { try value.text() }
            #expect(throws: HostError.self) { try value.json() }
            #expect(throws: HostError.self) { try value.data() }
            #expect(value.string == nil)
            let error = #expect(throws: ScriptError.self) {
                try context.evaluate("throw new Error('é'.repeat(4 << 20))", file: "x.js")
            }
            #expect(error?.message.utf8.count ?? 0 < 3 << 20 && error?.message.hasPrefix("éé") == true)
        }
    }

    @Test("A closed scope lets go of its native functions", .defaultTimeLimit)
    func closedScope() async throws {
        let bench = try await Bench()
        let probe = Probe()
        let scope = try await bench.machine.run { machine in
            let context = try machine.contexts.make(name: "closing")
            try Self.install(probe.makeGuarded(), in: context)
            return context.id
        }
        #expect(probe.alive == 1)
        try await bench.machine.run { try $0.contexts.close(scope) }
        // The collector takes everything on the stack for values, and earlier calls leave some there for a while.
        repeat {
            try await bench.evaluate("[1, 2, 3].map(function (n) { return { n: n } })")
            await bench.machine.collectGarbage()
        } while probe.alive > 0
    }

    @Test("A machine that is dropped ends its thread and frees what it held", .defaultTimeLimit)
    func droppedMachine() async throws {
        let probe = Probe()
        try await Self.useMachine(probe)
        await probe.untilNoneIsAlive()
    }

    private static func useMachine(_ probe: Probe) async throws {
        let bench = try await Bench()
        try await bench.run { context in try install(probe.makeGuarded(), in: context) }
        #expect(probe.alive == 1)
    }

    private static func install(_ guarded: Guarded, in context: ScriptContext) throws {
        try context.global.set(
            "f",
            try context.makeFunction("f") { call in
                withExtendedLifetime(guarded) { call.context.undefined }
            })
    }

    private static func residentSize() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * 4096
    }

    /// Returns the largest resident size since the kernel's counter was reset.
    private static func largestSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let match = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/))
        return try #require(Int(match.1)) * 1024
    }
}

/// Counts the objects that it made and that live still.
final class Probe: Sendable {
    private struct State {
        var alive = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var alive: Int { state.withLock { $0.alive } }

    func makeGuarded() -> Guarded {
        state.withLock { $0.alive += 1 }
        return Guarded(probe: self)
    }

    func untilNoneIsAlive() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.alive > 0 { state.waiter = continuation }
                return state.alive == 0
            }
            if isOver { continuation.resume() }
        }
    }

    fileprivate func ended() {
        let waiter = state.withLock { state in
            state.alive -= 1
            return state.alive == 0 ? state.waiter : nil
        }
        waiter?.resume()
    }
}

final class Guarded: Sendable {
    let probe: Probe

    init(probe: Probe) {
        self.probe = probe
    }

    deinit {
        probe.ended()
    }
}
