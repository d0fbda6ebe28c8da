import AdapterSyntax
import JavaScriptEngine
import Testing

@Suite("Accepted syntax")
struct AcceptanceTests {
    @Test("Syntax that the engine reads is accepted", arguments: Scripts.good)
    func good(source: String) async throws {
        try #require(try await Engine().problem(in: source) == nil)
        #expect(throws: Never.self) { try SyntaxTree(source, file: "A.js") }
    }

    @Test("Syntax that only Rhino reads is accepted", arguments: Scripts.rhino)
    func rhino(source: String) async throws {
        try #require(try await Engine().problem(in: source) != nil)
        #expect(throws: Never.self) { try SyntaxTree(source, file: "A.js") }
    }

    @Test("Invalid syntax is refused, in the line that the engine names", arguments: Scripts.bad)
    func bad(source: String) async throws {
        let theirs = try #require(try await Engine().problem(in: source))
        let ours = try #require(throws: SourceSyntaxError.self) { try SyntaxTree(source, file: "A.js") }
        #expect(ours.position.line == theirs.location.line, "engine: \(theirs), here: \(ours)")
    }

    @Test(
        "A problem says what was found and expected",
        arguments: [
            ("function f() { return 1 +; }", "A.js:1:26: \";\" is not expected here: expected a value"),
            (
                "var a = 1;\n\n  var b = foo bar;",
                "A.js:3:15: \"bar\" is not expected here: expected ; or a new line after the statement"
            ),
            ("if (1) {\n", "A.js:2:1: the script ends too soon: expected } to end what began before"),
            ("var s = 'abc", "A.js:1:9: the string that begins here has no end on its line: expected '"),
            ("x = 'é😀' §", "A.js:1:11: the character \"§\" (U+00A7) is not expected here"),
            (
                "var a = 08n",
                "A.js:1:9: a number must not be followed by a letter or digit: expected an operator or a blank"
            ),
            ("a = <b><c></b>", "A.js:1:11: </b> does not close <c>: expected </c>"),
            ("a = <b>", "A.js:1:5: the XML that begins here has no end: expected </b>"),
            (
                "var x = { a: 1, b = 2 };",
                "A.js:1:19: \"=\" is not expected in an object: expected : between the property and its value"
            ),
            ("1 = 2", "A.js:1:1: nothing can be assigned here: expected a variable or a property to the left"),
            ("break", "A.js:1:1: break is outside of a loop or switch"),
            ("return 1", "A.js:1:1: return is outside of a function"),
            ("f(a b)", "A.js:1:5: \"b\" is not expected here: expected , or ) in the arguments"),
            (
                "import x from 'x'",
                "A.js:1:1: modules are not available: an adapter is one script; expected a statement without import and export"
            ),
        ])
    func message(source: String, expected: String) throws {
        let problem = try #require(throws: SourceSyntaxError.self) { try SyntaxTree(source, file: "A.js") }
        #expect(problem.description == expected)
    }
}
