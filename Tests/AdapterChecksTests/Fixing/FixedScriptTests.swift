import AdapterChecks
import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("Fixed scripts")
struct FixedScriptTests {
    private static let old = "function run(o) {\r\n  for each (var x in o) f(x);\r\n}\r\nfunction f(x) x * 2;\r\n"
    private static let new =
        "function run(o) {\r\n  for (var x of Object.values(o ?? {})) f(x);\r\n}\r\nfunction f(x) { return x * 2; };\r\n"

    private func folder(_ script: String) throws -> TemporaryFolder {
        try TemporaryFolder(["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": script])
    }

    private func fixes(_ folder: TemporaryFolder) async -> [FixedScript] {
        await ScriptFixes(of: Project(reading: folder.url), engineProblems: { _ in [] }).scripts
    }

    private func bytes(_ folder: TemporaryFolder) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appending(path: "adapters/A/A-impl.js")), as: UTF8.self)
    }

    @Test("Line ends, a byte order mark and permissions stay as they are")
    func keeps() async throws {
        let folder = try folder("\u{FEFF}" + Self.old)
        let path = folder.path("adapters/A/A-impl.js")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let fixes = await fixes(folder)
        #expect(
            fixes.flatMap(\.changes) == [
                "adapters/A/A-impl.js:2:3: write for-of over Object.values",
                "adapters/A/A-impl.js:4:1: write the body in braces with return",
            ])
        try #require(fixes.first).write()
        #expect(Array(try bytes(folder).utf8) == Array(("\u{FEFF}" + Self.new).utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("adapters/A")).count == 2)
    }

    @Test("A link stays a link, and its target is fixed")
    func link() async throws {
        let folder = try folder("")
        let target = try folder.write(Self.old, to: "shared.js")
        try FileManager.default.removeItem(atPath: folder.path("adapters/A/A-impl.js"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("adapters/A/A-impl.js"), withDestinationPath: "../../shared.js")
        try #require(await fixes(folder).first).write()
        #expect(try Data(contentsOf: target) == Data(Self.new.utf8))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("adapters/A/A-impl.js"))
                == "../../shared.js")
    }

    @Test("A file that was changed meanwhile stays unchanged, and the error says so")
    func changed() async throws {
        let folder = try folder(Self.old)
        let fix = try #require(await fixes(folder).first)
        try folder.write("function run() {}", to: "adapters/A/A-impl.js")
        #expect {
            try fix.write()
        } throws: { error in
            "\(error)".hasSuffix("A-impl.js: somebody has changed it meanwhile; run this again")
        }
        #expect(try bytes(folder) == "function run() {}")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("adapters/A")).count == 2)
    }

    private static func syntaxProblems(of project: Project) -> [ProjectError] {
        project.adapters.filter { $0.script.contains("Object.values") }.map {
            ProjectError(.error, file: $0.descriptor.scriptPath, line: 2, "no values here")
        }
    }

    @Test("A script whose fixed form the engine rejects stays unchanged, with an error; the others are fixed")
    func refused() async throws {
        let folder = try folder(Self.old)
        try folder.write(adapterXML("B"), to: "adapters/B/B.xml")
        try folder.write("function f(x) x", to: "adapters/B/B-impl.js")
        let fixes = await ScriptFixes(of: Project(reading: folder.url), engineProblems: Self.syntaxProblems)
        #expect(fixes.scripts.map(\.path) == ["adapters/B/B-impl.js"])
        #expect(
            fixes.refused.map(\.description) == [
                """
                adapters/A/A-impl.js: error: --fix leaves this script unchanged, because the engine rejects the \
                fixed script (no values here); make these changes yourself: \
                adapters/A/A-impl.js:2:3: write for-of over Object.values, \
                adapters/A/A-impl.js:4:1: write the body in braces with return
                """
            ])
    }

    @Test("A script that the engine rejects before and after is fixed as far as possible")
    func refusedBefore() async throws {
        let folder = try folder("// Object.values\n" + Self.old)
        let fixes = await ScriptFixes(of: Project(reading: folder.url), engineProblems: Self.syntaxProblems)
        #expect(fixes.scripts.map(\.path) == ["adapters/A/A-impl.js"])
        #expect(fixes.refused == [])
    }

    @Test("A modern script, or an unreadable one, has no fixes", arguments: ["function run() {}", "run("])
    func nothing(script: String) async throws {
        #expect(await fixes(try folder(script)).isEmpty)
    }

    @Test("A difference can be applied with patch")
    func patch() async throws {
        let filler = (1...20).map { "var v\($0) = \($0);\n" }.joined()
        let script = "function f(x) x;\n" + filler + "function g(x) x;\nvar end;\n" + filler + "function h(x) x"
        let folder = try folder(script)
        let fix = try #require(await fixes(folder).first)
        #expect(
            fix.difference.hasPrefix(
                "--- a/adapters/A/A-impl.js\n+++ b/adapters/A/A-impl.js\n@@ -1,4 +1,4 @@\n-function f(x) x;\n"))
        #expect(
            fix.difference.hasSuffix(
                "-function h(x) x\n\\ No newline at end of file\n+function h(x) { return x; }\n\\ No newline at end of file\n"
            ))
        #expect(try await apply(fix, in: folder) == 0)
        #expect(try bytes(folder) == fix.after)
    }

    @Test(
        "A patch works for a file with a byte order mark, or without a line's end at its end",
        arguments: [
            "\u{FEFF}function f(x) x;\nvar end;\n", "\u{FEFF}var v;\r\n\r\nfunction f(x) x", "function f(x) x\u{2028}",
        ])
    func patchOfBytes(script: String) async throws {
        let folder = try folder(script)
        let fix = try #require(await fixes(folder).first)
        #expect(try await apply(fix, in: folder) == 0)
        let mark = script.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
        #expect(Array(try bytes(folder).utf8) == Array((mark + fix.after).utf8))
    }

    /// - Returns: the exit status of `git apply`.
    private func apply(_ fix: FixedScript, in folder: TemporaryFolder) async throws -> Int32 {
        let patch = try folder.write(fix.difference, to: "fix.patch")
        return try await ChildProcess(
            // Not in the repository of a hook that runs the tests.
            "env",
            [
                "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "git", "apply", "--unsafe-paths", "--directory", folder.path,
                patch.path,
            ], folder: folder.url
        ).exitStatus
    }
}
