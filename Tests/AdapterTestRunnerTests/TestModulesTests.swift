import Foundation
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@testable import AdapterTestRunner

@Suite("require")
struct TestModulesTests {
    /// Runs a test file of an adapter `A`, in a project with these files besides.
    private func run(_ test: String, with files: [String: String]) async throws -> FileOutcome {
        var files = files
        files["adapters/A/A.xml"] = adapterXML("A")
        files["adapters/A/A-impl.js"] = "function run(x) { return { got: x }; }"
        files["adapters/A/A.test.js"] = test
        let folder = try TemporaryFolder(files)
        let runner = AdapterTestRunner.patient(Project(reading: folder.url))
        let file = TestFile(path: "adapters/A/A.test.js", adapter: "A")
        return try #require(await runner.run([file]).files.first)
    }

    @Test("Files below adapters and tests return their exports, and run once for a test file")
    func sharing() async throws {
        let outcome = try await run(
            """
            const { twice, data } = require("./helpers");
            const prices = require("../../tests/prices.js");
            it("shares", () => {
                expect(twice(harness.call("run", 2).got)).toBe(4);
                expect(data).toEqual({ a: 1 });
                expect(prices.count()).toBe(1);
                expect(require("../../tests/prices").count()).toBe(2);
            });
            """,
            with: [
                "adapters/A/helpers.js": "exports.twice = n => 2 * n;\nexports.data = require('./data.json'); // end",
                "adapters/A/data.json": #"{ "a": 1 }"#,
                "tests/prices.js": "let n = 0;\nmodule.exports = { count: () => ++n };",
            ])
        #expect(outcome.messages == [])
    }

    @Test("Two files that require each other come to an end")
    func circles() async throws {
        let outcome = try await run(
            "const a = require('../../tests/a'); it('x', () => expect(a.name + a.other()).toBe('ab'));",
            with: [
                "tests/a.js": "exports.name = 'a'; const b = require('./b'); exports.other = () => b.name;",
                "tests/b.js": "const a = require('./a'); exports.name = a.name === 'a' ? 'b' : 'c';",
            ])
        #expect(outcome.messages == [])
    }

    @Test("Errors have the location in their own file")
    func errors() async throws {
        let files = [
            "tests/broken.js": "\nconst = 5;", "tests/thrower.js": "\n\nexports.fail = () => null.x;",
            "tests/words.json": "{",
        ]
        let outcome = try await run(
            """
            it("syntax", () => { require("../../tests/broken"); });
            it("throws", () => { require("../../tests/thrower").fail(); });
            it("JSON", () => { require("../../tests/words.json"); });
            """, with: files)
        #expect(outcome.messages[0].contains("tests/broken.js:2:"), "\(outcome.messages)")
        #expect(outcome.tests[1].failures[0].stack[0].contains("tests/thrower.js:3:"))
        #expect(outcome.tests[1].failures[0].place?.line == 2)
        #expect(outcome.messages[2].contains("tests/words.json is no JSON"))
    }

    @Test(
        "A file elsewhere, or a missing one, is refused",
        arguments: [
            ("fs", "no packages"), ("../../server/x.js", "neither in the project's adapters nor"),
            ("../../../../etc/passwd", "neither in"), ("./nothing", "there is no adapters/A/nothing"),
        ])
    func refusals(name: String, reason: String) async throws {
        let outcome = try await run("it('x', () => { require('\(name)'); });", with: [:])
        try #require(outcome.messages.count == 1)
        #expect(outcome.messages[0].contains(reason), "\(outcome.messages)")
        #expect(outcome.tests[0].failures[0].place?.line == 1)
    }
}
