import Core
import Foundation
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Scopes of sessions and shared scopes", .defaultTimeLimit)
struct SharedScopeTests {
    private static let counter = "var count = 0; function run() { count += 1; return { count: count } }"

    private static func settings(machines: Int = 256, _ change: (inout RuntimeSettings.Scopes) -> Void = { _ in })
        -> RuntimeSettings
    {
        var settings = RuntimeSettings.patient
        settings.scopes.machines = machines
        change(&settings.scopes)
        return settings
    }

    @Test("A hundred sessions that change nothing need one machine and no separate scope")
    func sharing() async throws {
        let project = try await TestProject("function run(x) { return { twice: 2 * x } }")
        for number in 0..<100 {
            let answer = await project.call("[\(number)]", as: .session("\(number)"))
            #expect(answer == #"{"isSuccessful":true,"twice":\#(2 * number)}"#)
        }
        #expect(project.runtime.scopes == ScopeStatus(machines: 1, owners: 0, scopes: 0))
    }

    @Test(
        "A procedure that left state behind gets a scope per session; others get a clean one")
    func keeping() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["keep", "look"]),
            "adapters/A/A-impl.js":
                "var last = null; function keep(u) { if (u) last = u; return { last: last } } function look() { return { last: last } }",
        ])
        let call = { (procedure: String, parameters: String, id: String) in
            await project.runtime.invoke(
                adapter: "A", procedure: procedure, parameters: parameters, caller: .session(id)
            ).json
        }
        _ = await call("keep", #"["SECRET"]"#, "ann")
        #expect(project.runtime.scopes.scopes == 1)
        #expect(await call("look", "[]", "bob") == #"{"isSuccessful":true,"last":null}"#)
        #expect(project.runtime.scopes.scopes == 1)
        #expect(await call("keep", "[]", "bob") == #"{"isSuccessful":true,"last":null}"#)
        #expect(project.runtime.scopes.scopes == 2)
        #expect(await call("look", "[]", "ann") == #"{"isSuccessful":true,"last":"SECRET"}"#)
    }

    @Test("A scope that becomes a session's own keeps the values of its temporaries")
    func keptTemporaries() async throws {
        let project = try await TestProject(
            """
            var x = null, readers = [];
            function run(u) {
                if (u) { x = u; readers.push(function () { return x; }); return {}; }
                return { x: readers[0] ? readers[0]() : null };
            }
            """)
        _ = await project.call(#"["mine"]"#, as: .session("ann"))
        #expect(await project.call("[]", as: .session("ann")) == #"{"isSuccessful":true,"x":"mine"}"#)
        #expect(await project.call("[]", as: .session("bob")) == #"{"isSuccessful":true,"x":null}"#)
    }

    @Test(
        "Changes to Date and built-in functions at load stay, in a scope that sessions share"
    )
    func loading() async throws {
        let project = try await TestProject(
            """
            Date.today = function () { return 'today'; };
            Object.keys.shim = true;
            var D = Date, random = Math.random;
            function run() {
                return [
                    Date.today(), D === Date, new Date(0).constructor === D, new Date(5).getTime(), random === Math.random,
                    Object.keys.shim, typeof Date.now(), typeof Date(), new Date() <= Date.now()
                ];
            }
            """)
        for name in ["ann", "bob"] {
            #expect(
                await project.call("[]", as: .session(name))
                    == #"{"isSuccessful":true,"array":["today",true,true,5,true,true,"number","string",true]}"#)
        }
        #expect(project.runtime.scopes == ScopeStatus(machines: 1, owners: 0, scopes: 0))
    }

    @Test("A value that a call adds to an object through Object.assign stays in its session")
    func aliases() async throws {
        let project = try await TestProject(
            """
            var defaults = { headers: { lang: "en" } };
            function run(user) {
                var o = {};
                Object.assign(o, defaults);
                var found = o.headers.Authorization;
                if (user) o.headers.Authorization = user;
                return { found: found };
            }
            """)
        #expect(await project.call(#"["ann"]"#, as: .session("one")) == #"{"isSuccessful":true}"#)
        #expect(await project.call("[]", as: .session("two")) == #"{"isSuccessful":true}"#)
        #expect(await project.call("[]", as: .session("one")) == #"{"isSuccessful":true,"found":"ann"}"#)
    }

    @Test("A temporary is cleared when the call has ended")
    func temporaries() async throws {
        let project = try await TestProject(
            "var path; function run(x) { path = x; other = x; return path + other; }",
            settings: Self.settings(machines: 1))
        #expect(await project.call(#"["secret"]"#) == #"{"isSuccessful":true,"result":"secretsecret"}"#)
        #expect(
            try await project.runtime.evaluate("[typeof path, typeof other, 'other' in this]", adapter: "A")
                == #"["undefined","undefined",false]"#)
    }

    @Test("A script without state that calls one with state finds the variables of its session there")
    func nested() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js":
                "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' }) }",
            "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": Self.counter,
        ])
        for count in 1...3 {
            for session in ["one", "two"] {
                #expect(await project.call(as: .session(session)) == #"{"isSuccessful":true,"count":\#(count)}"#)
            }
        }
        // That of A is clean.
        #expect(project.runtime.scopes.scopes == 2)
    }

    @Test("scopes.shared has sessions share what a script keeps, and says so")
    func sharedBySetting() async throws {
        let project = try await TestProject(
            Self.counter, settings: Self.settings(machines: 1) { $0.shared = .named(["A"]) })
        #expect(await project.call(as: .session("one")) == #"{"isSuccessful":true,"count":1}"#)
        #expect(await project.call(as: .session("two")) == #"{"isSuccessful":true,"count":2}"#)
        let remark = try #require(project.runtime.sharedStateWarnings.first)
        #expect(remark.severity == .warning && remark.message.contains("scopes.shared lets all sessions share"))
    }

    @Test("logs once an adapter which variable a call left behind, after which procedure, and where it is declared")
    func firstState() async throws {
        let project = try await TestProject(
            """
            // The login's first step.
            var other = 0,
                step = 0,
                user;
            function login(name) { user = { name: name }; step = 2; }
            function whoAmI() { return user; }
            """, procedures: ["login"])
        for name in ["ann", "bob"] { _ = await project.call("[\"\(name)\"]", procedure: "login", as: .session(name)) }
        #expect(
            project.log.messages(at: .info).filter { $0.contains("keeps") } == [
                "keeps 'step' for its session since login() was called; declared in adapters/A/A-impl.js:3"
            ])
    }

    @Test("logs why a script's scopes cannot be compared")
    func obstacle() async throws {
        let project = try await TestProject("var seen = new Map();\nfunction run() { return seen.size }")
        _ = await project.call(as: .session("one"))
        _ = await project.call(as: .session("two"))
        #expect(project.runtime.scopes.scopes == 2)
        #expect(
            project.log.messages(at: .info).filter { $0.contains("from its first call") } == [
                "each session has its own scope from its first call: 'seen' (adapters/A/A-impl.js:1) holds an object whose contents "
                    + "cannot be compared"
            ])
    }

    @Test("Random numbers do not reveal other calls' draws where sessions share scopes")
    func randomNumbers() async throws {
        var own = RuntimeSettings.patient
        own.scopes.session = .all
        for (settings, answer) in [(RuntimeSettings.patient, false), (own, true)] {
            let project = try await TestProject(Self.predictor, settings: settings)
            #expect(await project.call(as: .session("one")) == #"{"isSuccessful":true,"isPredictable":\#(answer)}"#)
        }
    }

    /// Solves the equations of the engine's own generator, xorshift128+, whose lowest bits are linear.
    private static let predictor = #"""
        var M64 = (1n << 64n) - 1n;
        function step(s) { var x = s.l, y = s.h; s.l = y; x ^= (x << 23n) & M64; x ^= x >> 17n; x ^= y ^ (y >> 26n); s.h = x; return (x + y) & ((1n << 53n) - 1n); }
        function recover() {
            var lo = [], hi = [], i, k, rows = [];
            for (i = 0; i < 64; i++) { lo.push(1n << BigInt(i)); hi.push(1n << BigInt(64 + i)); }
            function lin() {
                var x = lo.slice(), y = hi, t;
                t = x.slice(); for (i = 63; i >= 23; i--) t[i] = x[i] ^ x[i - 23]; x = t;
                t = x.slice(); for (i = 0; i < 64 - 17; i++) t[i] = x[i] ^ x[i + 17]; x = t;
                t = x.slice(); for (i = 0; i < 64; i++) t[i] = x[i] ^ y[i] ^ (i + 26 < 64 ? y[i + 26] : 0n);
                lo = y; hi = t; return hi[0] ^ lo[0];
            }
            var outs = [];
            for (k = 0; k < 160; k++) outs.push(BigInt(Math.random() * 9007199254740992));
            for (k = 0; k < 160; k++) rows.push(lin() | ((outs[k] & 1n) << 128n));
            var piv = [], r, b;
            for (k = 0; k < rows.length; k++) {
                r = rows[k];
                for (i = 0; i < piv.length; i++) if ((r >> piv[i].b) & 1n) r ^= piv[i].r;
                if ((r & ((1n << 128n) - 1n)) === 0n) continue;
                b = 0n; while (!((r >> b) & 1n)) b++;
                for (i = 0; i < piv.length; i++) if ((piv[i].r >> b) & 1n) piv[i].r ^= r;
                piv.push({ b: b, r: r });
            }
            var s = 0n; for (i = 0; i < piv.length; i++) if ((piv[i].r >> 128n) & 1n) s |= 1n << piv[i].b;
            var st = { l: s & M64, h: s >> 64n }, ok = true;
            for (k = 0; k < 160; k++) if (step(st) !== outs[k]) ok = false;
            return ok ? st : null;
        }
        function run() { return { isPredictable: recover() !== null }; }
        """#

    @Test("scopes.session creates a scope for each session from its first call on")
    func sessionBySetting() async throws {
        let project = try await TestProject(
            "function run() { return 1 }", settings: Self.settings { $0.session = .named(["A"]) })
        _ = await project.call(as: .session("one"))
        _ = await project.call(as: .session("two"))
        #expect(project.runtime.scopes.scopes == 2)
    }

    @Test("Endless calls delay no others")
    func computing() async throws {
        var settings = Self.settings()
        settings.calls = ExecutionLimits()
        let project = try await TestProject(
            "function run(endless) { while (endless); return 'quick' }", settings: settings)
        let processors = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<processors { group.addTask { _ = await project.call("[true]") } }
            try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") >= processors }
            #expect(await project.call("[false]") == #"{"isSuccessful":true,"result":"quick"}"#)
            project.runtime.interrupt(reason: "the test is over")
        }
    }

    @Test(
        "An adapter whose back end hangs has at most half of the machines; its further calls wait, and other adapters' calls run"
    )
    func hangingBackEnd() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                files: [
                    "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                    "adapters/A/A-impl.js":
                        "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text }",
                    "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": "function run() { return 'quick' }",
                ], settings: Self.settings(machines: 4))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 { group.addTask { await project.call() } }
                try await gate.arrivals(2)
                try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") >= 6 }
                let other = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]").json
                #expect(other == #"{"isSuccessful":true,"result":"quick"}"#)
                #expect(project.runtime.scopes.machines <= 3)
                gate.open()
                for try await answer in group { #expect(answer == #"{"isSuccessful":true,"result":"done"}"#) }
            }
        }
    }
}
