import AdapterSyntax
import Testing

@Suite("A statement that is read line by line")
struct IncompleteStatementTests {
    private func end(_ code: String) -> IncompleteStatement.End {
        var statement = IncompleteStatement()
        for line in code.split(separator: "\n", omittingEmptySubsequences: false) { statement.append(String(line)) }
        return statement.end
    }

    @Test(
        "Open brackets, strings and operators continue the statement",
        arguments: [
            "function f() {", "f(1,\n[2", "a = {\n b: '}'", "`one\n two", "`a ${b", "`a ${ {c: 1} } b",
            "/* on\n and on", "1 +\n2 *",
            "a\n.", "a = /[({]\\/(/.test(b) ||", "if (a) /}/.test(f(", "x = `}` + (", "a.return(", "a?.b?.",
            "(a) / 2 + (b / 3",
            "x++ / (2", "f(/* ) */", "f( // )", "a.(@id == '1'", "a =", "a /=", "a = b =>", "a ? b\n: c ? d,",
        ])
    func missing(code: String) {
        #expect(end(code) == .missing)
    }

    @Test(
        "A statement may end where nothing is open",
        arguments: [
            "", "1", "function f() {\n}", "f(1,\n[2])", "`a\n${b\n}c`", "/* \n */ a", "a.return", "x.*", "x..*",
            "a = /[(]/",
            "if (a)", "if (a) /}/.test(b)", "a = b / 2", "(a) / (2)", "a.(@id == '1')", "i++", "a = '\\\\'",
            "`\\`${1}`", "a.b /2/ 1",
            "return", "var", "a:", "'('", "// (", "{ a: 1 }",
        ])
    func possible(code: String) {
        #expect(end(code) == .possible)
    }

    @Test(
        "Ambiguous or wrong signs leave the end unknown",
        arguments: ["x = <a>", "}", "(]", "{} /a(/", "'a", "x = '\\", "{}\n<a/>", "§"])
    func unknown(code: String) {
        #expect(end(code) == .unknown)
        #expect(end(code + "\n)") == .unknown)
    }

    @Test("A whole script is never reported as incomplete", arguments: Scripts.good + Scripts.rhino)
    func whole(script: String) {
        var statement = IncompleteStatement()
        var code = ""
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            statement.append(String(line))
            code += line + "\n"
            guard statement.end == .missing else { continue }
            #expect(throws: SourceSyntaxError.self, "\(code)") { try SyntaxTree(code, file: "A.js") }
        }
        #expect(statement.end != .missing)
    }
}
