import AdapterRuntime
import Core
import JavaScriptEngine
import Logging
import PushModel
import TestSupport
import Testing
import WorklightProject

/// Every way in which a script can fail, each with the position that the log must name.
@Suite("Errors name file and line")
struct ErrorPlaceTests {
    struct Way: CustomTestStringConvertible, Sendable {
        let name: String
        let script: String
        /// `LINE:COLUMN` of `adapters/A/A-impl.js`.
        let place: String
        /// The other string that the log must contain.
        var text = ""
        var connectivity = ""

        var testDescription: String { name }
    }

    static let ways = [
        Way(
            name: "an Error", script: "function run() {\n  inner() }\nfunction inner() {\n  throw new Error('no') }",
            place: "4:18", text: "run@adapters/A/A-impl.js:2:8"),
        Way(name: "the engine's TypeError", script: "function run() {\n  null.x }", place: "2:7"),
        Way(name: "an unknown name", script: "function run() {\n\n  nothing }", place: "3:10"),
        Way(
            name: "a text", script: "function run() {\n  inner() }\nfunction inner() {\n  throw 'no stock' }",
            place: "4:", text: "run@adapters/A/A-impl.js:2:8"),
        Way(name: "an object", script: "function run() {\n  throw { code: 5 } }", place: "2:", text: #"{"code":5}"#),
        Way(name: "a number", script: "function run() {\n  throw 5 }", place: "2:"),
        Way(name: "undefined", script: "function run() {\n  throw undefined }", place: "2:"),
        Way(
            name: "an object of an old-style class",
            script:
                "function E(m) { this.message = m } E.prototype = new Error();\nfunction run() {\n  throw new E('own') }",
            place: "3:", text: "own"),
        Way(
            name: "a text that was caught and thrown again",
            script: "function run() {\n  try { inner() } catch (e) {\n    throw e } }\nfunction inner() { throw 'x' }",
            place: "4:"),
        Way(
            name: "the same text, thrown elsewhere",
            script: "function run() {\n  try { throw 'x' } catch (e) {}\n  throw 'x' }", place: "3:"),
        Way(name: "two values after throw", script: "function run() {\n  throw 1, 'last' }", place: "2:", text: "last"),
        Way(
            name: "an Error made before it is thrown",
            script: "function run() {\n  var e = new Error('a');\n  throw e }", place: "2:20"),
        Way(
            name: "a binding", script: "function run() {\n  WL.Server.invokeHttp({ method: 'get', path: '/' }) }",
            place: "2:", text: "Error: invokeHttp: adapters/A/A.xml has no HTTP connectivity"),
        Way(
            name: "a binding in a callback of the language's",
            script: "function run() {\n  [1].forEach(function each() {\n    WL.Server.createEventSource() }) }",
            place: "3:", text: "run@adapters/A/A-impl.js:2:"),
        Way(
            name: "a wrong subscription object",
            script: "function run() {\n  WL.Server.notifyDeviceSubscription(null, {}) }", place: "2:"),
        Way(
            name: "Java", script: "function run() {\n  java.util.UUID.randomUUID() }", place: "2:",
            text: "java.util.UUID.randomUUID is not available"),
        Way(
            name: "a cyclic result", script: "var x;\nfunction run() {\n  var a = {}; a.a = a; return a }",
            place: "2:1", text: "run() returned a value that cannot be written as JSON"),
        Way(name: "a result with a BigInt", script: "function run() {\n  return { a: 1n } }", place: "1:1"),
        Way(
            name: "a toJSON that throws",
            script: "function run() {\n  return { toJSON: function () {\n    throw new Error('no') } } }", place: "3:"),
        Way(
            name: "a stack overflow",
            script: "function run() {\n  return deep() }\nfunction deep() {\n  return deep() + 1 }", place: "4:",
            text: "RangeError: Maximum call stack size exceeded"),
        Way(name: "eval", script: "function run() {\n  eval('1') }", place: "2:"),
        Way(name: "a bad JSON text", script: "function run() {\n  JSON.parse('{') }", place: "2:"),
        Way(
            name: "a getter", script: "var o = { get a() {\n  throw new Error('x') } };\nfunction run() { return o }",
            place: "2:"),
        Way(name: "a regular expression", script: "function run() {\n  new RegExp('(') }", place: "2:"),
        Way(
            name: "Rhino's syntax",
            script: "function run() {\n  for each (var x in [1]) { inner(x) } }\nfunction inner(x) {\n  x.y.z }",
            place: "4:", text: "run@adapters/A/A-impl.js:2:"),
        Way(
            name: "a conditional catch that does not hold",
            script: "function run() {\n  try { throw 'a' } catch (e if false) {} }", place: "2:"),
        Way(
            name: "E4X", script: "function run() {\n  var x = <a/>;\n  return x.appendChild.call(null, 1) }",
            place: "3:"),
        Way(name: "XML that is wrong", script: "function run() {\n  return new XML('<a') }", place: "2:"),
    ]

    @Test("A procedure that fails", arguments: ways)
    func procedure(way: Way) async throws {
        let project = try await TestProject(way.script, connectivity: way.connectivity)
        let answer = await project.call()
        let log = project.log.messages(at: .error).joined(separator: "\n")
        #expect(log.contains("adapters/A/A-impl.js:\(way.place)"), "\(log)")
        #expect(log.contains(way.text), "\(log)")
        #expect(!log.contains("lamplighter:"), "\(log)")
        #expect(!log.contains("__thrown"), "\(log)")
        let line = way.place.split(separator: ":")[0]
        #expect(answer.contains("(adapters/A/A-impl.js#\(line))"), "\(answer)")
    }

    @Test(
        "A script that cannot be loaded",
        arguments: [
            "x = 1;\nthrow 'early';", "x = 1;\nnothing;", "x = 1;\n);", "x = 1;\nWL.Server.createEventSource({});",
        ])
    func loading(script: String) async throws {
        let project = try await TestProject(script)
        let problem = try #require(project.problems.first { $0.severity == .error })
        #expect(problem.file == "adapters/A/A-impl.js")
        #expect(problem.line == 2, "\(problem)")
    }

    @Test(
        "A limit that is exceeded",
        arguments: [
            (
                "function run() {\n  spin() }\nfunction spin() {\n  var i = 0;\n  for (;;) i++; }",
                "spin@adapters/A/A-impl.js:"
            )
        ])
    func limit(script: String, frame: String) async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(200)
        let project = try await TestProject(script, settings: settings)
        _ = await project.call()
        let log = project.log.messages(at: .error).joined(separator: "\n")
        #expect(log.contains(frame), "\(log)")
        #expect(log.contains("run@adapters/A/A-impl.js:2"), "\(log)")
        #expect(!log.contains("lamplighter:"), "\(log)")
    }

