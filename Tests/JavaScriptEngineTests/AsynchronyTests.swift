import JavaScriptEngine
import TestSupport
import Testing

@Suite("No asynchrony")
struct AsynchronyTests {
    @Test("A fresh scope has no path to a promise", .defaultTimeLimit)
    func noPathToPromises() async throws {
        let bench = try await Bench()
        // Walks everything reachable from the global object, and from the result of an import.
        let found = try await bench.evaluate(
            """
            (function (global) {
                var seen = new Set(), queue = [[global, "this"], [import("x"), "import()"]], found = [];
                while (queue.length) {
                    var next = queue.pop(), object = next[0], path = next[1];
                    if (object === null || (typeof object !== "object" && typeof object !== "function")) continue;
                    if (seen.has(object)) continue;
                    seen.add(object);
                    if (typeof object === "function" && /Promise|async/i.test(object.name)) found.push(path);
                    queue.push([Object.getPrototypeOf(object), path + ".__proto__"]);
                    Reflect.ownKeys(object).forEach(function (key) {
                        var member = Object.getOwnPropertyDescriptor(object, key), name = path + "." + String(key);
                        if (key === "then") found.push(name);
                        queue.push([member.value, name], [member.get, name], [member.set, name]);
                    });
                }
                return seen.size > 500 ? found : ["walked too little: " + seen.size];
            })(this)
            """)
        #expect(found == [])
    }

    @Test(
        "A call that made endless chains of jobs is an ordinary error",
        arguments: [
            "function f() { return Promise.resolve().then(f) } f()",
            "import('x').then(function () {})",
            "var t = { length: 1, then: Array.prototype.forEach }; t[0] = t; Promise.resolve(t)",
            "Array.fromAsync([1]).then(1)",
            "WebAssembly.compile(new Uint8Array(8))",
        ])
    func chains(source: String) async throws {
        let bench = try await Bench()
        await #expect(throws: ScriptError.self) { try await bench.evaluate(source) }
        #expect(try await bench.evaluate("6 * 7") == 42)
    }

    @Test(
        "Code cannot be made from strings",
        arguments: [
            "eval('1')", "new Function('return 1')()", "(function () {}).constructor('return 1')()",
            "Object.getPrototypeOf(function* () {}).constructor('yield 1')",
        ])
    func noEval(source: String) async throws {
        let bench = try await Bench()
        let exception = try await #require(throws: ScriptError.self) { try await bench.evaluate(source) }
        #expect(exception.name == "EvalError")
    }
}
