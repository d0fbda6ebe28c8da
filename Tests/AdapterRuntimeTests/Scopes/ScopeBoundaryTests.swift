import AdapterRuntime
import Core
import JavaScriptEngine
import Logging
import TestSupport
import Testing

/// The state that a call leaves outside of the script's own objects, and how scopes become a session's.
@Suite("State that a call leaves behind belongs to its session", .defaultTimeLimit)
struct ScopeBoundaryTests {
    private static let ann = Caller.session("ann")
    private static let bob = Caller.session("bob")

    /// Calls `set` for one session, and returns the result of `get` for another.
    private func seen(_ script: String, set: Caller = ann, get: Caller = bob) async throws -> String {
        let project = try await TestProject(script, procedures: ["set", "get"])
        _ = await project.call(#"["SECRET"]"#, procedure: "set", as: set)
        return await project.call(procedure: "get", as: get)
    }

    private func caller(_ session: String) throws -> Caller {
        var caller = Caller.session(session)
        caller.request = ClientRequest(method: "GET", url: "http://x/")
        return caller
    }

    @Test(
        "objects of the server take nothing from a script",
        arguments: [
            "WL.Server", "WL.Logger", "WL.Geo", "console", "WL.Server.invokeHttp", "WL.Logger.info",
            "WL.Server.configuration",
            "WL.Server.getClientRequest", "java.util", "java.util.Properties", "java.util.Properties.prototype",
            "java.lang.System.out.println", "Object.getPrototypeOf(WL.Server.getClientRequest())",
            "WL.Server.getClientRequest().getHeader",
        ])
    func fixed(object: String) async throws {
        let answer = try await seen(
            """
            function target() { return \(object); }
            function set(u) {
                var o = target();
                try { o.leak = u; } catch (e) {}
                try { Object.defineProperty(o, "hidden", { value: u }); } catch (e) {}
                try { Object.setPrototypeOf(o, { inherited: u }); } catch (e) {}
                try { o.toString = function () { return u; }; } catch (e) {}
                return {};
            }
            function get() {
                var o = target(), described;
                try { described = Object.getOwnPropertyDescriptor(o, "hidden"); } catch (e) {}
                return { v: [o.leak, o.inherited, described && described.value, String(o)].map(String) };
            }
            """, set: try caller("ann"), get: try caller("bob"))
        #expect(answer.contains("\"v\"") && !answer.contains("SECRET"))
    }

    @Test("a member of WL that a call adds belongs to the session")
    func members() async throws {
        let script = "function set(u) { WL.mine = u; } function get() { return { v: WL.mine || null } }"
        #expect(try await seen(script) == #"{"isSuccessful":true,"v":null}"#)
        #expect(try await seen(script, get: Self.ann) == #"{"isSuccessful":true,"v":"SECRET"}"#)
    }

    @Test("counters of console belong to the session")
    func console() async throws {
        let project = try await TestProject("function run() { console.count('calls') }")
        for caller in [Self.ann, Self.bob, Self.ann] { _ = await project.call(as: caller) }
        #expect(
            project.log.messages(at: .info).filter { $0.hasPrefix("calls") } == ["calls: 1", "calls: 1", "calls: 2"])
    }

