import JavaScriptEngine
import TestSupport
import Testing

@testable import AdapterSyntax

@Suite("Twins of functions that wait for a back end", .defaultTimeLimit)
struct TwinnedScriptTests {
    private static func twinned(_ script: String) throws -> TwinnedScript {
        TwinnedScript(try SyntaxTree(script, file: "A-impl.js")) { _ in true }
    }

    @Test("A function that calls a back end is replaced by its twin and follows the script")
    func source() throws {
        let script = try Self.twinned("function f(a) {\n  return WL.Server.invokeHttp({ path: a }).b;\n}\nvar x = 1;")
        #expect(
            script.source == """
                function* __twin_f(a) {
                  return __twinAfter(yield __twinBefore(WL.Server.invokeHttp)({ path: a })).b;
                }
                var x = 1;
                function f(a) {
                  return WL.Server.invokeHttp({ path: a }).b;
                }
                """)
        #expect(script.functions == ["f"])
        #expect(script.blocking.isEmpty)
    }

    @Test("A call of a function that has a twin delegates to the twin; others stay")
    func delegating() throws {
        let script = try Self.twinned(
            "function a() { return b(c(1)) }\nfunction b(x) { WL.Server.invokeSQLStatement(x) }\nfunction c(x) { return x }"
        )
        #expect(script.source.hasPrefix("function* __twin_a() { return __twinValue(yield* __twin_b(c(1))) }\n"))
        #expect(script.functions == ["a", "b"])
    }

    @Test("Positions in a twin and in the function behind the script are those of the script")
    func positions() throws {
        let source = "function f() {\n  WL.Server.invokeHttp(); g();\n}"
        let script = try Self.twinned(source)
        let lines = script.source.split(separator: "\n", omittingEmptySubsequences: false)
        for number in [2, 5] {
            let column = lines[number - 1].utf8.count - "g();".utf8.count + 1
            #expect(
                script.map.original(SourcePosition(line: number, column: column)) == SourcePosition(line: 2, column: 27)
            )
        }
    }

    @Test(
        "Functions that cannot go on as generators have no twin, and the reason is known",
        arguments: [
            ("var f = function () { CALL }", "is not called in a function that is declared at the top level"),
            ("CALL", ""),
            ("function f() { CALL } function f() {}", "is called in 'f', which is declared twice"),
            ("function f() { CALL } { function f() {} }", "is called in 'f', which is declared twice"),
            ("function f() { CALL } f = 1", "is called in 'f', which is assigned, too"),
            ("function f() { CALL } for (f in {}) ;", "is called in 'f', which is assigned, too"),
            ("function f() { CALL } [f] = []", "is called in 'f', which is assigned, too"),
            ("function f() { CALL } this.f = 1", "is called in 'f', which is assigned, too"),
            (
                "function f() { CALL; return g(arguments) } function g() {}",
                "is called in 'f', which uses 'arguments' as a value"
            ),
            ("function f() { CALL; arguments[0]() }", "is called in 'f', which uses 'arguments' as a value"),
            ("function f() { CALL } f.caller", "is in a script that mentions '.caller'"),
            ("function f() { CALL; for (yield in {}) ; }", "is called in 'f', in which 'yield' is a name"),
            (
                "function f() { [].map(function () { CALL }) }",
                "is called in a nested function, a class, a 'with' statement or the default of a parameter"
            ),
            (
                "function f(a = CALL) { }",
                "is called in a nested function, a class, a 'with' statement or the default of a parameter"
            ),
            (
                "function f(o) { with (o) { CALL } }",
                "is called in a nested function, a class, a 'with' statement or the default of a parameter"
            ),
            (
                "function f(a, b = () => a) { var a; CALL }",
                "is called in 'f', which has a function in the default of a parameter"
            ),
            ("function f() { CALL } this.WL = {}", "is in a script that assigns 'WL'"),
            ("var WL; function f() { }", ""),
            ("function f() { CALL; __twin_a }", "is in a script that uses names of the server"),
        ])
    func reasons(script: String, reason: String) throws {
        let made = try Self.twinned(script.replacing("CALL", with: "WL.Server.invokeHttp()"))
        #expect(made.functions == [])
        #expect(made.blocking.map(\.description) == (reason.isEmpty ? [] : ["WL.Server.invokeHttp " + reason]))
    }

    @Test(
        "Uses by which a function with a twin may run without it are noted",
        arguments: [
            (
                "function g() { return [1].map(function () { return f() }) }",
                "f is called in a nested function, a class, a 'with' statement or the default of a parameter"
            ),
            ("function g() { return [1].map(f) }", "f, which calls a back end, is used as a value"),
            ("var handlers = { f: f };", "f, which calls a back end, is used as a value"),
            ("var server = WL.Server;", "WL.Server is used as a value, by which a back end may be called"),
            ("function g() { WL.Server[name]() }", "WL.Server is used as a value, by which a back end may be called"),
            ("WL.Server.createEventSource({ name: 'e', poll: { interval: 5, onPoll: f } });", ""), ("f();", ""),
            ("function g() { return f() }", ""),
        ])
    func uses(script: String, note: String) throws {
        let made = try Self.twinned("function f() { return WL.Server.invokeHttp() }\n" + script)
        #expect(made.functions.contains("f"))
        #expect(made.blocking.map(\.description) == (note.isEmpty ? [] : [note]))
    }

    @Test("A function that the engine refuses as a generator has no twin, and its callers do without")
    func refused() throws {
        let tree = try SyntaxTree(
            "function a() { b() } function b() { WL.Server.invokeHttp() } function c() { WL.Server.invokeHttp() }",
            file: "A-impl.js")
        let script = TwinnedScript(tree) { !$0.contains("function* __twin_b(") }
        #expect(script.functions == ["c"])
        #expect(
            script.blocking.map(\.description)
                == ["WL.Server.invokeHttp is called in 'b', which the engine refuses as a generator"])
    }

    /// The back end, and what runs twins.
    private static let prelude = """
        var log = [];
        function send(options) {
            log.push(String(options.path));
            if (options.fail) throw new Error("the back end failed");
            return { path: String(options.path) };
        }
        var WL = { Server: { invokeHttp: send, invokeProcedure: send } }, MFP = WL;
        function __twinBefore(send) { return function (options) { return { send: send, options: options } } }
        function __twinAfter(result) { if (result.hasFailed) throw result.error; return result.value }
        function __twinValue(value) { return value }
        function drive(generator) {
            var step = generator.next();
            while (!step.done) {
                var result;
                try { result = { value: step.value.send(step.value.options) } }
                catch (e) { result = { hasFailed: true, error: e } }
                step = generator.next(result);
            }
            return step.value;
        }
        function outcome(call) {
            var result;
            try { result = { value: call() } }
            catch (e) { result = { error: String(e), line: e.sourceURL === "A-impl.js" ? e.line : null } }
            return JSON.stringify([result, log]);
        }
        """

    @Test("A function and its twin return the same, and ask the back end the same", arguments: TwinProgram.all)
    func differences(program: TwinProgram) async throws {
        let (plain, twin) = try await VirtualMachine.start(name: "test").run { machine in
            let contexts = try machine.contexts
            func result(_ source: String, _ call: String) throws -> String? {
                let context = try contexts.make(name: "test")
                try context.evaluate(Self.prelude, file: "prelude.js")
                try context.evaluate(source, file: "A-impl.js")
                return try context.evaluate("outcome(function () { return \(call) })", file: "call.js").string
            }
            let check = try contexts.make(name: "check")
            let tree = try SyntaxTree(program.script, file: "A-impl.js")
            let script = TwinnedScript(tree) { (try? check.check($0, file: "A-impl.js")) != nil }
            #expect(script.functions.contains("run") && script.functions.contains("get"))
            return (try result(program.script, "run()"), try result(script.source, "drive(__twin_run())"))
        }
        #expect(twin == plain)
    }

    @Test("A stack of twins is that of their functions")
    func stacks() async throws {
        let script = """
            function run() {
              return f();
            }
            function f() {
              WL.Server.invokeHttp({ path: 'a' });
              return new Error().stack;
            }
            """
        let twinned = try Self.twinned(script)
        let (plain, twin) = try await VirtualMachine.start(name: "test").run { machine in
            let context = try machine.contexts.make(name: "test")
            try context.evaluate(Self.prelude, file: "prelude.js")
            try context.evaluate(script, file: "A-impl.js")
            let plain = try context.evaluate("run()", file: "call.js").string
            try context.evaluate(twinned.source, file: "A-impl.js")
            let twin = try context.evaluate("drive(__twin_run())", file: "call.js").string
            return (plain ?? "", TwinnedScript.original(stack: twin ?? ""))
        }
        let mapped = twin.split(separator: "\n").prefix(2).map { line in
            let parts = line.split(separator: ":")
            let place = twinned.map.original(SourcePosition(line: Int(parts[1]) ?? 0, column: Int(parts[2]) ?? 0))
            return "\(parts[0]):\(place.line):\(place.column)"
        }
        #expect(mapped == plain.split(separator: "\n").prefix(2).map(String.init))
        #expect(mapped.map { $0.prefix { $0 != ":" } } == ["f@A-impl.js", "run@A-impl.js"])
    }

    @Test(
        "A message of the engine quotes the script and not the twin",
        arguments: [
            (
                "(evaluating '__twinAfter(yield __twinBefore(WL.Server.invokeHttp)({ a: (1) })).b.c')",
                "(evaluating 'WL.Server.invokeHttp({ a: (1) }).b.c')"
            ),
            (
                "(evaluating '__twinAfter(yield __twinBefore(WL.Server.invokeHttp)()).b')",
                "(evaluating 'WL.Server.invokeHttp().b')"
            ),
            ("(evaluating '__twinValue(yield* __twin_get(x(1))).b')", "(evaluating 'get(x(1)).b')"),
            ("near '...__twinValue(yield* __twin_get('", "near '...get('"),
        ])
    func messages(message: String, original: String) {
        #expect(TwinnedScript.original(message: message) == original)
    }
}
