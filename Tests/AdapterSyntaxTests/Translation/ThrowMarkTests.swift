import AdapterSyntax
import JavaScriptEngine
import Testing

@Suite("Instrumented throws")
struct ThrowMarkTests {
    private func marked(_ source: String) throws -> String {
        try Translation(of: SyntaxTree(source, file: "A.js"), marksThrows: true).source
    }

    @Test(
        "A thrown value that may not be an Error is instrumented",
        arguments: [
            ("throw 'a'", "throw __thrown('a')"), ("throw a, b", "throw __thrown((a, b))"),
            ("try {} catch (e) { throw e }", "try {} catch (e) { throw __thrown(e, true) }"),
            ("throw new Own()", "throw __thrown(new Own())"), ("throw {\n  a: 1 };", "throw __thrown({\n  a: 1 });"),
            ("throw (e)", "throw __thrown((e), true)"),
        ])
    func changed(source: String, expected: String) throws {
        #expect(try marked(source) == expected)
    }

    @Test(
        "A built-in error is not instrumented, nor a script that uses the name itself",
        arguments: [
            "throw new Error('a')", "throw (new TypeError('a'))", "function f() {}", "var __thrown; throw 'a'",
            "__thrown(1); throw 'a'",
        ])
    func unchanged(source: String) throws {
        #expect(try marked(source) == source)
    }

    @Test("A function that hides an Error's name is not taken for it")
    func shadowed() throws {
        #expect(try marked("function f(Error) { throw new Error() }").contains("throw __thrown(new Error())"))
    }

    @Test(
        "A thrown value stays unchanged",
        arguments: [
            "throw 'a'", "throw { a: 1 }", "try { throw 5 } catch (e) { e }", "throw undefined", "throw 1, 'b'",
            "try { throw 'x' } catch (e if e == 'y') { 1 } catch (e) { throw e + 'z' }",
        ])
    func meaning(source: String) async throws {
        let plain = try await Engine().run(try Translation(of: SyntaxTree(source, file: "A.js")).source)
        let marked = try await Engine().run(try marked(source), prelude: "function __thrown(value) { return value }")
        #expect(marked == plain)
    }

    @Test("Whole adapters can be read", arguments: Scripts.adapters)
    func readable(source: String) async throws {
        #expect(try await Engine().problem(in: try marked(source)) == nil)
    }
}
