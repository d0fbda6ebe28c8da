import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import TestSupport
import Testing
import WorklightProject

@Suite("Traces of calls")
struct InvocationTraceTests {
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
                #"procedure A/run("ann") → {"length":true}"#,
                #"  function run("ann") → {"length":true}"#, #"    function helper("ann", [1]) → true"#,
                #"      binding WL.Logger.debug("ann")"#,
                #"      binding WL.Server.getUserNotificationSubscription("A.S", "ann") → null"#,
            ])
        let run = try #require(trace.nodes.last?.children.first)
        #expect(run.place == "adapters/A/A-impl.js:2:1")
        #expect(run.children[0].children[0].place?.hasPrefix("adapters/A/A-impl.js:3:") == true)
    }

    private static let callbacks = """
        var met = 0;
        WL.Server.createEventSource({ name: 'S', onUserSubscribe: 'user', onDeviceSubscribe: 'device', onUserChange: 'change',
            onDeviceUnsubscribe: 'gone' });
        function change() { met++; return { isSuccessful: true, hello: 1 } }
        function user() { met++ }
        function device() { WL.Logger.debug(++met) }
        function gone() { throw new Error('no') }
        function run() { return { met: met } }
        WL.Server.setEventHandlers([
            WL.Server.createEventHandler({}, user),
            WL.Server.createSMSEventHandler({}, function (message) { WL.Logger.debug(message.text) }, 'g'),
            WL.Server.createUSSDEventHandler({}, function () { return WL.Server.createUSSDResponse('menu') })
        ]);
        """

    private func subscription(of user: String) throws -> DeviceSubscription {
        DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "S"), userID: user, deviceID: "phone", applicationID: "App",
            alias: "S", platform: .android, token: DeviceToken(stored: "t"), options: [:])
    }

    @Test("The callbacks of a subscription are traced in one separate scope")
    func subscribing() async throws {
        let project = try await TestProject(Self.callbacks)
        let first = InvocationTracer()
        _ = try await project.runtime.subscribe(subscription(of: "ann"), caller: Caller(tracer: first))
        #expect(first.trace.nodes.map(\.name) == ["A is loaded", "S.onUserSubscribe", "S.onDeviceSubscribe"])
        let second = InvocationTracer()
        _ = try await project.runtime.subscribe(subscription(of: "bob"), caller: Caller(tracer: second))
        let nodes = second.trace.nodes
        #expect(
            nodes.map(\.name) == [
                "A is loaded", "S.onUserChange", "S.onDeviceUnsubscribe", "S.onUserSubscribe", "S.onDeviceSubscribe",
            ])
        #expect(nodes[1].result == #"{"isSuccessful":true,"hello":1}"#)
        #expect(nodes[2].exception?.contains("no") == true)
        #expect(outline(nodes).contains { $0.contains("WL.Logger.debug(3)") }, "\(outline(nodes))")
        #expect(await project.call() == #"{"isSuccessful":true,"met":0}"#)
        let third = InvocationTracer()
        let wasThere = try await project.runtime.unsubscribe(
            eventSource: EventSourceID(adapter: "A", name: "S"), userID: "bob", deviceID: "phone", applicationID: "App",
            caller: Caller(tracer: third))
        #expect(wasThere)
        #expect(third.trace.nodes.map(\.name) == ["A is loaded", "S.onDeviceUnsubscribe"])
    }

    @Test("The handlers of one adapter are traced with a simulated event")
    func events() async throws {
        let project = try await TestProject(Self.callbacks)
        let request = USSDRequest(path: "", parameters: [:], headers: [:], body: "")
        let events: [(AdapterEvent, String)] = [
            (.client(["n": 1]), "client event"), (.sms(["text": "hello"]), "sms event"), (.ussd(request), "ussd event"),
        ]
        for (event, name) in events {
            let tracer = InvocationTracer()
            let answers = try await project.runtime.handle(event, adapter: "A", caller: Caller(tracer: tracer))
            #expect(answers.count == 1)
            #expect(tracer.trace.nodes.map(\.name) == ["A is loaded", name])
            #expect(tracer.trace.nodes.last?.result?.contains("menu") == (name == "ussd event" ? true : nil))
        }
        await #expect(throws: UnknownNameError.self) { try await project.runtime.handle(.client(1), adapter: "B") }
    }

    @Test("An error is shown in its node with location and stack, and in the enclosing nodes")
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

    @Test("a procedure that another one calls is in the trace with its steps")
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
        #expect(
            outline.suffix(2) == [
                #"      procedure A/other(1) → {"sum":2}"#, #"        function other(1) → {"sum":2}"#,
            ])
    }

    @Test("a function's result is in the trace, and one that throws has none")
    func results() async throws {
        let project = try await TestProject(
            """
            function run() { nothing(); try { broken() } catch (e) {} return [text(), list()] }
            function nothing() { return }
            function broken() { try { return 1 } finally { throw new Error('no') } }
            function text() { return 'lamp' }
            function list() { return { items: [1, 2] } }
            """)
        let run = try #require(await trace(project).nodes.last?.children.first)
        #expect(run.result == #"["lamp",{"items":[1,2]}]"#)
        #expect(run.children.map(\.result) == [nil, nil, #""lamp""#, #"{"items":[1,2]}"#])
        #expect(run.children[1].exception?.contains("no") == true)
    }

    @Test("a call with credentials has no results of functions, which may have transformed them")
    func secretResults() async throws {
        let project = try await TestProject(
            """
            function run() {
                WL.Server.setActiveUser('R', { userId: 'ann', credentials: 'hunter2-hunter2' });
                return inner().length;
            }
            function inner() { return 'hunter2-hunter2'.split('').reverse().join('') }
            """)
        let tracer = InvocationTracer()
        _ = await project.call(as: Caller(session: ClientSession(id: "s"), tracer: tracer))
        let inner = try #require(tracer.trace.nodes.last?.children.first?.children.last)
        #expect(inner.name == "inner" && inner.result == nil)
        #expect(!tracer.trace.json.contains("2retnuh"), "\(tracer.trace)")
    }

    @Test("a poll's trace has the result of its function")
    func pollResult() async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: 'poll' } });
            function poll() { return { told: 0 } }
            function run() {}
            """)
        let tracer = InvocationTracer()
        let result = try await project.runtime.tracedPoll(
            EventSourceID(adapter: "A", name: "S"), caller: Caller(tracer: tracer))
        #expect(result == #"{"told":0}"#)
        #expect(
            outline(tracer.trace.nodes).suffix(2) == [
                #"callback S.onPoll() → {"told":0}"#, #"  function poll() → {"told":0}"#,
            ])
    }

    @Test("equal lines of a stack in a row are written once, in the log and in the trace")
    func foldedStack() async throws {
        let project = try await TestProject(
            "function run() { go(200) }\nfunction go(n) { if (n === 0) throw new Error('deep'); return go(n - 1) + 1 }")
        var innermost = try #require(await trace(project).nodes.last)
        while let child = innermost.children.first { innermost = child }
        _ = await project.call()
        for text in [innermost.exception ?? "", project.log.messages(at: .error).last ?? ""] {
            #expect(text.split(separator: "\n").count { $0.contains("at go@adapters/A/A-impl.js:2:") } < 10, "\(text)")
            #expect(text.contains(" more like it)"), "\(text)")
        }
    }

    @Test("A possible password is not shown")
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
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .seconds(1)
        let project = try await TestProject(
            "function run() { spin() } function spin() { for (;;); }", settings: settings)
        let trace = await trace(project)
        let run = try #require(trace.nodes.last)
        #expect(run.exception?.contains("cpuTime") == true)
        #expect(run.children.first?.children.first?.name == "spin")
        #expect(run.milliseconds > 0)
    }

    @Test("A script that the trace would change runs unchanged, and the trace says why")
    func unchangeable() async throws {
        let project = try await TestProject("function run() { var a; function a() { return 1 } return a() }")
        let trace = await trace(project)
        #expect(outline(trace.nodes).last == "procedure A/run() → 1")
        #expect(trace.remarks.first?.contains("A-impl.js are not shown") == true)
    }

    @Test("A traced call leaves the variables of other calls alone")
    func ownScope() async throws {
        let project = try await TestProject("var n = 0; function run() { return ++n }")
        _ = await project.call(as: .session("one"))
        _ = await trace(project)
        #expect(await project.call(as: .session("one")) == #"{"isSuccessful":true,"result":2}"#)
        #expect(project.runtime.scopes.scopes == 1)
    }

    @Test("Locations in translated scripts are those of the author's script")
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

    @Test("A trace is a hundred calls deep, counts those further in, and goes on behind them", arguments: [150, 4000])
    func deep(depth: Int) async throws {
        let project = try await TestProject(
            "function r(k) { return k ? 1 + r(k - 1) : 0 } function run(k) { var n = r(k); last(); return n } function last() {}"
        )
        let trace = await trace(project, "[\(depth)]")
        #expect(trace.nodes.last?.result == "\(depth)")
        #expect(trace.nodes.last?.children.first?.children.map(\.name) == ["r", "last"])
        #expect(trace.omitted == depth + 1 - (InvocationTracer.mostDepth - 2))
        #expect(try InvocationTrace(json: trace.json) == trace)
        #expect(trace.description.contains("\(InvocationTracer.mostDepth) inside one another"))
    }

    @Test("Members that scripts add to all objects are not taken for a back end's response")
    func inherited() async throws {
        let project = try await TestProject(
            """
            function run() {
                Object.prototype.statusCode = 1 / 0;
                return WL.Server.invokeHttp({ method: 'get', path: '/' });
            }
            """, connectivity: httpConnectivity(port: 1, timeout: 200))
        let trace = await trace(project)
        let call = trace.nodes.last?.children.first?.children.first
        #expect(call?.name == "WL.Server.invokeHttp", "\(trace)")
        #expect(call?.result?.hasPrefix("failed") == true, "\(trace)")
    }

    @Test("An error that contains a password is shown by its name and location only")
    func secretErrors() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["run"]).replacing(
                #"<procedure name="run""#, with: #"<procedure name="run" securityTest="wl_unprotected""#),
            "adapters/A/A-impl.js":
                """
            function run(p) {
              try { WL.Server.createEventSource({ name: p, poll: p }) } catch (e) {}
              try { WL.Server.getUserNotificationSubscription(p, p) } catch (e) {}
              inner(p) }
            function inner(p) {
              throw new TypeError(p) }
            """,
        ])
        let tracer = InvocationTracer()
        _ = await project.call(#"["hunter2"]"#, as: Caller(tracer: tracer))
        #expect(!tracer.trace.json.contains("hunter2"), "\(tracer.trace)")
        let run = try #require(tracer.trace.nodes.last?.children.first)
        #expect(run.children.last?.exception == "TypeError (adapters/A/A-impl.js:6:22)")
        #expect(tracer.trace.nodes.last?.exception?.hasPrefix("TypeError (adapters/A/A-impl.js:6:") == true)
    }

    @Test("The arguments of a procedure that may receive a password are hidden in the caller's trace")
    func secretParameters() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["run", "login"]).replacing(
                #"<procedure name="login""#, with: #"<procedure name="login" securityTest="wl_unprotected""#),
            "adapters/A/A-impl.js":
                """
            function run() { return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'login', parameters: [word()] }) === 1 }
            function word() { return ['hun', 'ter', 2].join('') }
            function login(p) { return { got: p } }
            """,
        ])
        let trace = await trace(project)
        #expect(!trace.json.contains("hunter2"), "\(trace)")
        #expect(trace.description.contains("WL.Server.invokeProcedure(A/login)"), "\(trace)")
    }

    @Test("An error that passes many functions has its stack where it was thrown, and its summary in the others")
    func passing() async throws {
        let project = try await TestProject(
            "function run() { r(50) }\nfunction r(k) { if (k) r(k - 1); else throw new Error('deep') }")
        let trace = await trace(project)
        var texts: [String] = []
        var node = trace.nodes.last?.children.first
        while let current = node {
            texts.append(current.exception ?? "")
            node = current.children.first
        }
        #expect(texts.count == 52)
        #expect(texts.last?.contains("\n    at r@adapters/A/A-impl.js:2:") == true)
        #expect(Set(texts.dropLast()).count == 1)
        #expect(texts.first == "adapters/A/A-impl.js:2:54: Error: deep")
    }

    @Test("Traces run no getters of the script's")
    func getters() async throws {
        let project = try await TestProject(
            """
            var ran = 0;
            var o = { a: 1 };
            Object.defineProperty(o, 'b', { enumerable: true, get: function () { ran++; return 2 } });
            var list = [1];
            Object.defineProperty(list, 0, { get: function () { ran++; return 2 } });
            function named() {}
            Object.defineProperty(named, 'name', { get: function () { ran++; return 'x' } });
            function run() { inner(o, list, named); return ran }
            function inner() {}
            """)
        let trace = await trace(project)
        #expect(trace.nodes.last?.result == "0")
        #expect(
            trace.nodes.last?.children.first?.children.first?.arguments
                == #"{"a":1,"b":[Getter]}, [[Getter]], function"#)
    }

    @Test("A script that replaces the language's functions does not notice the trace")
    func replaced() async throws {
        let project = try await TestProject(
            """
            var ran = 0;
            Object.getOwnPropertyDescriptor = Object.getPrototypeOf = Reflect.apply = function () { ran++; throw 1 };
            Object.prototype.value = 5;
            function run() { inner({ a: 1 }); return ran }
            function inner() {}
            """)
        let trace = await trace(project)
        #expect(trace.nodes.last?.result == "0")
        #expect(trace.nodes.last?.children.first?.children.first?.arguments == #"{"a":1}"#)
    }
}
