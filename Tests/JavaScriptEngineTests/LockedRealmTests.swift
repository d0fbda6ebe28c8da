import TestSupport
import Testing

@testable import JavaScriptEngine

/// The proof that scripts in a locked realm share nothing that one of them can change.
@Suite("A locked realm", .defaultTimeLimit)
struct LockedRealmTests {
    /// The faults that a function of ``RealmProof`` finds.
    private static func faults(_ call: String, locked: Bool = true) async throws -> [String] {
        let bench = try await Bench()
        return try await bench.run { context in
            if locked { try context.lock() }
            let found = try context.evaluate("\(RealmProof.source()).\(call)", file: "proof.js")
            return try found.elements().map { $0.string ?? "" }
        }
    }

    /// Evaluates the body of a function, as scripts in a realm are evaluated.
    private static func evaluate(_ body: String, locked: Bool = true) async throws -> ScriptData {
        let bench = try await Bench()
        return try await bench.run { context in
            if locked { try context.lock() }
            return try context.evaluate("(() => {\(body)\n})()", file: "Test-impl.js").data()
        }
    }

    // MARK: The proof

    @Test("No object is extensible, and no member can be written or configured")
    func openings() async throws {
        #expect(try await Self.faults("openings()") == [])
    }

    @Test("The proof reports the openings of a realm that is not locked")
    func openingsOfUnlocked() async throws {
        let found = try await Self.faults("openings()", locked: false)
        #expect(found.contains("globalThis is extensible"))
        #expect(found.contains { $0.hasSuffix(".hasOwnProperty is writable") })
        #expect(found.contains { $0.hasSuffix("next is configurable") })
        #expect(try await Self.faults("slots()", locked: false).contains { $0.hasSuffix("has the last match") })
    }

    @Test("No object has a state other than its members")
    func slots() async throws {
        #expect(try await Self.faults("slots()") == [])
    }

    @Test("Assigning, defining and deleting members, and setting prototypes, changes nothing")
    func attempts() async throws {
        #expect(try await Self.faults("attempts()") == [])
    }

    @Test("Functions that are called with the realm's objects change nothing", arguments: 0..<4)
    func calls(part: Int) async throws {
        #expect(try await Self.faults("calls(\(part), 4)") == [])
    }

    @Test("Two calls of a function do not lead to an object that can be changed")
    func results() async throws {
        let found = try await Self.faults("results()")
        #expect(found.isEmpty, "\(found)")
    }

    @Test("A closure reads nothing of another closure's last match")
    func lastMatch() async throws {
        let result = try await Self.evaluate(
            """
            function first() { "user=secret".match(/user=(.*)/); /s(e)c/.exec("secret"); "a secret".replace(/(s.*)/, "x"); }
            function second() {
                return ["$1", "$_", "input", "lastMatch", "$&", "lastParen", "leftContext", "rightContext", "multiline"].map(function (name) {
                    return [RegExp[name], /a/.constructor[name], new RegExp("a").constructor[name]];
                }).concat([Object.getOwnPropertyNames(RegExp).indexOf("$1")]);
            }
            first();
            RegExp.input = "secret";
            return JSON.stringify(second());
            """)
        let nothing = Array(repeating: "[null,null,null]", count: 9).joined(separator: ",")
        #expect(result == .string("[\(nothing),-1]"))
    }

    @Test("A class that inherits from Error cannot limit the stacks of other closures' errors")
    func stackLimit() async throws {
        let depth = "function deep(n) { return n ? deep(n - 1) : new Error('x').stack.split('\\n').length }"
        let result = try await Self.evaluate(
            """
            \(depth)
            var before = deep(20);
            class Mine extends Error {}
            Mine.stackTraceLimit = 1;
            Reflect.set(TypeError, "stackTraceLimit", 1, {});
            try { TypeError.stackTraceLimit = 1; } catch (error) {}
            try { Error.stackTraceLimit = 1; } catch (error) {}
            return [deep(20) === before, Mine.stackTraceLimit, new Mine("a") instanceof Error, Error.name].join();
            """)
        #expect(result == .string("true,1,true,Error"))
    }

    @Test("Names of the language that are asynchronous or shared between threads do not exist")
    func removed() async throws {
        let names = [
            "console", "Promise", "Atomics", "WebAssembly", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer",
            "ShadowRealm",
            "Error.captureStackTrace", "Array.fromAsync",
        ]
        let result = try await Self.evaluate("return [\(names.map { "typeof \($0)" }.joined(separator: ", "))].join()")
        #expect(result == .string(names.map { _ in "undefined" }.joined(separator: ",")))
    }

    @Test("Math.random of two machines differs, and is between 0 and 1")
    func random() async throws {
        let draw = "return Math.random()"
        let (one, other) = (try await Self.evaluate(draw), try await Self.evaluate(draw))
        #expect(one != other)
        let isInRange = try await Self.evaluate(
            "for (var i = 0; i < 1000; i++) { var x = Math.random(); if (!(x >= 0 && x < 1)) return false } return true"
        )
        #expect(isInRange == .bool(true))
    }

    @Test("The check of the installed engine finds nothing here")
    func engineCheck() async throws {
        let check = try await EngineCheck.run()
        #expect(check.failures == [] && check.warnings == [])
        #expect(check.version.hasPrefix(EngineCheck.lastKnownVersion + "."))
    }

