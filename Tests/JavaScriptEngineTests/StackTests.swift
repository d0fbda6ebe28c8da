import JavaScriptEngine
import Testing

@Suite("Stacks of calls")
struct StackTests {
    @Test("A native function can read the calls that led to it")
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
        "Errors are distinguished from other objects",
        arguments: [
            ("new Error('x')", true), ("new TypeError('x')", true), ("({ message: 'x', stack: 'y' })", false),
            ("'x'", false), ("null", false), ("Object.create(Error.prototype)", true),
        ])
    func errors(code: String, isError: Bool) async throws {
        let bench = try await Bench()
        #expect(try await bench.run { try $0.evaluate(code, file: "A.js").isError } == isError)
    }
}
