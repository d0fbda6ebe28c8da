import JavaScriptEngine
import TestSupport
import Testing

@testable import AdapterSyntax

@Suite("A script as the body of a function", .defaultTimeLimit)
struct ScopeFunctionTests {
    /// The names that a realm's global object has.
    private static let globals = """
        (function () {
            var names = [];
            for (var at = globalThis; at; at = Object.getPrototypeOf(at)) names.push.apply(names, Object.getOwnPropertyNames(at));
            return names;
        })()
        """

    private static func globals(in context: ScriptContext) throws -> Set<String> {
        Set(try context.evaluate(globals, file: "globals.js").elements().compactMap(\.string))
    }

    private static func onMachine<Result: Sendable>(
        _ body: @escaping @Sendable (ContextTable) throws -> Result
    ) async throws -> Result {
        try await VirtualMachine.start(name: "test").run { try body($0.contexts) }
    }

    /// A scope of a script in a realm.
    private struct Scope {
        let get: ScriptValue
        let set: ScriptValue
        let whole: ScriptValue

        init(_ function: ScopeFunction, in context: ScriptContext, arguments: [String: ScriptValue] = [:]) throws {
            let make = try context.evaluate(function.source, file: "A-impl.js")
            let library = try context.evaluate(ScopeFunction.library, file: "lamplighter:scope")
            let values = try function.parameters.map { try arguments[$0] ?? context.global.get($0) }
            var parts: [ScriptValue] = []
            let begin = try context.makeFunction("begin") { call in
                parts = [call[0], call[1], call[2]]
                return call.context.undefined
            }
            _ = try make.call([context.global, library, begin] + values)
            (get, set, whole) = (parts[0], parts[1], parts[2])
        }

        func call(_ name: String, in context: ScriptContext) throws -> String? {
            try context.call(try get.call([context.make(name)]), jsonArguments: "[]")
        }
    }

    private static func function(_ script: String, in context: ScriptContext) throws -> ScopeFunction {
        ScopeFunction(try SyntaxTree(script, file: "A-impl.js"), globals: try globals(in: context))
    }

    /// The results and exceptions of functions: first with the script at the top level of a global scope, and then as a scope of a locked
    /// realm.
    private static func results(_ script: String, _ calls: [String]) async throws -> (global: [String], scope: [String])
    {
        try await onMachine { contexts in
            func text(_ map: SourceMap?, _ body: () throws -> String?) -> String {
                do {
                    return try body() ?? "undefined"
                } catch let error as ScriptError {
                    let place = SourcePosition(line: error.location?.line ?? 0, column: error.location?.column ?? 0)
                    return "\(error.name ?? ""): \(error.message) at \(map?.original(place) ?? place)"
                } catch {
                    return "\(error)"
                }
            }
            let plain = try contexts.make(name: "plain")
            try plain.evaluate(script, file: "A-impl.js")
            let expected = calls.map { name in text(nil) { try plain.call(name, jsonArguments: "[]") } }
            let realm = try contexts.make(name: "realm")
            let function = try function(script, in: realm)
            #expect(function.obstacle == nil)
            try realm.lock()
            let scope = try Scope(function, in: realm)
            return (expected, calls.map { name in text(function.map) { try scope.call(name, in: realm) } })
        }
    }

