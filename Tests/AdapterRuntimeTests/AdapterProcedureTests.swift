import AdapterRuntime
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("Procedures")
struct AdapterProcedureTests {
    @Test(
        "A procedure's result becomes an object with isSuccessful",
        arguments: [
            ("return { result: 'x' }", #"{"isSuccessful":true,"result":"x"}"#),
            ("return { b: 1, isSuccessful: true, a: 2 }", #"{"b":1,"isSuccessful":true,"a":2}"#),
            ("return { isSuccessful: false, errors: ['no'] }", #"{"isSuccessful":false,"errors":["no"]}"#),
            ("", #"{"isSuccessful":true}"#), ("return null", #"{"isSuccessful":true}"#),
            ("return {}", #"{"isSuccessful":true}"#), ("return [1, 2]", #"{"isSuccessful":true,"array":[1,2]}"#),
            ("return 'text'", #"{"isSuccessful":true,"result":"text"}"#),
            ("return 7", #"{"isSuccessful":true,"result":7}"#),
            ("return false", #"{"isSuccessful":true,"result":false}"#),
            ("return { 2: 'b', 1: 'a' }", #"{"isSuccessful":true,"1":"a","2":"b"}"#),
            ("return function () {}", #"{"isSuccessful":true}"#),
            ("return new Date(0)", #"{"isSuccessful":true,"result":"1970-01-01T00:00:00.000Z"}"#),
            ("return { isSuccessful: undefined }", #"{"isSuccessful":true}"#),
        ])
    func results(body: String, json: String) async throws {
        let project = try await TestProject("function run() { \(body) }")
        #expect(await project.call() == json)
    }

    @Test(
        "A result has only the errors, warnings and info that the procedure set",
        arguments: [
            ("return { a: 1 }", #"{"isSuccessful":true,"a":1}"#),
            ("return { isSuccessful: false }", #"{"isSuccessful":false}"#),
            ("return { errors: ['e'], info: [] }", #"{"isSuccessful":true,"errors":["e"],"info":[]}"#),
            (
                "throw new Error('no')",
                #"{"isSuccessful":false,"errors":["Runtime: Error: no (adapters/A/A-impl.js#1)"],"warnings":[],"info":[]}"#
            ),
        ])
    func messages(body: String, json: String) async throws {
        let project = try await TestProject("function run() { \(body) }")
        #expect(await project.call() == json)
    }

    @Test("Arguments keep their types")
    func arguments() async throws {
        let project = try await TestProject(
            "function run() { return { types: Array.prototype.map.call(arguments, function (a) { return typeof a }) } }"
        )
        #expect(
            await project.call(#"["x", 7, 65.5, true, null, {"a": [1]}]"#)
                == #"{"isSuccessful":true,"types":["string","number","number","boolean","object","object"]}"#)
    }

    @Test("A throw is reported to the client with file and line, and logged with the stack")
    func thrown() async throws {
        let project = try await TestProject("function run() {\n  inner();\n}\nfunction inner() { null.x; }")
        #expect(
            await project.call("[1]")
                == #"{"isSuccessful":false,"errors":["Runtime: TypeError: null is not an object (evaluating 'null.x') (adapters/A/A-impl.js#4)"],"warnings":[],"info":[]}"#
        )
        let line = try #require(project.log.messages(at: .error).first)
        #expect(line.contains("FWLSE0099E") && line.contains("A/run"))
        #expect(line.contains("at run@adapters/A/A-impl.js:2:8"))
        #expect(line.contains("FWLSE0100E: parameters: [1]"))
    }

    @Test(
        "A result that is not JSON is an error, not a crash",
        arguments: [
            ("var a = {}; a.a = a; return a", "cyclic"), ("return { n: 10n }", "BigInt"),
            ("return { get x() { throw new Error('getter') } }", "getter"),
            ("return { toJSON: function () { throw new Error('toJSON') } }", "toJSON"),
        ])
    func unserialisable(body: String, reason: String) async throws {
        let project = try await TestProject("function run() { \(body) }")
        let json = await project.call()
        #expect(json.hasPrefix(#"{"isSuccessful":false,"errors":["Runtime: "#))
        #expect(json.contains(reason))
    }

    @Test("a procedure in strict mode is called without an object for this")
    func strictThis() async throws {
        let project = try await TestProject("'use strict'; function run() { return { isNothing: this === undefined } }")
        #expect(await project.call() == #"{"isSuccessful":true,"isNothing":true}"#)
    }

    @Test(
        "the value that a toJSON returns decides how the result is wrapped",
        arguments: [
            (
                "var a = [1]; a.toJSON = function () { return { isSuccessful: false, x: 1 } }; return a",
                #"{"isSuccessful":false,"x":1}"#
            ),
            (
                "function f() {} f.toJSON = function () { return { x: 1 } }; return f",
                #"{"isSuccessful":true,"x":1}"#
            ),
            ("function f() {} f.toJSON = function () { return [1] }; return f", #"{"isSuccessful":true,"array":[1]}"#),
            ("return { toJSON: function () { return [1] } }", #"{"isSuccessful":true,"array":[1]}"#),
        ])
    func writtenKinds(body: String, expected: String) async throws {
        let project = try await TestProject("function run() { \(body) }")
        #expect(await project.call() == expected)
    }

    @Test(
        "an object gets isSuccessful only if its JSON has no member of that name",
        arguments: [
            ("{ isSuccessful: false, toJSON: function () { return { a: 1 } } }", #"{"isSuccessful":true,"a":1}"#),
            ("{ toJSON: function () { return { isSuccessful: false } } }", #"{"isSuccessful":false}"#),
            (
                "{ a: { isSuccessful: false }, b: 'isSuccessful' }",
                #"{"isSuccessful":true,"a":{"isSuccessful":false},"b":"isSuccessful"}"#
            ),
            ("{ a: 1, isSuccessful: 'no' }", #"{"a":1,"isSuccessful":"no"}"#),
            ("{ isSuccessful: new Boolean(false) }", #"{"isSuccessful":false}"#),
            ("Object.create({ isSuccessful: false })", #"{"isSuccessful":true}"#),
            ("new Date(0)", #"{"isSuccessful":true,"result":"1970-01-01T00:00:00.000Z"}"#),
            ("{ toJSON: function () { return null } }", #"{"isSuccessful":true,"result":null}"#),
        ])
    func marks(result: String, expected: String) async throws {
        let project = try await TestProject("function run() { return \(result) }")
        #expect(await project.call() == expected)
    }

    @Test("An error in toJSON keeps its message; a cycle names the returning function and its location")
    func writingErrors() async throws {
        let project = try await TestProject(
            """
            function run(kind) {
                if (kind === 'thrown') { return { toJSON: function () { throw 'mine' } } }
                if (kind === 'invoked') {
                    return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'cycle', parameters: [] });
                }
            }

            function cycle() { var a = {}; a.a = a; return a }
            """, procedures: ["run", "cycle"])
        let thrown = await project.call(#"["thrown"]"#)
        #expect(thrown.contains("mine") && !thrown.contains("cannot be written"))
        for answer in [await project.call(procedure: "cycle"), await project.call(#"["invoked"]"#)] {
            #expect(
                answer.contains(
                    "TypeError: cycle() returned a value that cannot be written as JSON: JSON.stringify cannot serialize"
                ), "\(answer)")
        }
    }

    @Test("An unknown adapter is an error that lists the known ones")
    func unknownAdapter() async throws {
        let project = try await TestProject("")
        let result = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]")
        #expect(
            result.json
                == ProcedureResult.failure(["Runtime: there is no adapter 'B'; there are: A"]).json)
    }

    @Test("An unknown or undeclared procedure is an error that lists the known ones")
    func unknownProcedure() async throws {
        let project = try await TestProject("function run() {} function hidden() {}")
        #expect(
            await project.call(procedure: "hidden").contains(
                "there is no procedure 'hidden' in adapters/A/A.xml; there are: run"))
    }

    @Test("A declared procedure without a function loads with a warning and fails when called")
    func missingFunction() async throws {
        let project = try await TestProject("function other() {}")
        #expect(project.problems.map(\.severity) == [.warning])
        #expect(project.problems.first?.description.hasPrefix("adapters/A/A.xml:4: warning: procedure 'run'") == true)
        #expect(await project.call().contains("has no function of that name"))
    }

    @Test("A const function is a procedure as well")
    func constFunction() async throws {
        let project = try await TestProject("const run = function () { return { ok: true } }")
        #expect(project.problems == [])
        #expect(await project.call() == #"{"isSuccessful":true,"ok":true}"#)
    }

    @Test("Parameters that are not JSON are an error that quotes them")
    func badParameters() async throws {
        let project = try await TestProject("function run() {}")
        #expect(await project.call("[oops").contains("parameters are not a JSON array: [oops"))
    }

    @Test("An error about a limit names the limit, its value, the adapter and the procedure")
    func limit() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(50)
        let project = try await TestProject("function run() { for (;;) {} }", settings: settings)
        #expect(
            await project.call().contains(
                "Runtime: A/run was stopped: it used more than the CPU time limit (cpuTime) of 50 ms"))
        #expect(project.log.messages(at: .error).first?.contains("raise limits.cpuTime in lamplighter.yaml") == true)
    }

    @Test("requestTimeoutInSeconds is the procedure's time on the wall")
    func requestTimeout() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A").replacing(
                "name=\"run\"", with: "name=\"run\" requestTimeoutInSeconds=\"0.05\""),
            "adapters/A/A-impl.js": "function run() { for (;;) {} }",
        ])
        #expect(await project.call().contains("the time limit (wallClock) of 50 ms"))
    }

    @Test("An adapter that is stopped at a limit goes on working, and so do the others")
    func afterLimit() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(200)
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A"),
                "adapters/A/A-impl.js": "function run(x) { if (x) for (;;) {} return { ok: 'A' } }",
                "adapters/B/B.xml": adapterXML("B"),
                "adapters/B/B-impl.js": "function run() { return { ok: 'B' } }",
            ], settings: settings)
        async let stopped = project.call("[true]")
        let other = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]")
        #expect(other.json == #"{"isSuccessful":true,"ok":"B"}"#)
        #expect(await stopped.contains("was stopped"))
        #expect(await project.call("[false]") == #"{"isSuccessful":true,"ok":"A"}"#)
    }

    @Test(
        "A scope that keeps a little more with each call is reloaded, be it a session's or shared", .defaultTimeLimit,
        arguments: [false, true])
    func leak(isShared: Bool) async throws {
        var settings = RuntimeSettings.patient
        settings.calls.heap = 64 << 20
        if isShared { settings.scopes.shared = .all }
        let session = Caller.session("one")
        let project = try await TestProject(
            "var kept = []; function run() { kept.push(new Uint8Array(200000).fill(1)); return { n: kept.length } }",
            settings: settings)
        repeat {
            _ = await project.call(as: session)
        } while !project.log.messages(at: .warning).contains {
            $0.contains("A: scopes reset")
        }
        while await project.call(as: session) != #"{"isSuccessful":true,"n":2}"# {}
    }

    @Test("More calls than may wait are refused at once", .defaultTimeLimit)
    func waitingCalls() async throws {
        var settings = RuntimeSettings.patient
        settings.waitingCalls = 2
        try await withWaitingBackEnd { [settings] backEnd, gate in
            let project = try await TestProject(
                "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text }",
                connectivity: backEnd.connectivity, settings: settings)
            let answers = await withTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { await project.call() } }
                var all: [String] = []
                for await answer in group {
                    all.append(answer)
                    gate.open()
                }
                return all
            }
            #expect(answers.first?.contains("adapter A is busy: 2 calls wait already") == true)
            #expect(answers.contains(#"{"isSuccessful":true,"result":"done"}"#))
        }
    }
}
