import AdapterRuntime
import JavaScriptEngine
import TestSupport
import Testing

@Suite("WL.Server.invokeProcedure")
struct InvokeProcedureTests {
    private func project(_ caller: String) async throws -> TestProject {
        try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["run", "own"]),
            "adapters/A/A-impl.js": """
            function own(x) { return { own: x } }
            function run(x) { \(caller) }
            """,
            "adapters/B/B.xml": adapterXML("B", procedures: ["echo", "fail", "nothing", "count", "loop", "who"]),
            "adapters/B/B-impl.js": """
            var calls = 0;
            function echo(a, b) { return { a: a, b: b, count: arguments.length } }
            function fail() { throw new Error('broken') }
            function nothing() {}
            function count() { calls += 1; return { calls: calls } }
            function loop() { for (;;) {} }
            function who() { return { user: WL.Server.getActiveUser('R').userId } }
            function hidden() { return {} }
            """,
        ])
    }

    @Test("Scalars and objects arrive unchanged, and the result has isSuccessful")
    func passing() async throws {
        let project = try await project(
            "return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'echo', parameters: [1, { x: ['y'] }] })")
        #expect(await project.call() == #"{"isSuccessful":true,"a":1,"b":{"x":["y"]},"count":2}"#)
    }

    @Test("A call without parameters passes none, and a second argument is ignored")
    func withoutParameters() async throws {
        let project = try await project(
            "return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'echo' }, { onSuccess: 1, onFailure: 2 })")
        #expect(await project.call() == #"{"isSuccessful":true,"count":0}"#)
    }

    @Test("A procedure that returns nothing succeeds")
    func nothing() async throws {
        let project = try await project("return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'nothing' })")
        #expect(await project.call() == #"{"isSuccessful":true}"#)
    }

    @Test("A procedure of the same adapter can be called")
    func own() async throws {
        let project = try await project(
            "return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'own', parameters: ['me'] })")
        #expect(await project.call() == #"{"isSuccessful":true,"own":"me"}"#)
    }

    @Test("A procedure that throws returns isSuccessful false with the location, and the caller goes on")
    func failing() async throws {
        let project = try await project(
            """
            var result = WL.Server.invokeProcedure({ adapter: 'B', procedure: 'fail' });
            return { ok: result.isSuccessful, errors: result.errors };
            """)
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"ok":false,"errors":["Runtime: Error: broken (adapters/B/B-impl.js#3)"]}"#)
    }

    @Test("A missing adapter, or an undeclared procedure, returns an error that says so")
    func unknown() async throws {
        let project = try await project(
            "return { errors: WL.Server.invokeProcedure({ adapter: x[0], procedure: x[1] }).errors }")
        #expect(await project.call(#"[["C","x"]]"#).contains("there is no adapter 'C'; there are: A, B"))
        #expect(await project.call(#"[["B","hidden"]]"#).contains("there is no procedure 'hidden' in adapters/B/B.xml"))
    }

    @Test("The other adapter's variables are those of the caller's session")
    func variables() async throws {
        let project = try await project("return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'count' })")
        let session = Caller(session: ClientSession(id: "one"))
        _ = await project.call(as: session)
        let direct = await project.runtime.invoke(adapter: "B", procedure: "count", parameters: "[]", caller: session)
        #expect(direct.json == #"{"isSuccessful":true,"calls":2}"#)
        #expect(
            await project.call(as: Caller(session: ClientSession(id: "two"))) == #"{"isSuccessful":true,"calls":1}"#)
    }

    @Test("The logged-in user is the same in the other procedure")
    func user() async throws {
        let project = try await project(
            """
            WL.Server.setActiveUser('R', { userId: 'bob' });
            return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'who' });
            """)
        #expect(await project.call() == #"{"isSuccessful":true,"user":"bob"}"#)
    }

    @Test("A procedure that never ends is stopped with its caller, and neither can catch it")
    func endless() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(200)
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A"),
                "adapters/A/A-impl.js": """
                function run() {
                    try { WL.Server.invokeProcedure({ adapter: 'B', procedure: 'loop' }) } catch (e) { return { caught: 1 } }
                }
                """,
                "adapters/B/B.xml": adapterXML("B", procedures: ["loop"]),
                "adapters/B/B-impl.js": "function loop() { for (;;) {} }",
            ], settings: settings)
        let answer = await project.call()
        #expect(answer.contains("A/run was stopped: it used more than the CPU time limit (cpuTime) of 200 ms"))
    }

    @Test("A hundred procedures at most call each other, each one within the other; the next call is an error")
    func recursion() async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'run' }) }")
        let result = await project.call()
        #expect(result.contains("invokeProcedure: A/run is not called, since 100 procedures wait for each other"))
        #expect(await project.runtime.invoke(adapter: "A", procedure: "nosuch", parameters: "").isSuccessful == false)
    }

    @Test("Invalid options are errors that name the option")
    func wrongOptions() async throws {
        let project = try await project("return WL.Server.invokeProcedure(x)")
        #expect(await project.call(#"["B"]"#).contains("invokeProcedure: expected an object with 'adapter'"))
        #expect(await project.call(#"[{"procedure":"echo"}]"#).contains("invokeProcedure: 'adapter' must be a string"))
        #expect(await project.call(#"[{"adapter":"B"}]"#).contains("invokeProcedure: 'procedure' must be a string"))
    }
}