    private static let scripts: [(script: String, calls: [String])] = [
        ("var count = 0; function next() { return ++count }", ["next", "next"]),
        ("var a = 1, b; function read() { b = a + 1; return [a, b, typeof c] }", ["read"]),
        ("function set() { implicit = 5; return implicit } function read() { return implicit }", ["set", "read"]),
        ("for (i = 0; i < 3; i++) {} function read() { return i }", ["read"]),
        ("[x, y] = [1, 2]; ({ a: z } = { a: 3 }); function read() { return [x, y, z] }", ["read"]),
        ("for (key in { a: 1, b: 2 }) {} function read() { return key }", ["read"]),
        (
            "let a = 1; const b = 2; class C { get() { return a + b } } function read() { return new C().get() }",
            ["read"]
        ),
        ("const fixed = 1; function change() { fixed = 2 } function read() { return fixed }", ["change", "read"]),
        ("var JSON = JSON || { mine: true }; function read() { return [typeof JSON.stringify, JSON.mine] }", ["read"]),
        ("var Date; function read() { return typeof Date }", ["read"]),
        ("escape = function () { return 'mine' }; function read() { return escape('a b') }", ["read"]),
        ("function parseInt() { return 'mine' } function read() { return parseInt('1') }", ["read"]),
        ("var undefined; function read() { return undefined === void 0 }", ["read"]),
        (
            "this.named = function () { return this.value }; this.value = 3; function read() { return named() }",
            ["read", "named"]
        ),
        ("function read() { return this.hidden + hidden } this.hidden = 4", ["read"]),
        (
            "var x = 1; function read() { return [this.x, this.JSON === JSON, typeof this.nothing] }",
            ["read"]
        ),
        ("function write() { this.added = 6; return added }", ["write"]),
        ("var a = 1\nthis.b = 2\nfunction read() { return [a, b] }", ["read"]),
        ("var self = this, a = 1; function read() { return self === this && self.a }", ["read"]),
        ("var a = 1; function read() { return globalThis.a + (globalThis === this) }", ["read"]),
        (
            "function Point(x) { this.x = x } Point.prototype.get = function () { return this.x }; function read() { return new Point(5).get() }",
            ["read"]
        ),
        (
            "var o = { v: 1, get: function () { return this.v }, other: function () { return (() => this.v)() } }; function read() { return o.get() + o.other() }",
            ["read"]
        ),
        ("var loose = (function () { return this })(); function read() { return loose === this }", ["read"]),
        (
            "function A() { this.x = 1 } A.make = function () { return new this() }; function read() { return [A.make().x, new this.A().x, new globalThis.A().x, new this['A'].prototype.constructor().x] }",
            ["read"]
        ),
        ("function read() { 'use strict'; try { late = 1 } catch (e) { return e.name } }", ["read"]),
        ("function read() { 'use strict'; late = 2; return late } function first() { late = 1 }", ["first", "read"]),
        (
            "'use strict'; function read() { return this === undefined } var o = { f() { return this === o } }; function other() { return o.f() }",
            ["read", "other"]
        ),
        ("function read() { 'use strict'; return typeof this }", ["read"]),
        ("var v = 1; function read() { return [1, 2].map(function (x) { return this.v + x }) }", ["read"]),
        (
            "function read() { return typeof arguments[0] } var top = typeof arguments; function outer() { return top }",
            ["read", "outer"]
        ),
        ("function fail() { return missing }", ["fail"]),
        ("function fail() { null.x }", ["fail"]),
        ("var a = 1; function fail() {\n  throw new Error('mine') }", ["fail"]),
        ("if (true) { function inner() { return 'inner' } } function read() { return inner() }", ["read"]),
        ("var f = function named() { return typeof named }; function read() { return f() }", ["read"]),
        ("function read() { return this.toString.call([]) + toString.call(1) }", ["read"]),
        ("var names = []; for (var k in { a: 1 }) names[names.length] = k; function read() { return names }", ["read"]),
        ("function read() { return 1 } // without an end of line", ["read"]),
        ("<!-- as in a page\nfunction read() { return 1 }\n--> the end", ["read"]),
        ("var é = 1; function read() { return é }", ["read"]),
        ("var \\u0061b = 1; function read() { return ab }", ["read"]),
        (
            "var hasOwnProperty = function () { return 'mine' }; function read() { return hasOwnProperty() + ({}).hasOwnProperty('a') }",
            ["read"]
        ),
        ("with ({ a: 1 }) { var b = a } function read() { return b }", ["read"]),
        ("function* values() { yield 1; yield 2 } function read() { return Array.from(values()) }", ["read"]),
        (
            "try { throw 1 } catch (caught) { var kept = caught } function read() { return [kept, typeof caught] }",
            ["read"]
        ),
        ("var a = 1, a = 2; function a2() {} function a2() { return a }", ["a2"]),
        (
            "var setter; Object.defineProperty({}, 'x', { set: function (v) { setter = this } }).x = 1; function read() { return typeof setter }",
            ["read"]
        ),
    ]

    @Test("Calls return and throw what they do at the top level", arguments: scripts.map(\.script))
    func same(script: String) async throws {
        let calls = try #require(Self.scripts.first { $0.script == script }).calls
        let (expected, results) = try await Self.results(script, calls)
        #expect(results == expected)
    }

    @Test("Two scopes of one function share no variable")
    func twoScopes() async throws {
        let script =
            "var user, list = []; function login() { user = 'secret'; list.push(user); this.added = 1; late = 2 }"
            + "function read() { return [user, list, this.added, typeof late === 'undefined' ? null : late] }"
        let (first, second) = try await Self.onMachine { contexts -> (String?, String?) in
            let realm = try contexts.make(name: "realm")
            let function = try Self.function(script, in: realm)
            try realm.lock()
            let (one, other) = (try Scope(function, in: realm), try Scope(function, in: realm))
            _ = try one.call("login", in: realm)
            return (try one.call("read", in: realm), try other.call("read", in: realm))
        }
        #expect(first == #"["secret",["secret"],1,2]"#)
        #expect(second == "[null,[],null,null]")
    }

