import AdapterRuntime
import Foundation
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@Suite("Traces of calls")
struct TraceTests {
    private func trace(
        _ project: TestProject, _ parameters: String = "[]", procedure: String = "run"
    ) async -> InvocationTrace {
        let tracer = InvocationTracer()
        _ = await project.call(parameters, procedure: procedure, as: Caller(tracer: tracer))
        return tracer.trace
    }

    /// Each node as `kind name(arguments) → result`, indented by its depth.
    private func outline(_ nodes: [InvocationTrace.Node], depth: Int = 0) -> [String] {
        nodes.flatMap { node in
            let blanks = String(repeating: "  ", count: depth)
            let result = node.result.map { " → \($0)" } ?? ""
            return ["\(blanks)\(node.kind) \(node.name)(\(node.arguments ?? "?"))\(result)"]
                + outline(node.children, depth: depth + 1)
        }
    }

    @Test("A trace has the loading, the procedure, its functions and the bindings")
    func tree() async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run(who) { return { length: helper(who, [1]) } }
            function helper(text) { WL.Logger.debug(text); return WL.Server.getUserNotificationSubscription('A.S', text) === null }
            """)
        let trace = await trace(project, #"["ann"]"#)
        #expect(
            outline(trace.nodes) == [
                "loading A is loaded()", #"  binding WL.Server.createEventSource({"name":"S"})"#,
                #"procedure A/run("ann") → {"length":true}"#, #"  function run("ann")"#,
                #"    function helper("ann", [1])"#, #"      binding WL.Logger.debug("ann")"#,
                #"      binding WL.Server.getUserNotificationSubscription("A.S", "ann") → null"#,
            ])
        let run = try #require(trace.nodes.last?.children.first)
        #expect(run.place == "adapters/A/A-impl.js:2:1")
        #expect(run.children[0].children[0].place?.hasPrefix("adapters/A/A-impl.js:3:") == true)
    }

    @Test("What a node throws is in it, with place and stack, and in those around it")
    func exceptions() async throws {
        let project = try await TestProject(
            "function run() {\n  inner();\n}\nfunction inner() {\n  WL.Server.invokeHttp({ method: 'get', path: '/' });\n}"
        )
        let trace = await trace(project)
        let inner = try #require(trace.nodes.last?.children.first?.children.first)
        let binding = try #require(inner.children.first)
        #expect(binding.exception?.hasPrefix("Error: invokeHttp: adapters/A/A.xml has no HTTP connectivity") == true)
        #expect(binding.exception?.contains("at inner@adapters/A/A-impl.js:5:") == true)
        #expect(inner.exception?.contains("at run@adapters/A/A-impl.js:2:8") == true)
        let drawn = trace.description
        #expect(drawn.contains("└─ WL.Server.invokeHttp(get /) ✗ Error: invokeHttp"))
        #expect(drawn.components(separatedBy: "at run@").count == 2, "the stack is drawn once: \(drawn)")
    }

    @Test("A procedure that another one calls is in the tree with what it did")
    func nested() async throws {
        let project = try await TestProject(
            """
            function run() { return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'other', parameters: [1] }).sum }
            function other(a) { return { sum: a + 1 } }
            """, procedures: ["run", "other"])
        let outline = outline(await trace(project).nodes)
        #expect(
            outline.suffix(3).map { $0.trimmingCharacters(in: .whitespaces) }.first?.hasPrefix(
                "binding WL.Server.invokeProcedure") == true)
        #expect(outline.suffix(2) == [#"      procedure A/other(1) → {"sum":2}"#, "        function other(1)"])
    }

    @Test("What may be a password is not shown")
    func secrets() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["run"]).replacing(
                #"<procedure name="run""#, with: #"<procedure name="run" securityTest="wl_unprotected""#),
            "adapters/A/A-impl.js":
                "function run(p) { return inner(p) } function inner(p) { WL.Logger.debug(p); return p }",
        ])
        let tracer = InvocationTracer()
        _ = await project.call(#"["hunter2"]"#, as: Caller(tracer: tracer))
        #expect(tracer.trace.nodes.count == 2)
        #expect(!tracer.trace.json.contains("hunter2"))
        #expect(!tracer.trace.description.contains("hunter2"))
        #expect(tracer.trace.description.contains("A/run(…)"))
    }

    @Test("A trace has its end, and counts what goes beyond")
    func bounded() async throws {
        let project = try await TestProject(
            "function f() {} function run(n) { for (var i = 0; i < n; i++) f(); WL.Logger.debug('x'); return i }")
        let trace = await trace(project, "[20000]")
        #expect(trace.omitted == 20_000 + 4 - InvocationTracer.mostNodes)
        #expect(trace.nodes.last?.result == "20000")
        #expect(trace.description.split(separator: "\n").count < 12)
    }

    @Test("A call that is stopped at its limit ends the functions that it was in")
    func stopped() async throws {
        var settings = RuntimeSettings()
        settings.calls.wallClock = .milliseconds(50)
        let project = try await TestProject(
            "function run() { spin() } function spin() { for (;;); }", settings: settings)
        let trace = await trace(project)
        let run = try #require(trace.nodes.last)
        #expect(run.exception?.contains("wallClock") == true)
        #expect(run.children.first?.children.first?.name == "spin")
        #expect(run.milliseconds >= 50)
    }

    @Test("A script that the trace would change is run as it is, and the trace says why")
    func unchangeable() async throws {
        let project = try await TestProject("function run() { var a; function a() { return 1 } return a() }")
        let trace = await trace(project)
        #expect(outline(trace.nodes).last == "procedure A/run() → 1")
        #expect(trace.remarks.first?.contains("A-impl.js are not shown") == true)
    }

    @Test("A traced call leaves the variables of other calls alone")
    func ownScope() async throws {
        let project = try await TestProject("var n = 0; function run() { return ++n }")
        _ = await project.call()
        _ = await trace(project)
        #expect(await project.call() == #"{"isSuccessful":true,"result":2}"#)
        #expect(project.runtime.scopes.scopes == 1)
    }

    @Test("Places are the author's in translated scripts, too")
    func translated() async throws {
        let project = try await TestProject(
            "function run() {\n  for each (var x in [1]) { x.y.z }\n  for each (var q in [1]) inner(q) }\nfunction inner(q) { q.y.z }"
        )
        let trace = await trace(project)
        let run = try #require(trace.nodes.last?.children.first)
        #expect(run.exception?.contains("adapters/A/A-impl.js:2:32") == true, "\(run.exception ?? "")")
    }

    @Test("The JSON has all of it")
    func json() async throws {
        let project = try await TestProject("function run() { WL.Logger.debug(1) }")
        let trace = await trace(project)
        #expect(try InvocationTrace(json: trace.json) == trace)
    }
}