    @Test("The check of the engine finds a scope that is not locked")
    func engineCheckOfUnlocked() async throws {
        let faults = try await Bench().run { try EngineCheck.faults(of: $0) }
        #expect(faults.count == 2)
        #expect(
            faults[0].wholeMatch(
                of: /scripts can change what all sessions share \(\d{4,}, such as: globalThis is extensible\)/) != nil,
            "\(faults)")
        #expect(faults[1].hasPrefix("all sessions share a state ("), "\(faults)")
    }

    // MARK: Scripts behave as in a realm that is not locked

    private static let overriding = [
        "var o = {}; o.toString = function () { return 'mine' }; return String(o) + Object.keys(o)",
        "var o = { valueOf: 1 }; o.valueOf = function () { return 7 }; return +o",
        "var o = Object.create({}); o.hasOwnProperty = 1; o.constructor = 2; var s = ''; for (var k in o) s += k; return s + o.constructor",
        "function E(m) { this.message = m } E.prototype = new Error(); E.prototype.name = 'E'; E.prototype.constructor = E;"
            + "var e = new E('m'); return [String(e), e instanceof Error, e.constructor === E, Object.keys(e).join()].join()",
        "function A() {} A.prototype = Object.create(Error.prototype); A.prototype.toString = function () { return 'A' }; return '' + new A()",
        "function F() {} F.toString = function () { return 'F' }; F.call = 1; F.apply = 2; return '' + F + F.call + F.apply",
        "var d = new Date(0); d.getTime = function () { return 5 }; return d.getTime() + ' ' + d.getFullYear()",
        "var n = new Number(5); n.toFixed = function () { return 'mine' }; return n.toFixed()",
        "var n = 5; n.toFixed = 1; return n.toFixed(1)",
        "class M extends Map { get() { return 'mine' } } return new M([[1, 2]]).get(1)",
        "var e = new TypeError('a'); e.name = 'Mine'; e.message = 'b'; return String(e)",
        "var o = JSON.parse('{\"toString\":1,\"constructor\":2}'); return JSON.stringify(Object.assign({}, o)) + o.constructor",
        "var o = {}; Object.defineProperty(o, 'toString', { value: function () { return 'x' } }); return '' + o",
        "'use strict'; var o = {}; o.toLocaleString = 4; return o.toLocaleString",
        "var o = {}; o.toString = 1; delete o.toString; return o.toString()",
        "return [].toString.call([1]) + {}.propertyIsEnumerable.call({ a: 1 }, 'a') + (function () {}).call.name",
        "var b = Object.prototype.hasOwnProperty, s = ''; for (var k in { a: 1 }) if (b.call({ a: 1 }, k)) s += k; return s",
    ]

    private static let expressions = [
        "return RegExp('a') instanceof RegExp && /a/ instanceof RegExp && /a/.constructor === RegExp",
        "return [RegExp.name, RegExp.length, RegExp.prototype.constructor === RegExp].join()",
        "var r = /a/g; return [RegExp(r) === r, new RegExp(r) === r, RegExp(r, 'i') === r, RegExp(r, 'i').flags].join()",
        "return [new RegExp('a', 'g').flags, new RegExp(/b/g).source, new RegExp(/b/g, 'i').flags, String(RegExp()), String(new RegExp('/'))].join()",
        "class X extends RegExp {} var x = new X('a'); return [x instanceof X, x.test('a'), x.constructor === X].join()",
        "return ['a-b'.split(/-/), 'aXbX'.replace(/x/ig, '_'), 'a1b2'.match(/\\d/g), 'ab'.search(new RegExp('b'))].join()",
        "return Object.prototype.toString.call(new RegExp('a')) + Object.prototype.toString.call(RegExp)",
        "return Array.from('aa'.matchAll(new RegExp('a', 'g'))).length",
        "try { new RegExp('(') } catch (e) { return String(e) }",
        "try { RegExp('a', 'zz') } catch (e) { return String(e) }",
        "return RegExp({ [Symbol.match]: true, constructor: RegExp, source: 'x', flags: 'g' }).source",
        "var r = new RegExp('a', 'g'); r.lastIndex = 1; return r.exec('aab').index + ' ' + r.lastIndex",
        "return RegExp[Symbol.species] === RegExp",
    ]

    @Test("Members that objects inherit can be replaced on the object", arguments: overriding + expressions)
    func sameAsUnlocked(body: String) async throws {
        let expected = try await Self.evaluate(body, locked: false)
        #expect(expected != .undefined)
        #expect(try await Self.evaluate(body) == expected)
    }

    @Test("Assigning a member of a prototype of the language is an error that says why")
    func prototypes() async throws {
        let result = try await Self.evaluate(
            "try { Object.prototype.toString = function () { return 'theirs' } } catch (error) { return String(error) + ({}) }"
        )
        #expect(
            result
                == .string(
                    "TypeError: 'toString' is the language's own and cannot be changed, since all sessions use it[object Object]"
                ))
    }

    @Test("Native code makes and copies values")
    func data() async throws {
        let data: ScriptData = ["a": 1, "list": [["b": 2]], "toString": "text", "constructor": 5, "get": nil]
        let bench = try await Bench()
        let (copy, json) = try await bench.run { context in
            try context.lock()
            let value = try context.make(data)
            return (try value.data(), try value.json())
        }
        #expect(copy == data)
        #expect(json == #"{"a":1,"list":[{"b":2}],"toString":"text","constructor":5,"get":null}"#)
    }

    @Test("A script that runs too long ends, and the realm works afterwards")
    func limits() async throws {
        let bench = try await Bench()
        try await bench.run { try $0.lock() }
        _ = try await bench.limitEnding(
            "(() => { while (true) { try { for (;;) {} } finally { continue } } })()",
            limits: ExecutionLimits(cpuTime: .milliseconds(100)))
        #expect(try await bench.evaluate("(() => 'works')()") == .string("works"))
    }
}
