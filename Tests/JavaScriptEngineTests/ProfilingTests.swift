import JavaScriptEngine
import Testing

@Suite("Profiles and stacks")
struct ProfilingTests {
    private static let script = """
        function hot(n) { var s = 0; for (var i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s }
        function outer(rounds) {
            for (var k = 0; k < rounds; k++) hot(20000);
        }
        """

    @Test("The profiler sees which functions run, and where they are")
    func samples() async throws {
        let bench = try await Bench()
        let profile = try await bench.run { context in
            try context.evaluate(Self.script, file: "Test-impl.js")
            return try context.profile { _ = try context.evaluate("outer(1000)", file: "call.js") }.profile
        }
        #expect(profile.interval > 0)
        #expect(profile.samples.count > 10)
        let inHot = profile.samples.filter { $0.frames.first?.name == "hot" }
        #expect(inHot.count * 2 > profile.samples.count)
        let names = try #require(inHot.last).frames.map(\.name)
        #expect(names == ["hot", "outer", "(program)"])
        #expect(inHot.last?.frames[1].location?.file == "Test-impl.js")
        #expect(inHot.last?.frames[1].location?.line == 3)
        #expect(zip(profile.samples, profile.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("A profile has nothing of the one before")
    func anew() async throws {
        let bench = try await Bench()
        let second = try await bench.run { context in
            try context.evaluate(Self.script, file: "Test-impl.js")
            _ = try context.profile { _ = try context.evaluate("outer(200)", file: "call.js") }
            try context.evaluate("outer(200)", file: "call.js")
            return try context.profile {}.profile
        }
        #expect(second.samples.isEmpty)
    }

    @Test("What throws under the profiler throws")
    func throwing() async throws {
        let bench = try await Bench()
        await #expect(throws: ScriptException.self) {
            try await bench.run { context in
                try context.profile { try context.evaluate("null.x", file: "call.js") }.result.isNull
            }
        }
    }

    @Test("A native function can tell the calls that led to it")
    func stack() async throws {
        let bench = try await Bench()
        let stacks = try await bench.run { context in
            let look = try context.makeFunction("look") { call in
                call.context.make(call.context.stack() ?? "none")
            }
            try context.global.set("look", look)
            return [
                context.stack(), try context.evaluate("(function f() {\n  return look() })()", file: "A.js").string,
            ]
        }
        #expect(stacks == [nil, "f@A.js:2:14\nglobal code@A.js:2:19"])
    }

    @Test(
        "Errors are known from other objects",
        arguments: [
            ("new Error('x')", true), ("new TypeError('x')", true), ("({ message: 'x', stack: 'y' })", false),
            ("'x'", false), ("null", false), ("Object.create(Error.prototype)", true),
        ])
    func errors(code: String, isError: Bool) async throws {
        let bench = try await Bench()
        #expect(try await bench.run { try $0.evaluate(code, file: "A.js").isError } == isError)
    }
}
