import Foundation
import ProjectTemplates
import TestSupport
import Testing

/// Checks with Debian's TypeScript what editors show in scripts.
///
/// The templates of `new authenticator` are not among the scripts: no jsconfig.json is made for them, and names such as
/// `AuthenticationResult`, which adapters do not have, are not declared.
@Suite("Editors", .defaultTimeLimit)
struct EditorTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Folders with scripts that TypeScript must not accept, each with the reason.
    private static let exempt = ["examples/broken-project": "its scripts are wrong on purpose"]

    /// The scripts of the repository's adapters, each with its test if it has one.
    private func programs() throws -> [[String]] {
        let manager = FileManager.default
        let scripts = try ["adapters", "examples"].flatMap { folder in
            try manager.subpathsOfDirectory(atPath: Self.repository.appending(path: folder).path)
                .map { "\(folder)/\($0)" }
        }
        return scripts.sorted().compactMap { script in
            guard script.hasSuffix("-impl.js"), !script.contains("/.build/"),
                !Self.exempt.keys.contains(where: { script.hasPrefix("\($0)/") })
            else { return nil }
            let path = Self.repository.appending(path: script).path
            let test = path.replacing("-impl.js", with: ".test.js")
            return manager.fileExists(atPath: test) ? [path, test] : [path]
        }
    }

    @Test("The adapters and examples of this repository pass", arguments: TypeScriptRun.Settings.allCases)
    func adapters(settings: TypeScriptRun.Settings) async throws {
        let programs = try programs()
        #expect(programs.count >= 8)
        var run = try TypeScriptRun(settings)
        for files in programs { try run.add(files: files) }
        let problems = try await run.problems()
        #expect(problems == [])
    }

    @Test("A new project with an adapter of each kind passes", arguments: TypeScriptRun.Settings.allCases)
    func templates(settings: TypeScriptRun.Settings) async throws {
        let project = try TemporaryFolder()
        var made = try Templates.project(named: "Shop").write(to: project.url)
        let tests = Templates.SecurityTests(user: "UserTest", backEnd: "BackEndTest")
        for kind in AdapterKind.allCases {
            made += try Templates.adapter(named: "A_\(kind.rawValue)", kind: kind, tests: tests).write(to: project.url)
        }
        let configurations = made.filter { $0.hasSuffix("/jsconfig.json") }
        #expect(configurations.count == 1 + AdapterKind.allCases.count)
        var run = try TypeScriptRun(settings)
        for configuration in configurations { try run.add(configuration: project.path(configuration)) }
        let problems = try await run.problems()
        #expect(problems == [])
    }

    /// The problems of all samples, of one run.
    private static let found = Task<[TypeScriptRun.Problem], any Error> {
        var scripts: [String: String] = [:]
        for (index, sample) in ScriptSample.all.enumerated() {
            // As modules, so that samples do not share their variables.
            scripts["\(index).js"] = "\(sample.script)\nexport {};\n"
        }
        var run = try TypeScriptRun(.generated)
        try run.add(scripts: scripts)
        return try await run.problems()
    }

    private func problems(of sample: ScriptSample) async throws -> [TypeScriptRun.Problem] {
        let index = try #require(ScriptSample.all.firstIndex { $0.title == sample.title })
        return try await Self.found.value.filter { $0.file == "scripts/\(index).js" }
    }

    @Test("TypeScript reports a mistake in its line", arguments: ScriptSample.mistakes)
    func mistake(sample: ScriptSample) async throws {
        let lines = sample.script.split(separator: "\n", omittingEmptySubsequences: false)
        let wrong = try #require(lines.firstIndex { $0.hasSuffix("// wrong") })
        let problems = try await problems(of: sample)
        #expect(problems.map(\.line) == [wrong + 1], "\(problems)")
    }

    @Test("TypeScript accepts scripts that the server accepts", arguments: ScriptSample.accepted)
    func accepted(sample: ScriptSample) async throws {
        #expect(try await problems(of: sample) == [])
    }

    @Test("TypeScript reports no problem outside of the scripts")
    func elsewhere() async throws {
        #expect(try await Self.found.value.filter { !$0.file.hasPrefix("scripts/") } == [])
    }

    @Test("TypeScript suggests the right name of an option")
    func suggestion() async throws {
        let sample = try #require(ScriptSample.mistakes.first { $0.title == "a misspelt option of invokeHttp" })
        let problems = try await problems(of: sample)
        #expect(problems.contains { $0.text.contains("Did you mean to write 'parameters'?") }, "\(problems)")
    }

    @Test("TypeScript rejects a script with E4X or 'for each' with a syntax error")
    func rhinoSyntax() async throws {
        var run = try TypeScriptRun(.generated)
        try run.add(scripts: [
            "e4x.js": "var name = x.entry.@name;",
            "each.js": "function f(list) { for each (var item in list) { WL.Logger.info(item); } }",
        ])
        let problems = try await run.problems()
        for file in ["scripts/e4x.js", "scripts/each.js"] {
            #expect(problems.contains { $0.file == file && $0.text.hasPrefix("TS1") }, "\(problems)")
        }
    }
}