    @Test("Variables are read and assigned by name, and so are members that a script adds to its object")
    func byName() async throws {
        let script =
            "var a = 1; let b = 2; const c = 3; function d() {} function add(n) { this[n || 'e'] = 5 } this.f = 6"
        let values = try await Self.onMachine { contexts -> [String] in
            let realm = try contexts.make(name: "realm")
            let function = try Self.function(script, in: realm)
            #expect(function.variables == ["a", "b", "c", "d", "add", "f"])
            try realm.lock()
            let scope = try Scope(function, in: realm)
            _ = try scope.call("add", in: realm)
            _ = try scope.set.call([realm.make("a"), realm.make(10.0)])
            _ = try scope.set.call([realm.make("b"), realm.make(20.0)])
            _ = try scope.set.call([realm.make("g"), realm.make(70.0)])
            let names = try ["a", "b", "c", "d", "e", "f", "g", "toString", "JSON"].map { name in
                "\(name) \(try scope.get.call([realm.make(name)]).text())"
            }
            let keys = try realm.evaluate("Object.keys", file: "keys.js").call([try scope.whole.call()]).elements()
            return names + [keys.compactMap(\.string).joined(separator: ",")]
        }
        #expect(
            values == [
                "a 10", "b 20", "c 3", "d function d() {}", "e 5", "f 6", "g 70", "toString undefined",
                "JSON undefined",
                "a,b,c,d,add,f,e,g",
            ])
    }

    @Test("A scope receives the values of names that each scope has its own of")
    func arguments() async throws {
        let result = try await Self.onMachine { contexts -> String? in
            let realm = try contexts.make(name: "realm")
            let tree = try SyntaxTree("var own = mark + 1; function read() { return own + mark }", file: "A-impl.js")
            let function = ScopeFunction(tree, globals: try Self.globals(in: realm), arguments: ["mark", "unused"])
            #expect(function.parameters == ["mark"])
            try realm.lock()
            return try Scope(function, in: realm, arguments: ["mark": realm.make(5.0)]).call("read", in: realm)
        }
        #expect(result == "11")
    }

    @Test(
        "A script without `this` at its beginning keeps its positions on all lines but the first, whose columns the map has"
    )
    func positions() async throws {
        let script = "var a = 1; function first() { null.x }\nfunction second() {\n    null.y\n}"
        let places = try await Self.onMachine { contexts -> [String] in
            let realm = try contexts.make(name: "realm")
            let function = try Self.function(script, in: realm)
            try realm.lock()
            let scope = try Scope(function, in: realm)
            return try ["first", "second"].map { name in
                do {
                    return try scope.call(name, in: realm) ?? ""
                } catch let error as ScriptError {
                    let place = try #require(error.location)
                    let original = function.map.original(
                        SourcePosition(line: place.line, column: try #require(place.column)))
                    return "\(original.line):\(original.column)"
                }
            }
        }
        let plain = try await Self.onMachine { contexts -> [String] in
            let context = try contexts.make(name: "plain")
            try context.evaluate(script, file: "A-impl.js")
            return ["first", "second"].map { name in
                do {
                    return try context.call(name, jsonArguments: "[]") ?? ""
                } catch {
                    let place = (error as? ScriptError)?.location
                    return "\(place?.line ?? 0):\(place?.column ?? 0)"
                }
            }
        }
        #expect(places == plain)
    }

    private static let obstacles: [(script: String, place: String, description: String)] = [
        ("String.prototype.trim = function () {}", "1:1", "changes 'String'"),
        ("var a;\n  Math['x'] = 1", "2:3", "changes 'Math'"),
        ("WL.Server.invokeHttp = null", "1:1", "changes 'WL'"),
        ("var JSON = JSON || {}; JSON.stringify = null", "1:24", "changes 'JSON'"),
        ("Object.prototype.x++", "1:1", "changes 'Object'"),
        ("delete Array.prototype.map", "1:1", "changes 'Array'"),
        ("for (Math.x in {}) {}", "1:6", "changes 'Math'"),
        ("[Math.x] = [1]", "1:2", "changes 'Math'"),
        ("Object.defineProperty(String.prototype, 'x', {})", "1:1", "may change 'String'"),
        ("Object.assign(Math, {})", "1:1", "may change 'Math'"),
        ("Reflect.set(Math, 'x', 1)", "1:1", "may change 'Math'"),
        ("extend(Date.prototype, {})", "1:1", "may change 'Date'"),
        ("Date.prototype.__defineGetter__('x', f)", "1:1", "changes 'Date'"),
        ("var list = []; list.map = 1", "1:16", "assigns the member 'map'"),
        ("function L() {} L.prototype = new Array()", "1:17", "makes a class of arrays"),
        ("function L() {} L.prototype = []", "1:17", "makes a class of arrays"),
        ("var x = RegExp.$1", "1:9", "reads the last match"),
        ("var x = RegExp['lastMatch']", "1:9", "reads the last match"),
        ("(function (root) { root.Base64 = {} })(this); Base64.x", "1:47", "'Base64' is declared nowhere"),
        ("this['x' + 1] = 1; function f() { return x1 }", "1:42", "'x1' is declared nowhere"),
        ("eval('1')", "1:1", "uses eval"),
        ("var x = new WeakRef({})", "1:13", "uses WeakRef"),
        ("Error.captureStackTrace({})", "1:1", "uses Error.captureStackTrace"),
        ("import('x')", "1:1", "uses import"),
        ("var x = 1; delete x", "1:12", "deletes a variable"),
        ("var __scopeThis", "1:5", "is the server's"),
        ("function L() {} L.prototype = new RegExp('x')", "1:17", "makes a class of arrays"),
        ("function L() {} L.prototype = Object.create(Array.prototype)", "1:45", "inherits from 'Array.prototype'"),
        ("var M = Object.create(Math); M.round = f; function f() {}", "1:23", "inherits from 'Math'"),
        ("var L = Object.create(WL.Logger)", "1:23", "inherits from 'WL.Logger'"),
        ("this.user = 1; function out() { delete this.user }", "1:33", "deletes a member of the global object"),
        ("var out = function () { delete globalThis['user'] }", "1:25", "deletes a member of the global object"),
        ("if (!('Store' in this)) this.Store = {}", "1:7", "asks whether the global object has"),
        ("if (!this.hasOwnProperty('n')) this.n = 0", "1:6", "asks whether the global object has"),
        ("Object.defineProperty(this, 'v', { value: 1 })", "1:1", "defines members of the global object"),
        ("class A extends Object { #p = 1 }", "1:26", "has private members"),
    ]

    @Test(
        "A script that changes the language or defines names dynamically needs its own realm",
        arguments: obstacles.map(\.script))
    func obstacle(script: String) async throws {
        let expected = try #require(Self.obstacles.first { $0.script == script })
        let tree = try SyntaxTree(script, file: "A-impl.js")
        let globals = try await Self.onMachine { try Self.globals(in: $0.make(name: "test")) }
        let found = try #require(ScopeFunction(tree, globals: globals.union(["WL"])).obstacle)
        #expect("\(found.position.line):\(found.position.column)" == expected.place)
        #expect(found.description.contains(expected.description))
    }

    private static let harmless = [
        "var slice = Array.prototype.slice; function f() { return slice.call(arguments) }",
        "function E() {} E.prototype = Object.create(Error.prototype); E.prototype.constructor = E; E.prototype.toString = f; function f() {}",
        "var o = {}; o.link = 1; o.search = 2; o.values = []; o.keys = 3; o.find = 4; o.at = 5; o.fill = 6",
        "var Math = { mine: 1 }; (function () { var Math = {}; Math.x = 1 })()",
        "function f(String) { String.x = 1 }", "let JSON = {}; JSON.x = 1", "function Date() {} Date.x = 1",
        "function F() { for (var k in this) this[k] = 1 }", "var self = this; self.x = 1",
        "Object.keys(String.prototype); Object.create(Date.prototype); Object.getPrototypeOf(Math)",
        "var r = new RegExp('a'); r.lastIndex = 0; RegExp.prototype.test.call(r, '')",
        "var o = {}; delete o.x; delete o['y']",
        "function Stack() {} Stack.prototype.push = function () {}; Stack.prototype.map = null",
        "var old = typeof window === 'undefined'; function f() { return f.apply(this, arguments) }",
        "function C() { this.items = {} } C.prototype.drop = function (k) { delete this[k]; return 'k' in this }",
        "var o = { drop: function () { delete this.x; return this.hasOwnProperty('y') } }",
        "function C(v) { this.__proto__ = v }", "class A { #p = 1; get() { return this.#p } }",
        "class A extends Object { p = 1 }",
        "var copy = Object.create(Object.prototype), none = Object.create(null)",
    ]

    @Test("A script that only reads the language can share a realm", arguments: harmless)
    func noObstacle(script: String) async throws {
        let tree = try SyntaxTree(script, file: "A-impl.js")
        let globals = try await Self.onMachine { try Self.globals(in: $0.make(name: "test")) }
        #expect(ScopeFunction(tree, globals: globals).obstacle == nil)
    }
}
