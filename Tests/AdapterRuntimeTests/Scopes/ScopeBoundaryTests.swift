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

    @Test("the variables of an adapter that invokeProcedure calls belong to the session")
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
        // One of A and one of B for each of them.
        #expect(project.runtime.scopes.scopes == 4)
    }

    @Test(
        "of two simultaneous calls the second waits for the first, also if they come to the script by another that all sessions share"
    )
    func concurrent() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = RuntimeSettings.patient
            settings.scopes.shared = .named(["A"])
            let project = try await TestProject(
                files: [
                    "adapters/A/A.xml": adapterXML("A"),
                    "adapters/A/A-impl.js":
                        "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run', parameters: [].slice.call(arguments) }) }",
                    "adapters/B/B.xml": adapterXML("B", connectivity: backEnd.connectivity),
                    "adapters/B/B-impl.js": """
                    var mine = null;
                    function run(u, path) {
                        if (path) WL.Server.invokeHttp({ method: 'get', path: path });
                        if (u) mine = u;
                        return { mine: mine };
                    }
                    """,
                ], settings: settings)
            async let slow = project.call(#"["slow","/wait"]"#, as: Self.ann)
            try await gate.arrivals(1)
            async let next = project.call(as: Self.ann)
            try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") == 2 }
            #expect(await project.call(as: .session("ben")) == #"{"isSuccessful":true,"mine":null}"#)
            gate.open()
            #expect(await slow == #"{"isSuccessful":true,"mine":"slow"}"#)
            #expect(await next == #"{"isSuccessful":true,"mine":"slow"}"#)
        }
    }

    @Test("a call that a limit ends leaves nothing to other sessions")
    func limit() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(300)
        let project = try await TestProject(
            "var mine = null; function run(u) { if (u) { mine = u; for (;;) {} } return { mine: mine } }",
            settings: settings)
        _ = await project.call(#"["SECRET"]"#, as: Self.ann)
        #expect(await project.call(as: Self.bob) == #"{"isSuccessful":true,"mine":null}"#)
        #expect(await project.call(as: Self.ann) == #"{"isSuccessful":true,"mine":"SECRET"}"#)
    }

    @Test("a session that ends while its call runs keeps nothing")
    func ended() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                "var n = 0; function run() { n++; WL.Server.invokeHttp({ method: 'get', path: '/wait' }); return { n: n } }",
                connectivity: backEnd.connectivity)
            async let call = project.call(as: Self.ann)
            try await gate.arrivals(1)
            async let end: Void = project.runtime.endSession(id: "ann")
            try await waitUntil { project.runtime.scopes.owners == 0 }
            gate.open()
            _ = await call
            await end
            #expect(project.runtime.scopes.owners == 0 && project.runtime.scopes.scopes == 0)
        }
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