    @Test("A limit that is exceeded while a back end is waited for", .defaultTimeLimit)
    func waiting() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = RuntimeSettings.patient
            settings.calls.wallClock = .seconds(1)
            let project = try await TestProject(
                "function run() {\n  return WL.Server.invokeHttp({ method: 'get', path: '/' }) }",
                connectivity: backEnd.connectivity, settings: settings)
            // A call that is held up before it asks is stopped earlier; then another one is made.
            while backEnd.requests.value.isEmpty {
                try Task.checkCancellation()
                _ = await project.call()
            }
            gate.open()
            let log = project.log.messages(at: .error).joined(separator: "\n")
            #expect(log.contains("run@adapters/A/A-impl.js:2:"), "\(log)")
        }
    }

    @Test("A poll, a callback, an event handler and a nested procedure")
    func others() async throws {
        let script = """
            WL.Server.createEventSource({ name: 'S', poll: { interval: 1000, onPoll: 'poll' },
                onDeviceSubscribe: 'subscribed', onUserChange: 'changed' });
            WL.Server.setEventHandlers([WL.Server.createEventHandler({}, handle)]);
            function poll() { throw 'p' }
            function subscribed() { throw 's' }
            function changed() { null.c }
            function handle() { throw { h: 1 } }
            function run() { return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'other' }) }
            function other() { throw 'o' }
            """
        let project = try await TestProject(script, procedures: ["run", "other"])
        let failure = await #expect(throws: PollError.self) {
            try await project.runtime.poll(EventSourceID(adapter: "A", name: "S"))
        }
        #expect(failure?.description.hasPrefix("adapters/A/A-impl.js:4:") == true, "\(failure?.description ?? "")")
        try await project.subscribe("ann")
        try await project.subscribe("bob")
        await project.runtime.handle(clientEvents: [["a": 1]], caller: Caller(session: ClientSession(id: "s")))
        #expect(await project.call().contains("(adapters/A/A-impl.js#9)"))
        let log = project.log.messages(at: .error)
        for line in [5, 6, 7, 9] {
            #expect(log.contains { $0.contains("adapters/A/A-impl.js:\(line):") }, "\(line): \(log)")
        }
    }

    @Test("A script's own __thrown keeps working, translated or not")
    func ownThrown() async throws {
        let project = try await TestProject(
            """
            function __thrown(x) { return x + 1 }
            function run() { var n = 0; for each (var x in [1, 2]) n += __thrown(x); return n }
            """)
        #expect(await project.call() == #"{"isSuccessful":true,"result":5}"#)
        #expect(try await project.runtime.converse("throw 1", adapter: "A").shown?.hasPrefix("1") == true)
        #expect(try await project.runtime.converse("__thrown(1)", adapter: "A").shown == "2")
    }

    @Test("Instrumented throws call none of the script's functions")
    func unseen() async throws {
        let project = try await TestProject(
            """
            var seen = 0;
            Object.prototype.hasOwnProperty = function () { seen++; return true };
            function run() {
                var trap = function () { seen++ };
                try { throw { a: 1 } } catch (e) {}
                try { throw new Proxy({}, { getOwnPropertyDescriptor: trap, get: trap, has: trap }) } catch (e) {}
                return seen;
            }
            """)
        #expect(await project.call() == #"{"isSuccessful":true,"result":0}"#)
    }

    @Test("A location is found although the script replaces hasOwnProperty")
    func replacedFunctions() async throws {
        let project = try await TestProject(
            "Object.prototype.hasOwnProperty = function () { return true };\nfunction run() {\n  throw { a: 1 } }")
        _ = await project.call()
        let log = project.log.messages(at: .error).joined(separator: "\n")
        #expect(log.contains("adapters/A/A-impl.js:3:"), "\(log)")
    }
}
