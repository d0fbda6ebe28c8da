import AdapterSyntax
import Testing

@Suite("Captured variables")
struct CapturedVariableTests {
    private func captures(_ script: String) throws -> CapturedVariables {
        CapturedVariables(try SyntaxTree(script, file: "A-impl.js"))
    }

    @Test(
        "returns the variables of a function or block that a closure inside uses",
        arguments: [
            (
                "var m = (function () { var n = 0; return function () { n++; }; })();",
                "var m = (function () {__captured&&__captured(()=>[n]); var n = 0; return function () { n++; }; })();"
            ),
            (
                "function f(a) { 'use strict'; return () => a; }",
                "function f(a) { 'use strict';;__captured&&__captured(()=>[a]); return () => a; }"
            ),
            ("var f = a => () => a;", "var f = a => (__captured&&__captured(()=>[a]),() => a);"),
            (
                "{ let n = 0; function g() { return n; } }",
                "{__captured&&__captured(()=>[n,g]); let n = 0; function g() { return n; } }"
            ),
            (
                "for (let i = 0; i < 3; i++) list.push(() => i);",
                "for (let i = 0; i < 3; i++) {__captured&&__captured(()=>[i]);list.push(() => i);}"
            ),
            (
                "try { x(); } catch (e) { keep(function () { return e; }); }",
                "try { x(); } catch (e) {__captured&&__captured(()=>[e]); keep(function () { return e; }); }"
            ),
            (
                "function f() { return () => arguments[0] + this.x; }",
                "function f() {__captured&&__captured(()=>[arguments,this]); return () => arguments[0] + this.x; }"
            ),
            (
                "var c = class C { m() { return C; } };",
                "var c = class C {static{__captured&&__captured(()=>[this]);} m() { return C; } };"
            ),
        ])
    func inserted(script: String, expected: String) throws {
        let captures = try captures(script)
        #expect(captures.source == expected)
        #expect(captures.obstacle == nil)
    }

    @Test(
        "leaves a script unchanged whose closures capture only the top level",
        arguments: [
            "var n = 0; function f(a) { var b = a; return b + n; }",
            "let x = {}; var o = { m: function () { x.y = 1; } };",
        ])
    func unchanged(script: String) throws {
        #expect(try captures(script).isChanged == false)
    }

    @Test("lists what let, const and class declare at the top level")
    func lexicalNames() throws {
        #expect(try captures("let a = 1; const b = 2; class C {} var d; { let e; }").lexicalNames == ["a", "b", "C"])
    }

    @Test(
        "finds where a closure may keep data that no function can read",
        arguments: [
            "class C { #x = 1; m() { return this.#x; } }", "with (o) { f = function () { return n++; }; }",
            "var o = { m() { return super.x; } };", "function f(a = () => a) {}",
            "switch (x) { case 1: function g() {} }", "for (let i = 0, f = () => i; i < 1; i++) {}",
            "class C { f = () => this; }", "if (x) function f() {}", "if (x) ; else function f() {}",
            "{ l: function f() {} }", "switch (x) { case 1: l: function g() {} }",
            "switch (x) { case 1: let n = 0; f = () => n; }",
            "function f() { return () => new.target; }", "var __captured;",
        ])
    func obstacles(script: String) throws {
        #expect(try captures(script).obstacle != nil)
    }
}
