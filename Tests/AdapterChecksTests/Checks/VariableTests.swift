import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Variables that keep what nobody else sees, or what others see")
struct VariableTests {
    private static let poll = "WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: poll } });\n"

    @Test(
        "A variable by which a poll and a procedure mean to talk is found",
        arguments: [
            "var n = 0; function poll() { n += 1; } function run() { return n; }",
            "var queue = []; function poll() { queue.forEach(send); } function send() {} function run(x) { queue.push(x); }",
            "var last = {}; function poll() { remember(1); } function remember(x) { last.value = x; } function run() { return last; }",
            "const seen = new Map(); function poll() { seen.set(1, 2); } function run() { return seen.size; }",
            "var n = 0; function poll() { n++; } const run = () => read(); function read() { return n; }",
            "var q = []; function poll() { var all = q; q = []; return all; } function run(x) { q.push(x); }",
            "function poll() { n = 1; } function run() { return n; } // lamplighter:allow implicit-global",
        ])
    func shared(source: String) async throws {
        let checked = try await Checked(Self.poll + source)
        #expect(checked.places.map { $0.split(separator: " ")[1] } == ["shared-global"])
        #expect(checked.problems.first?.line == 2)
    }

    @Test("A function's argument at load is not the same in every scope")
    func toldAtLoading() async throws {
        let source = "var n; set(0); function set(x) { n = x; } function poll() { set(ask()); } function ask() {} "
        #expect(
            try await Checked(Self.poll + source + "function run() { return n; }").places.map {
                $0.split(separator: " ")[1]
            } == ["shared-global"])
    }

    @Test("The message names the writer, the reader and the variable")
    func words() async throws {
        let checked = try await Checked(
            Self.poll + "var n = 0;\nfunction poll() { n += 1; }\nfunction run() { return n; }")
        #expect(checked.places == ["2:5 shared-global"])
        #expect(
            try checked.only(.sharedGlobal).message.hasPrefix(
                "run() never sees what poll(), which runs in the poll of 'E', puts into 'n'"))
    }

    @Test("Two polls do not see each other's values either")
    func twoPolls() async throws {
        let checked = try await Checked(
            """
            WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: function () { n = 1; } } });
            WL.Server.createEventSource({ name: 'F', poll: { interval: 5, onPoll: function () { return n; } } });
            var n = 0;
            function run() {}
            """)
        #expect(checked.places == ["3:5 shared-global"])
    }

    @Test(
        "A variable that each keeps for itself is fine",
        arguments: [
            "var last = 0; function poll() { last = next(last); } function next(x) { return x + 1; } function run() {}",
            "var t; function token() { if (!t) t = ask(); return t; } function ask() {} function poll() { token(); } function run() { token(); }",
            "var c = {}; function get(k) { return c[k] || (c[k] = 1); } function poll() { get(1); } function run() { get(2); }",
            "var url = '/a'; function poll() { return url; } function run() { return url; }",
            "var r; function poll() { r = 1; show(); } function run() { r = 2; show(); } function show() { return r; }",
            "function poll() { var n = 1; return n; } function run() { var n = 2; return n; }",
            "var quiet = false; function poll() { quiet = true; f(); } function run() { f(); } function f() { return quiet; }",
            "var c = {}; init(); function init() { c.url = 'x'; } function poll() { init(); log(c.url); } function log(x) { return x; } function run() { return c.url; }",
            "var t; function poll() { if (!t) t = ask(1); return t; } function run() { if (t == null) t = ask(2); return t; } function ask(x) { return x; }",
            "var on, t; function poll() { if (!on) { on = true; t = 1; } return t; } function run() { if (!on) { on = true; t = 2; } return t; }",
            "var n = 0; function poll() { n++; } function run() { if (n) n = 0; return n; }",
        ])
    func own(source: String) async throws {
        #expect(try await Checked(Self.poll + source).places == [])
    }

    private static let login = """
        var user = null;
        function step1(name) { user = name; }
        function step2() { return user; }
        """

    private func login(_ properties: String, _ source: String = login) async throws -> Checked {
        try await Checked(
            source, procedures: ["step1", "step2"], files: ["server/conf/worklight.properties": properties])
    }

    @Test("A variable that a function assigns is found without sessions")
    func mutable() async throws {
        let checked = try await login("mfp.session.independent=true")
        #expect(checked.places == ["2:24 mutable-global"])
        #expect(
            try checked.only(.mutableGlobal).message.hasPrefix(
                "step1() assigns 'user'; with mfp.session.independent=true"))
    }

    @Test("A variable that one call leaves to the next is fine with sessions, as in Worklight")
    func sessions() async throws {
        #expect(try await login("mfp.session.independent=false").places == [])
        #expect(try await login("").places == [])
    }

    private static let sticky = "mfp.session.independent=true"

    @Test(
        "A value set only when missing, or counted up, is found without sessions",
        arguments: [
            "var u; function step1() { u = u || WL.Server.getActiveUser(); return u; }",
            "var u; function step1() { u ??= WL.Server.getActiveUser(); return u; }",
            "var t; function step1() { if (!t) t = step2(); return t; }",
            "var t; function step1() { if (!t) login(); return t; } function login() { t = step2(); }",
            "var n = 0; function step1() { n++; return n; }", "var n = 0; function step1() { n += 1; }",
            "var u; function step1() { var last = u; u = step2(); return last; }",
            "var u; function step1(x) { if (x) u = x; return u; }",
            "var u; function step1(x) { if (x) u = x; else u = 1; return u; }",
            "var u; function step1(x) { login(x); return u; } function login(x) { if (!x) return; u = x; }",
            "var u; function step1(x) { try { u = x.y; } catch (e) { } return u; }",
            "var u; function step1(x) { for (var i in x) u = i; return u; }",
            "var u; function step1(x) { switch (x) { case 1: u = 1; } return u; }",
            "var u; function step1(x) { return [x].map(function () { return u; }); } function step2(x) { u = x; }",
        ])
    func kept(source: String) async throws {
        let checked = try await login(
            Self.sticky, source.contains("step2(x)") ? source : source + " function step2() {}")
        #expect(checked.problems.map(\.id) == ["mutable-global"])
    }

    @Test("A variable that functions only read is fine without sessions")
    func read() async throws {
        let source = "var url = '/a'; function step1() { var u = url; return u; } function step2() {}"
        #expect(try await login(Self.sticky, source).places == [])
    }

    @Test(
        "An undeclared variable is found at its first assignment",
        arguments: [
            ("function run() {\n  total = 1;\n  total++;\n}", "2:3"), ("function run() { for (i in {}) ; }", "1:23"),
            ("function run() { return [1].map(function (x) { y = x; }); }", "1:48"),
        ])
    func implicit(source: String, place: String) async throws {
        #expect(try await Checked(source).places == ["\(place) implicit-global"])
    }

    @Test(
        "A declaration, or an assignment outside of functions, is not reported",
        arguments: [
            "function run() { var x; x = 1; }", "config = { a: 1 }; function run() { config = 2; }",
            "function run(x) { x = 1; }", "var x; function run() { x = 1; }", "function run() { this.x = 1; }",
        ])
    func declared(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }
}