    @Test("event handlers that a call sets belong to the session")
    func handlers() async throws {
        let project = try await TestProject(
            """
            WL.Server.setEventHandlers([WL.Server.createEventHandler({}, function (e) { WL.Logger.warn('of all'); })]);
            function run(u) {
                WL.Server.setEventHandlers([WL.Server.createEventHandler({}, function (e) { WL.Logger.warn('of ' + u); })]);
            }
            """)
        _ = await project.call(#"["ann"]"#, as: Self.ann)
        for caller in [Self.bob, Self.ann] { await project.runtime.handle(clientEvents: [["a": 1]], caller: caller) }
        #expect(project.log.messages(at: .warning) == ["of all", "of ann"])
    }

    @Test(
        "a client event's handler leaves its state to the session, a text message's handler leaves none"
    )
    func events() async throws {
        let project = try await TestProject(
            """
            var last = null;
            WL.Server.setEventHandlers([
                WL.Server.createEventHandler({}, function (e) { last = e.a; }),
                WL.Server.createSMSEventHandler({}, function (e) { WL.Logger.warn('before: ' + last); last = e.text; }, 'g')
            ]);
            function run() { return { last: last } }
            """)
        await project.runtime.handle(smsParameters: ["text": "SECRET"])
        await project.runtime.handle(smsParameters: ["text": "other"])
        #expect(project.log.messages(at: .warning) == ["before: null", "before: null"])
        await project.runtime.handle(clientEvents: [["a": "mine"]], caller: Self.ann)
        #expect(await project.call(as: Self.ann) == #"{"isSuccessful":true,"last":"mine"}"#)
        #expect(await project.call(as: Self.bob) == #"{"isSuccessful":true,"last":null}"#)
    }

    @Test("a scope that invokeProcedure has changed belongs to the session, and the caller's scope stays clean")
    func nested() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js":
                "function run(u) { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run', parameters: [u] }) }",
            "adapters/B/B.xml": adapterXML("B"),
            "adapters/B/B-impl.js": "var seen = []; function run(u) { if (u) seen.push(u); return { seen: seen } }",
        ])
        _ = await project.call(#"["SECRET"]"#, as: Self.ann)
        #expect(await project.call(as: Self.bob) == #"{"isSuccessful":true,"seen":[]}"#)
        #expect(await project.call(as: Self.ann) == #"{"isSuccessful":true,"seen":["SECRET"]}"#)
        // One of B for each of them.
        #expect(project.runtime.scopes.scopes == 2)
    }

    @Test(
        "the first of two simultaneous calls to end keeps its changes, with a warning"
    )
    func concurrent() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                """
                var mine = null;
                function run(u, path) {
                    if (path) WL.Server.invokeHttp({ method: 'get', path: path });
                    if (u) mine = u;
                    return { mine: mine };
                }
                """, connectivity: backEnd.connectivity)
            async let slow = project.call(#"["slow","/wait"]"#, as: Self.ann)
            try await gate.arrivals(1)
            #expect(await project.call(#"["quick"]"#, as: Self.ann) == #"{"isSuccessful":true,"mine":"quick"}"#)
            gate.open()
            #expect(await slow == #"{"isSuccessful":true,"mine":"slow"}"#)
            #expect(await project.call(as: Self.ann) == #"{"isSuccessful":true,"mine":"quick"}"#)
            #expect(project.log.messages(at: .warning).contains { $0.contains("two calls of one session ran at once") })
            #expect(project.runtime.scopes.scopes == 1)
        }
    }

    @Test("a call that a limit ends leaves nothing")
    func limit() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(300)
        let project = try await TestProject(
            "var mine = null; function run(u) { if (u) { mine = u; for (;;) {} } return { mine: mine } }",
            settings: settings)
        _ = await project.call(#"["SECRET"]"#, as: Self.ann)
        #expect(await project.call(as: Self.ann) == #"{"isSuccessful":true,"mine":null}"#)
        #expect(await project.call(as: Self.bob) == #"{"isSuccessful":true,"mine":null}"#)
    }

    @Test("a session that ends while its call runs keeps nothing")
    func ended() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                "var n = 0; function run() { n++; WL.Server.invokeHttp({ method: 'get', path: '/wait' }); return { n: n } }",
                connectivity: backEnd.connectivity)
            async let call = project.call(as: Self.ann)
            try await gate.arrivals(1)
            await project.runtime.endSession(id: "ann")
            gate.open()
            _ = await call
            #expect(project.runtime.scopes.owners == 0 && project.runtime.scopes.scopes == 0)
        }
    }

    @Test(
        "a script whose loading depends on caller or time runs only in scopes of sessions",
        arguments: [
            "var user = WL.Server.getActiveUser();", "var now = new Date();", "var now = Date.now();",
            "var n = Math.random();", "var now = java.lang.System.currentTimeMillis();",
            "var text = '' + Date();",
        ])
    func loading(line: String) async throws {
        let project = try await TestProject(line + " function run() { return 1 }")
        _ = await project.call(as: Self.ann)
        _ = await project.call(as: Self.bob)
        #expect(project.runtime.scopes.scopes == 2)
    }

    @Test(
        "a script with dates, E4X, Java and closures that stay as they were shares its scopes",
        arguments: [
            "var d = new Date(2014, 1, 1); function run() { return d.getTime() - d }",
            "function run() { var x = <a><b>1</b></a>; return '' + x.b }",
            "var m = (function () { var n = 1; return { get: function () { return n; } } })(); function run() { return m.get() }",
            "var JavaString = java.lang.String; function run() { return 1 }",
            "function run(o) { var s = ''; for each (var v in { a: 1, b: 2 }) s += v; return s }",
            "class C { static make() { return new C() } } C.n = 1; function run() { return C.make() instanceof C }",
            "String.prototype.twice = function () { return this + this; }; function run() { return 'a'.twice() }",
            "var r = /a(b)/g; function run() { return 'xab'.replace(r, '$1') }",
        ])
    func clean(script: String) async throws {
        let project = try await TestProject(script)
        for caller in [Self.ann, Self.bob, Self.ann] {
            #expect(await project.call(as: caller).hasPrefix(#"{"isSuccessful":true"#))
        }
        #expect(project.runtime.scopes == ScopeStatus(machines: 1, owners: 0, scopes: 0))
    }

    @Test(
        "E4X that a call changes belongs to the session",
        arguments: [
            ("", "XML.ignoreWhitespace = u === 'never'", "XML.ignoreWhitespace"),
            ("var x = <a/>;", "x.b = u", "'' + x.b"),
        ])
    func xml(top: String, change: String, look: String) async throws {
        let script = "\(top) function set(u) { \(change); } function get() { return { v: String(\(look)) } }"
        let fresh = try await seen(script, set: Self.bob, get: Self.ann)
        let own = try await seen(script, get: Self.ann)
        #expect(!fresh.contains("SECRET") && fresh != own)
    }
}
