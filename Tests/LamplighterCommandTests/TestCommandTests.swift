import Core
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("lamplighter test")
struct TestCommandTests {
    private func project(_ tests: String) throws -> TemporaryFolder {
        try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": "function run(x) {\n    if (x) {\n        return { got: x };\n    }\n}\n",
            "adapters/A/A.test.js": tests,
        ])
    }

    /// Runs the command on a project with these tests.
    private func run(_ tests: String, _ options: String...) async throws -> Command.Outcome {
        let project = try project(tests)
        let outcome = try await Command.test([project.path] + options)
        // The folder goes with the object.
        return withExtendedLifetime(project) { outcome }
    }

    private static let mixed = """
        describe("run <&>", () => {
            it("passes", () => { console.log("seen"); });
            it("fails # 1", () => {
                expect(harness.call("run", 1)).toEqual({ got: 2, isSuccessful: true });
            });
            it.skip("waits", () => {});
            it.todo("is missing");
        });
        """

    @Test("The default output has a symbol for each test, and a failure's difference and location")
    func text() async throws {
        let outcome = try await run(Self.mixed)
        #expect(outcome.status == 1)
        for part in [
            "adapters/A/A.test.js\n  run <&>\n", "    ✓ passes", "      seen\n", "    ✗ fails # 1", "- waits (skipped)",
            "… is missing (todo)", "-   \"got\": 2,", "+   \"got\": 1,",
            "> 4 |         expect(harness.call(\"run\", 1))", "at (anonymous)@adapters/A/A.test.js:4:",
            "1 passed, 1 failed, 1 skipped, 1 todo in 1 file",
        ] {
            #expect(outcome.output.contains(part), "\(part) is not in\n\(outcome.output)")
        }
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("JSON holds every test with its status and its failures")
    func json() async throws {
        let outcome = try await run(Self.mixed, "--format", "json")
        #expect(outcome.status == 1)
        let json = try JSONValue(parsing: outcome.output)
        #expect(json["isSuccessful"] == false)
        let tests = try #require(json["files"]?.array?.first?["tests"]?.array)
        #expect(tests.map { $0["status"]?.string } == ["passed", "failed", "skipped", "todo"])
        #expect(tests[1]["failures"]?.array?.first?["line"] == 4)
    }

    @Test("JUnit's XML is well-formed and counts what there is")
    func junit() async throws {
        let outcome = try await run(Self.mixed, "--format", "junit")
        let document = try XMLSummary(outcome.output)
        #expect(document.elements["testcase"] == 4)
        #expect(document.elements["failure"] == 1)
        #expect(document.elements["skipped"] == 2)
        #expect(outcome.output.contains(#"classname="A.run &lt;&amp;&gt;""#))
    }

    @Test("TAP contains the plan, each test, and each failure's reason")
    func tap() async throws {
        let outcome = try await run(Self.mixed, "--format", "tap")
        let lines = outcome.output.split(separator: "\n")
        #expect(
            lines.prefix(4) == [
                "TAP version 14", "1..4", "ok 1 - A › run <&> › passes", ##"not ok 2 - A › run <&> › fails \# 1"##,
            ])
        #expect(lines.contains("  message: |2"))
        #expect(lines.contains("ok 3 - A › run <&> › waits # SKIP"))
        #expect(lines.contains("ok 4 - A › run <&> › is missing # TODO"))
    }

    @Test("A report goes into a file while the default output is printed")
    func output() async throws {
        let project = try project(Self.mixed)
        let outcome = try await Command.test(
            [project.path, "--format", "junit", "--output", project.path("report.xml")])
        #expect(outcome.output.contains("✓ passes"))
        let report = try String(contentsOfFile: project.path("report.xml"), encoding: .utf8)
        #expect(report.hasPrefix("<?xml"))
    }

    @Test(
        "A report that cannot be written is refused before any test runs", arguments: ["--output", "--coverage-file"])
    func unwritable(option: String) async throws {
        for path in ["/nonexistent/x.xml", "/tmp"] {
            let outcome = try await run("it('x', () => {});", "--format", "junit", option, path)
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("\(option) \(path): "), "\(outcome.errors)")
        }
    }

    /// A project with an adapter `B` besides, whose test fails.
    private func twoAdapters() throws -> TemporaryFolder {
        let project = try project("it('of A', () => { harness.call('run', 1); });")
        try project.write(adapterXML("B"), to: "adapters/B/B.xml")
        try project.write("function run() {}", to: "adapters/B/B-impl.js")
        try project.write("it('of B', () => { fail(); });", to: "adapters/B/B.test.js")
        try project.write("it('more of B', () => {});", to: "adapters/B/More.test.js")
        return project
    }

    @Test("Test files and adapters' folders can be named")
    func named() async throws {
        let project = try twoAdapters()
        let file = try await Command.test([project.path("adapters/B/More.test.js")])
        #expect(file.status == 0 && file.output.contains("1 passed in 1 file"), "\(file.output)\(file.errors)")
        let folder = try await Command.test([project.path("adapters/B/")])
        #expect(folder.output.contains("1 passed, 1 failed in 2 files"), "\(folder.output)\(folder.errors)")
        let both = try await Command.test(
            [project.path("adapters/A/A.test.js"), project.path("adapters/B/B.test.js")])
        #expect(both.output.contains("1 passed, 1 failed in 2 files"), "\(both.output)\(both.errors)")
        #expect(try await Command.test([project.path("adapters/B/B.xml")]).status == 2)
        #expect(try await Command.test([project.path("adapters/B/None.test.js")]).status == 2)
    }

    @Test("Coverage is of the adapters whose tests are selected")
    func narrowCoverage() async throws {
        let project = try twoAdapters()
        for arguments in [[project.path, "--adapter", "A"], [project.path("adapters/A")]] {
            let outcome = try await Command.test(["--coverage"] + arguments)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("A-impl.js") && !outcome.output.contains("B-impl.js"))
        }
    }

    @Test("--watch runs only the tests of the adapter that has changed", .defaultTimeLimit)
    func watchesOne() async throws {
        let project = try twoAdapters()
        let command = try RunningCommand(["test", project.path, "--watch", "--timeout", "3600"])
        _ = await command.errors(with: "waiting for a change")
        try project.write("it('anew', () => {});", to: "adapters/A/A.test.js")
        let output = await command.output(with: "1 passed in 1 file")
        #expect(output.contains("✓ anew"))
        #expect(output.ranges(of: "more of B").count == 1)
    }

    @Test("All passed is 0, nothing to run is 1, wrong usage is 2")
    func statuses() async throws {
        let good = "it('x', () => {});"
        #expect(try await run(good).status == 0)
        let none = try await run(good, "--filter", "nothing like it")
        #expect(none.status == 1)
        #expect(none.errors.contains("no test's name fits"))
        #expect(try await run(good, "--adapter", "B").status == 1)
        #expect(try await run(good, "--format", "html").status == 2)
        #expect(try await run(good, "--filter", "/(/").status == 2)
        #expect(try await Command.test(["/dev/null"]).status == 2)
        let broken = try await run("it('x', () => {")
        #expect(broken.status == 1)
        #expect(broken.output.contains("✗ the file cannot be run"))
    }

    @Test("Coverage is reported as a table and as lcov's file, and can have a minimum")
    func coverage() async throws {
        let project = try project("it('x', () => { harness.call('run', 0); });")
        let arguments = [project.path, "--coverage", "--coverage-file", project.path("lcov.info")]
        let outcome = try await Command.test(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("adapters/A/A-impl.js"))
        let lcov = try String(contentsOfFile: project.path("lcov.info"), encoding: .utf8)
        #expect(lcov.contains("SF:adapters/A/A-impl.js\n") && lcov.contains("\nDA:3,0\n"))
        let demanding = try await Command.test(arguments + ["--coverage-minimum", "90"])
        #expect(demanding.status == 1)
        #expect(demanding.errors.contains("fewer than --coverage-minimum 90"))
    }

    @Test("Generated projects pass their own tests, and check --strict finds nothing in them", .defaultTimeLimit)
    func templates() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Command.shell("lamplighter new project Shop", in: folder.url).status == 0)
        let project = folder.url.appending(path: "Shop")
        for kind in ["push", "http", "sql", "plain"] {
            let made = try await Command.shell("lamplighter new adapter My\(kind) --kind \(kind)", in: project)
            #expect(made.status == 0, "\(made.errors)")
        }
        let tests = try await Command.shell("lamplighter test --timeout 3600", in: project)
        #expect(tests.status == 0, "\(tests.output)")
        #expect(tests.output.contains(" passed in 5 files"))
        let check = try await Command.shell("lamplighter check --strict", in: project)
        #expect(check.status == 0 && check.output == "", "\(check.output)")
    }

    @Test("--watch reruns the tests when a file changes", .defaultTimeLimit)
    func watch() async throws {
        let project = try project("it('first', () => {});")
        let command = try RunningCommand(["test", project.path, "--watch", "--timeout", "3600"])
        _ = await command.output(with: "✓ first")
        _ = await command.errors(with: "waiting for a change")
        try project.write("it('second', () => {});", to: "adapters/A/A.test.js")
        #expect(await command.output(with: "✓ second").contains("✓ second"))
    }
}

/// The number of each element in a document.
private final class XMLSummary: NSObject, XMLParserDelegate {
    private(set) var elements: [String: Int] = [:]

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        elements[name, default: 0] += 1
    }
}
