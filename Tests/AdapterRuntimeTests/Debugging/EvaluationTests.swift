import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite("Code evaluated in an adapter's scope")
struct EvaluationTests {
    private static let script = """
        var count = 5;
        let secret = 'lexical';
        function run() { return count }
        function fail() {
            throw 'no';
        }
        """

    /// Returns what the last of some lines shows.
    private func show(_ lines: String..., script: String = script) async throws -> String {
        let project = try await TestProject(script)
        var shown = ""
        for line in lines { shown = try await project.runtime.converse(line, adapter: "A").shown ?? "(incomplete)" }
        return shown
    }

    @Test(
        "Values are shown as their author would write them",
        arguments: [
            ("1 + 1", "2"), ("'a\"b'", #"'a"b'"#), (#""it's\n""#, #"'it\'s\n'"#), ("undefined", "undefined"),
            ("null", "null"),
            ("-0", "-0"), ("10n", "10n"), ("true", "true"), ("[]", "[]"), ("({})", "{}"), ("{ a: 1 }", "{ a: 1 }"),
            ("[1, 'a', { b: [2] }]", "[ 1, 'a', { b: [ 2 ] } ]"),
            ("({ 'a-b': 1, c: run })", "{ 'a-b': 1, c: [Function: run] }"),
            ("({ get a() { throw 1 } })", "{ a: [Getter] }"), ("new Date(0)", "1970-01-01T00:00:00.000Z"),
            ("/a/g", "/a/g"),
            ("new Map([[1, { a: 2 }]])", "Map { 1 => { a: 2 } }"), ("new Set(['x'])", "Set { 'x' }"),
            ("[[[[[1]]]]]", "[ [ [ [Array] ] ] ]"), ("var o = {}; o.o = o; o", "{ o: [Circular] }"),
            ("new Array(7)", "[ (7 empty) ]"),
            ("Object.create(null)", "[no prototype] {}"),
            ("new (function Price() { this.eur = 1 })", "Price { eur: 1 }"),
            ("class C {}; C", "[class: C]"), ("new Uint8Array([1, 2])", "Uint8Array [ 1, 2 ]"),
            ("Symbol('a')", "Symbol(a)"),
            ("WL.Server.invokeHttp", "[Function: invokeHttp]"), ("java.util.UUID", "[Java java.util.UUID]"),
            ("<a><b>5</b></a>", "<a>\n  <b>5</b>\n</a>"), ("secret", "'lexical'"), ("count", "5"),
            ("({}).missing", "undefined"),
            ("new Proxy({}, { get: function () { throw 1 }, ownKeys: function () { throw 2 } })", ""),
        ])
    func values(code: String, shown: String) async throws {
        let text = try await show(code)
        if !shown.isEmpty { #expect(text == shown) }
    }

    @Test("Long values are cut")
    func long() async throws {
        #expect(try await show("new Array(1e6).join('x')").count < 10_100)
        #expect(try await show("var a = []; for (var i = 0; i < 1e5; i++) a.push(i); a").hasSuffix("… 99900 more\n]"))
        #expect(try await show("var a = []; a.length = 4e9; a") == "[ (10000 empty), … 3999990000 more ]")
    }

    @Test("Variables of every kind stay, and $_ is the last value")
    func state() async throws {
        #expect(
            try await show("var a = 1; let b = 2; const c = 3; function d() { return 4 }", "[a, b, c, d()]")
                == "[ 1, 2, 3, 4 ]")
        #expect(try await show("6 * 7", "$_ + 1") == "43")
    }

    @Test("A procedure that a line calls sees what the lines before have changed, and calls of others do not")
    func ownScope() async throws {
        let project = try await TestProject(Self.script)
        let before = await project.call()
        _ = try await project.runtime.converse("count = 9", adapter: "A")
        #expect(try await project.runtime.converse("run()", adapter: "A").shown == "9")
        #expect(await project.call() == before)
    }

    @Test(
        "Code that ends too early may go on",
        arguments: ["function f() {", "[1,", "1 +", "if (1)", "({ a:", "/* c", "`a", "f(", "for each (var x in [1]) {"])
    func incomplete(code: String) async throws {
        let project = try await TestProject(Self.script)
        let reply = try await project.runtime.converse(code, adapter: "A")
        #expect(reply.isIncomplete)
        #expect(reply.shown == nil)
    }

    @Test(
        "Code that is wrong is not taken for code that ends too early",
        arguments: [")", "var 1", "'abc", "1 1", "{ a: ) }"])
    func wrong(code: String) async throws {
        let project = try await TestProject(Self.script)
        let reply = try await project.runtime.converse(code, adapter: "A", line: 7)
        #expect(!reply.isIncomplete)
        #expect(!reply.isSuccessful)
        #expect(reply.shown?.hasPrefix("SyntaxError: ") == true)
        #expect(reply.shown?.contains("(repl:7:") == true, "\(reply.shown ?? "")")
    }

    @Test("Errors have a location and a stack, in the evaluated code and in the script")
    func errors() async throws {
        #expect(try await show("null.x") == "TypeError: null is not an object (evaluating 'null.x') (repl:1:5)")
        #expect(try await show("fail()") == "no\n    at fail@adapters/A/A-impl.js:5:11")
        #expect(try await show("function g() { null.x }", "g()").hasSuffix("\n    at g@repl:1:20"))
        #expect(try await show("for each (var x in [1]) null.x").hasSuffix("(repl:1:29)"))
    }

    @Test(
        "Locations in code that looks like a block are those of the evaluated code",
        arguments: [
            ("{a: null.x}", "(repl:1:9)"), ("  { a: 1,\n b: null.x }", "(repl:2:9)"),
            ("{ a: run(), b: null.x }", "(repl:1:20)"),
            ("{ a: (function () null.x)() }", "@repl:1:23"),
        ])
    func objects(code: String, place: String) async throws {
        let shown = try await show(code)
        #expect(shown.contains(place), "\(shown)")
    }

    @Test("Printed lines come with the reply and go nowhere else")
    func printed() async throws {
        let project = try await TestProject(Self.script)
        let reply = try await project.runtime.converse("console.log('a', 1); WL.Logger.debug('b'); 5", adapter: "A")
        #expect(reply.lines == ["a 1", "b"])
        #expect(reply.shown == "5")
        #expect(project.log.lines.value.isEmpty)
    }

    @Test(
        "Endless output is counted, not kept, and its strings are not built",
        arguments: [
            ("for (var i = 0; i < 5000; i++) console.log(o)", 1000, "… 4000 more lines", "1000"),
            (
                "var s = new Array(16001).join('x'); for (var i = 0; i < 200; i++) WL.Logger.debug(s)", 66,
                "… 134 more lines", "0"
            ),
        ])
    func flood(code: String, count: Int, last: String, made: String) async throws {
        let project = try await TestProject(
            "var made = 0; var o = { toJSON: function () { made++; return 1 } }; function run() {}")
        let reply = try await project.runtime.converse(code, adapter: "A")
        #expect(reply.lines.count == count + 1)
        #expect(reply.lines.last == last)
        #expect(try await project.runtime.converse("made", adapter: "A").shown == made)
    }

    @Test("The limits of calls hold, and eval stays off")
    func limits() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.wallClock = .milliseconds(50)
        let project = try await TestProject(Self.script, settings: settings)
        let reply = try await project.runtime.converse("for (;;);", adapter: "A")
        #expect(reply.shown?.contains("wallClock") == true)
        #expect(try await project.runtime.converse("eval('1')", adapter: "A").isSuccessful == false)
        #expect(
            try await project.runtime.converse("({ toJSON: 1, get constructor() { for (;;); } })", adapter: "A")
                .isSuccessful == false)
    }

    @Test(
        "Names are completed",
        arguments: [
            ("cou", ["count"]), ("1 + WL.Server.invokeH", ["invokeHttp"]), ("WL.Lo", ["Logger"]),
            ("x = [].concat(WL.Geo.isI", ["isInsideCircle", "isInsidePolygon"]),
            ("missing.a", []), ("'text'.", []), ("", nil),
        ] as [(String, [String]?)])
    func completions(code: String, names: [String]?) async throws {
        let project = try await TestProject(Self.script)
        let found = try await project.runtime.completions(of: code, adapter: "A").completions
        if let names { #expect(found == names) } else { #expect(found.contains("run") && found.contains("WL")) }
        #expect(!found.contains { $0.hasPrefix("__") })
    }

    /// With these a script that runs on is ended by nobody else, and asks the test's clock.
    private static let endless: RuntimeSettings = {
        var settings = RuntimeSettings.patient
        settings.setForAll {
            $0.cpuTime = .noLimit
            $0.wallClock = .noLimit
        }
        settings.movesScriptClock = true
        return settings
    }()

    @Test("A cancelled evaluation ends, and the variables stay", .defaultTimeLimit)
    func givenUp() async throws {
        let time = AskedTime()
        let project = try await TestProject(Self.script, settings: Self.endless, time: time)
        _ = try await project.runtime.converse("var keep = 42", adapter: "A")
        let endless = Task {
            try await project.runtime.converse("for (;;) Date.now();", adapter: "A")
        }
        try await time.isAskedOften()
        endless.cancel()
        #expect(try await endless.value.shown?.contains("the call was cancelled") == true)
        #expect(try await project.runtime.converse("keep", adapter: "A").shown == "42")
    }

    @Test("A call that is cancelled while the script is loaded ends as well", .defaultTimeLimit)
    func givenUpLoading() async throws {
        let time = AskedTime()
        // It is read in an instant, and is slow where it is called.
        let project = try await TestProject(
            "if (WL.Server.getClientRequest()) for (;;) Date.now(); function run() {}", settings: Self.endless,
            time: time)
        let caller = Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke"))
        let call = Task {
            await caller.withTaskCancellation {
                await project.runtime.invoke(adapter: "A", procedure: "run", parameters: "[]", caller: $0)
            }
        }
        try await time.isAskedOften()
        call.cancel()
        #expect(await call.value.json.contains("the call was cancelled"))
        #expect(await project.call() == #"{"isSuccessful":true}"#)
    }

    @Test("An evaluation that is cancelled before its turn does not start", .defaultTimeLimit)
    func givenUpBefore() async throws {
        let project = try await TestProject(Self.script)
        _ = try await project.runtime.converse("var times = 0", adapter: "A")
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await project.runtime.converse("times++", adapter: "A")
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(try await project.runtime.converse("times", adapter: "A").shown == "0")
    }
}

/// Counts how often it is asked what time it is.
private struct AskedTime: TimeSource {
    let questions = AwaitableValue(0)

    var now: Date {
        questions.update { $0 += 1 }
        return SystemTime().now
    }

    var uptime: Duration { SystemTime().uptime }

    func sleep(untilUptime deadline: Duration) async throws { try await SystemTime().sleep(untilUptime: deadline) }

    /// Returns when it is asked again and again, as only a script that runs on asks.
    func isAskedOften() async throws {
        let before = questions.value
        try await questions.wait { $0 > before + 1000 }
    }
}
