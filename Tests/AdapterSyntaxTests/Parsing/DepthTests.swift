import AdapterSyntax
import TestSupport
import Testing

@Suite("Depth and length")
struct DepthTests {
    @Test(
        "Ten thousand levels of nesting are refused",
        arguments: [
            ("(", ")"), ("[", "]"), ("{", "}"), ("({ a: ", "})"), ("f(", ")"), ("!", ""), ("- ", ""), ("typeof ", "a"),
            ("new ", ""), ("a => ", "b"),
            ("if (a) ", ";"), ("while (a) ", ";"), ("function f() {", "}"), ("`${", "}`"), ("a = ", "b"),
            ("a ** ", "b"), ("a[", "]"),
            ("<a>", "</a>"), ("<a>{", "}</a>"), ("var [", "] = a"), ("([", "]) => a"), ("class A { m() {", "}}"),
            ("let (a) {", "}"), ("let (a = ", ") a"), ("let (a = function () { ", "}) {}"), ("x.(", ")"),
            ("f = function (x) ", "x"), ("async x => ", "y"), ("(a, ", ")"), ("case ", ":"), ("for (;;) ", ";"),
            ("try {", "} catch (e) {}"), ("a ? (", ") : b"),
            ("do ", ";"), ("with (a) ", ";"), ("++", "a"), ("{ a: ", "}"), ("for each (x in ", ")"),
            ("[a for (a in ", ")]"), ("yield ", ""), ("f(...", ")"),
        ])
    func tooDeep(open: String, close: String) throws {
        let source = String(repeating: open, count: 10_000) + String(repeating: close, count: 10_000)
        // Nothing is returned: a tree of this size would be printed in full.
        #expect(throws: SourceSyntaxError.self) { _ = try SyntaxTree(source, file: "A.js") }
        #expect(throws: SourceSyntaxError.self) {
            _ = try SyntaxTree(String(repeating: open, count: 10_000), file: "A.js")
        }
    }

    @Test(
        "A hundred levels of nesting are accepted",
        arguments: [
            ("(", ")"), ("[", "]"), ("{", "}"), ("if (a) {", "}"), ("(function () {", "})()"), ("<a>", "</a>"),
            ("let (a = function () {", "}) {}"), ("let (a = function () {", "})"),
        ])
    func deep(open: String, close: String) throws {
        let inner = open == "(" ? "a" : ""
        let source = String(repeating: open, count: 100) + inner + String(repeating: close, count: 100)
        #expect(throws: Never.self) { try SyntaxTree(source, file: "A.js") }
    }

    @Test(
        "Chains may be long",
        arguments: [
            ("x = a", " + a", ""), ("a", ".b", ""), ("a", "()", ""), ("a", "[0]", ""), ("x = a", " && b", ""),
            ("x = 1", ", 2", ""), ("var a", ", b", ""),
            ("if (a) b", "; else if (a) b", ";"), ("x = a ? b ", ": a ? b ", ": c"), ("f(a", ", a", ")"),
            ("[a", ", a", "]"), ("switch (a) {", " case 1: b;", "}"),
            ("", "a;\n", ""), ("x = <a>", "<b/>", "</a>"), ("x = <a>", "{b}", "</a>"), ("x = <a/>", ".b", ""),
            ("x = <a/>", ".@b", ""), ("x = <a/>", "..b", ""),
            ("x = `", "${a}", "`"), ("try {} catch (e if a) {}", " catch (e if a) {}", ""),
            ("for each (a in b) c", " + c", ""),
        ])
    func chains(head: String, part: String, tail: String) throws {
        let source = head + String(repeating: part, count: TestExtent.size(1_000, full: 5_000)) + tail
        let tree = try SyntaxTree(source, file: "A.js")
        _ = ScriptFacts(tree)
        _ = try? Translation(of: tree)
        _ = Fix.all(in: tree)
        let instrumented = InstrumentedScript(tree)
        #expect(instrumented.source.utf8.count >= source.utf8.count)
    }
}
