import AdapterSyntax
import Testing

@Suite("Facts of a script")
struct ScriptFactsTests {
    private func facts(_ source: String) throws -> ScriptFacts { ScriptFacts(try SyntaxTree(source, file: "A.js")) }

    private static let adapter = """
        var seen = {}, limit = 10;
        const name = "Source";
        let cache;
        WL.Server.createEventSource({
            name: 'Push' ,
            poll: { interval: 0x10, onPoll: poll },
            securityTest: "Push-test",
            'onDeviceSubscribe': "subscribed",
            onDeviceUnsubscribe: function (user, device) { seen = null; }
        });
        WL.Server.createEventSource({ name: name, poll: { interval: limit * 2, onPoll: "missing" } });
        function poll() {
            cache = WL.Server.invokeHttp({ method: 'get', path: "/a" + limit, headers: [null, true, -1.5] });
            total = 1;
            var self = this, seen = 5;
            seen++;
            return [1].map(function inner(x) { limit += x; return MFP.Server.getActiveUser("r") });
        }
        var helper = (a, { b }, ...c) => unknown(a);
        subscribed = function (u) { return WL.Logger.info(u) };
        """

    @Test("Functions are named, with parameters and what is around them")
    func functions() throws {
        let facts = try facts(Self.adapter)
        #expect(
            facts.functions.map {
                "\($0.name ?? "-")(\($0.parameters.joined(separator: ", "))) \($0.position) \($0.outer.map(String.init) ?? "")"
            } == [
                "onDeviceUnsubscribe(user, device) 9:26 ", "poll() 12:1 ", "inner(x) 17:20 1",
                "helper(a, { b }, ...c) 19:14 ",
                "subscribed(u) 20:14 ",
            ])
        #expect(facts.globalFunctionNames == ["poll", "helper", "subscribed"])
        #expect(facts.globalNames == ["poll", "helper", "subscribed", "seen", "limit", "name", "cache", "total"])
    }

    @Test("Variables of the top level that functions assign are listed, with the positions")
    func mutableGlobals() throws {
        let facts = try facts(Self.adapter)
        #expect(facts.variables.map(\.name) == ["seen", "limit", "name", "cache", "helper"])
        #expect(facts.variables.filter { !$0.assignments.isEmpty }.map(\.name) == ["seen", "limit", "cache"])
        let limit = try #require(facts.variables.first { $0.name == "limit" })
        #expect(limit.assignments.map { "\($0.function ?? "-") \($0.position)" } == ["inner 17:40"])
        let poll = try #require(facts.functions.first { $0.name == "poll" })
        #expect(poll.globalsWritten == ["cache", "limit"])
        #expect(poll.globalsRead == ["limit"])
    }

    @Test("Undeclared names are listed, by function too")
    func freeNames() throws {
        let facts = try facts(Self.adapter)
        #expect(Set(facts.freeNames.keys) == ["WL", "MFP", "unknown", "total", "subscribed"])
        #expect(Set(facts.undeclaredAssignments.keys) == ["total", "subscribed"])
        #expect(facts.functions.first { $0.name == "poll" }?.freeNames == ["WL", "MFP", "total"])
        #expect(facts.functions.first { $0.name == "inner" }?.freeNames == ["MFP"])
    }

    @Test("Calls of WL.Server are listed, with their arguments")
    func serverCalls() throws {
        let facts = try facts(Self.adapter)
        #expect(
            facts.serverCalls.map { "\($0.name) \($0.position) \($0.function ?? -1)" } == [
                "createEventSource 4:1 -1", "createEventSource 11:1 -1", "invokeHttp 13:13 1", "getActiveUser 17:59 2",
            ])
        let http = facts.serverCalls[2].arguments[0]
        #expect(http["method"] == .string("get"))
        #expect(http["headers"] == .array([.null, .bool(true), .number(-1.5)]))
        guard case .other? = http["path"] else {
            Issue.record("a sum is no literal")
            return
        }
    }

    @Test("Event sources are listed, with their callbacks")
    func eventSources() throws {
        let sources = try facts(Self.adapter).eventSources
        #expect(sources.map(\.name) == ["Push", "Source"])
        #expect(sources.map(\.pollInterval) == [16, nil])
        #expect(
            sources[0].callbacks.map { "\($0.role) \($0.function ?? "-")" }.sorted() == [
                "onDeviceSubscribe subscribed", "onDeviceUnsubscribe -", "onPoll poll",
            ])
        #expect(sources[1].callbacks.map(\.function) == ["missing"])
    }

    @Test(
        "Names are found where they are, and nowhere else",
        arguments: [
            ("a.b.c[d]", ["a", "d"]), ("({ a: b, [c]: d, e })", ["b", "c", "d", "e"]), ("l: for (;;) break l", []),
            ("var { a: b, c = d } = e", ["d", "e"]),
            ("try {} catch (e) { e; f }", ["f"]), ("(function g(a) { g; a; arguments })", ["arguments"]),
            ("{ let a; a } a", ["a"]), ("{ function f() {} } f", []),
            ("for (let i of a) i; i", ["a", "i"]), ("class A extends B { m() { A } }", ["B"]),
            ("[x for (x in y)]", ["y"]), ("(x for (x in y) if (z))", ["y", "z"]),
            ("let (a = b) { a }", ["b"]), ("x.@y; x.z::w", ["x", "z"]), ("`${a}`", ["a"]),
            ("({ a: b = c } = d)", ["b", "c", "d"]), ("f(a => a + b)", ["b", "f"]),
            ("<a b={c}>{d}</a>", ["c", "d"]), ("a?.b", ["a"]), ("new A().B", ["A"]),
            ("({ get a() { return b } })", ["b"]), ("var \\u0061 = 1; a", []),
        ])
    func names(source: String, expected: [String]) throws {
        #expect(try facts(source).freeNames.keys.sorted() == expected)
    }

    @Test(
        "Variables that a function changes in place are listed",
        arguments: [
            ("list.push(1)", ["list"]), ("list[0] = 1", ["list"]), ("list.a.b++", ["list"]),
            ("delete list.a", ["list"]),
            ("(list).sort()", ["list"]), ("list.map(list)", []), ("list = 1", []), ("var list; list.push(1)", []),
            ("loose.x = 1", ["loose"]), ("[1].forEach(function () { list.pop(); })", ["list"]),
        ])
    func changes(statement: String, names: [String]) throws {
        let facts = try facts("var list = []; function f() { \(statement); }")
        #expect(facts.functions.first?.globalsChanged == Set(names))
    }

    @Test("Names that typeof tests are listed")
    func guarded() throws {
        let facts = try facts("var a = b; { f(a); } function f() { return c + typeof d; } let e = typeof (g);")
        #expect(facts.guardedNames == ["d", "g"])
    }

    @Test(
        "An argument in a variable used for nothing else is followed",
        arguments: [
            ("var o = { a: 1 }; WL.Server.f(o)", true), ("const o = { a: 1 }; return WL.Server.f((o))", true),
            ("var o = { a: 1 }; o.b = 2; WL.Server.f(o)", false), ("var o = { a: 1 }; o.a = 2; WL.Server.f(o)", false),
            ("var o = { b: 1 }; WL.Server.f(o); o.a = 1", false), ("var o = { a: 1 }; o.b(); WL.Server.f(o)", false),
            ("var n = 1, o = { a: n }; WL.Server.f(o)", true), ("var n = 1, o = { a: n }; n++; WL.Server.f(o)", false),
            ("var o = { a: 1 }, p = { o: o }; o.c = 1; WL.Server.f({ ...p })", false),
            ("var o = { a: 1 }; g(o); WL.Server.f(o)", false),
            ("var o = { a: 1 }; var o = { b: 1 }; WL.Server.f(o)", false), ("var o; WL.Server.f(o)", false),
            ("o = { a: 1 }; WL.Server.f(o)", false), ("for (var o in { a: 1 }) WL.Server.f(o)", false),
        ])
    func variables(body: String, isFollowed: Bool) throws {
        let call = try #require(try facts("function run() { \(body); }").serverCalls.first)
        #expect((call.arguments.first?["a"] == .number(1)) == isFollowed)
    }

    @Test("resolves sums of strings, and variables that hold a string and do not change")
    func texts() throws {
        let source = "var a = 'x' + ('y') + \"z\", b = 'q'; WL.Server.f(a, a, b, 'n' + 1); function g() { b = 'r'; }"
        #expect(
            try facts(source).serverCalls.first?.arguments.prefix(3) == [.string("xyz"), .string("xyz"), .name("b")])
    }

    @Test("an object is complete unless a key is computed or a member is spread")
    func whole() throws {
        let call = try #require(try facts("WL.Server.f({ a: 1 }, { [b]: 1 }, { ...c }, {}, 5)").serverCalls.first)
        #expect(call.arguments.map(\.isWholeObject) == [true, false, false, true, false])
    }
}
