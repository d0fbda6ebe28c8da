import AdapterTestRunner
import Foundation
import Testing

/// Holds `adapters/harness.d.ts` and docs/testing-adapters.md against what tests really have.
@Suite("harness.d.ts")
struct TestRunnerDeclarationsTests {
    private func text(_ path: String) throws -> String {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// The members of an interface of the declarations.
    private func members(of interface: String) throws -> [String] {
        let text = try text("adapters/harness.d.ts")
        let start = try #require(text.range(of: "interface \(interface) {\n")).upperBound
        let end = try #require(text[start...].range(of: "\n}\n")).lowerBound
        let names = text[start..<end].split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^    (?:readonly )?([A-Za-z]+)[?]?[(:]/).map { String($0.1) }
        }
        return Set(names).sorted()
    }

    /// Returns the members of a value of a test, printed by a test.
    private func real(_ expression: String) async throws -> [String] {
        let outcome = try await run("it('x', () => { console.log(Object.keys(\(expression)).sort().join(' ')); });")
        try #require(outcome.messages == [])
        return outcome.tests[0].output[0].split(separator: " ").map(String.init)
    }

    @Test(
        "The declared names are exactly the names that exist",
        arguments: [
            ("Matchers", "{ ...expect(1), not: undefined }", ["not"]), ("Expect", "expect", []),
            ("Harness", "harness", []), ("HarnessClient", "harness.user('ann')", []),
            ("HarnessDevice", "harness.user('ann').device('phone')", []),
            ("HarnessBackEnd", "harness.backEnd()", []), ("HarnessDatabase", "harness.database()", []),
        ])
    func members(interface: String, value: String, ignored: [String]) async throws {
        #expect(try members(of: interface) == (try await real(value)).filter { !ignored.contains($0) })
    }

    @Test("Every global is declared, and named in the docs")
    func globals() async throws {
        let declarations = try text("adapters/harness.d.ts")
        let docs = try text("docs/testing-adapters.md")
        // The names that the scope has in addition to those of the language.
        let outcome = try await run(
            """
            it('x', () => console.log(Object.keys(globalThis).filter(key => !key.startsWith("__")).join(" ")));
            """)
        let globals = outcome.tests[0].output[0].split(separator: " ").map(String.init)
        #expect(globals.contains("describe") && globals.contains("harness"))
        for name in globals where name != "console" {
            #expect(
                declarations.contains("declare const \(name):") || declarations.contains("declare function \(name)("),
                "\(name) is not declared")
            #expect(docs.contains("`\(name)") || docs.contains("`\(name)."), "\(name) is not in the docs")
        }
    }

    @Test("Every matcher is named in the docs")
    func matchers() async throws {
        let docs = try text("docs/testing-adapters.md")
        for name in try await real("expect(1)") where name != "not" {
            #expect(docs.contains("`\(name)`"), "\(name) is not in the docs")
        }
    }
}
