import JavaScriptEngine
import Testing

@Suite("Exceptions")
struct ScriptErrorTests {
    private func exception(_ source: String) async throws -> ScriptError {
        let bench = try await Bench()
        return try await #require(throws: ScriptError.self) { try await bench.evaluate(source) }
    }

    @Test("An exception has message, file, line, column and stack")
    func place() async throws {
        let exception = try await exception("function inner() {\n  null.x;\n}\ninner();")
        #expect(exception.name == "TypeError")
        #expect(exception.message == "null is not an object (evaluating 'null.x')")
        #expect(exception.location == ScriptLocation(file: "Test-impl.js", line: 2, column: 7))
        #expect(exception.stack == "inner@Test-impl.js:2:7\nglobal code@Test-impl.js:4:6")
        #expect(
            exception.description == """
                Test-impl.js:2:7: TypeError: null is not an object (evaluating 'null.x')
                    at inner@Test-impl.js:2:7
                    at (top level)@Test-impl.js:4:6
                """)
    }

    @Test("equal lines of a stack in a row are written once, with the number of the others")
    func folded() {
        #expect(
            ScriptStack.folded(["a@A.js:1:1", "b@A.js:2:1", "b@A.js:2:1", "b@A.js:2:1", "a@A.js:1:1", "a@A.js:1:1"])
                == ["a@A.js:1:1", "b@A.js:2:1 (2 more like it)", "a@A.js:1:1 (1 more like it)"])
        #expect(ScriptStack.folded([]) == [])
    }

    @Test("A thrown value that is not an Error is reported as a string")
    func thrownText() async throws {
        let exception = try await exception("throw 'no stock'")
        #expect(exception.name == nil)
        #expect(exception.summary == "no stock")
    }

    @Test("A thrown object without a message is reported as JSON")
    func thrownObject() async throws {
        #expect(try await exception("throw {code: 7}").summary == #"{"code":7}"#)
    }

    @Test("An error whose getters throw is still reported")
    func hostileError() async throws {
        let exception = try await exception(
            "throw {get message() { throw 1 }, get line() { throw 2 }, toString: function () { throw 3 }}")
        #expect(exception.location == nil)
    }

    @Test("An error thrown by a native function has the script's position")
    func nativeError() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            let function = try context.makeFunction("fail") { _ in throw HostError("interval must be positive") }
            try context.global.set("fail", function)
        }
        let exception = try await #require(throws: ScriptError.self) { try await bench.evaluate("\n  fail();") }
        #expect(exception.message == "interval must be positive")
        #expect(exception.location?.line == 2)
    }

    @Test("A script can catch what a native function throws")
    func caughtNativeError() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            try context.global.set("fail", try context.makeFunction("fail") { _ in throw HostError("no") })
        }
        #expect(try await bench.evaluate("try { fail() } catch (e) { e instanceof Error && e.message }") == "no")
    }
}
