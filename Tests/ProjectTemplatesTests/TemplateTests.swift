import AdapterChecks
import AdapterRuntime
import Foundation
import ProjectTemplates
import TestSupport
import Testing
import WorklightProject

@Suite("Templates")
struct TemplateTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func problems(_ folder: TemporaryFolder) async throws -> [ProjectError] {
        let project = Project(reading: folder.url)
        return try await project.problems + project.syntaxProblems() + StrictCheck.problems(of: project)
    }

    @Test("A new project with one adapter of each kind has no problems")
    func project() async throws {
        let folder = try TemporaryFolder()
        _ = try Templates.project(named: "Shop").write(to: folder.url)
        let tests = Templates.SecurityTests(user: "UserTest", backEnd: "BackEndTest")
        for kind in AdapterKind.allCases {
            _ = try Templates.adapter(named: "A_\(kind.rawValue)", kind: kind, tests: tests).write(to: folder.url)
        }
        #expect(try await problems(folder) == [])
        let project = Project(reading: folder.url)
        #expect(project.adapters.map(\.descriptor.name) == ["A_http", "A_plain", "A_push", "A_sql", "Messages"])
        #expect(project.applications.map(\.id) == ["Shop"])
    }

    @Test("An adapter can be added to a project without security tests, too", arguments: AdapterKind.allCases)
    func bare(kind: AdapterKind) async throws {
        let folder = try TemporaryFolder()
        _ = try Templates.adapter(named: "A", kind: kind, tests: .init()).write(to: folder.url)
        #expect(try await problems(folder) == [])
        let script = try String(contentsOf: folder.url.appending(path: "adapters/A/A-impl.js"), encoding: .utf8)
        #expect(!script.contains("{{"))
    }

    @Test("The declarations are those of this repository")
    func declarations() throws {
        for (name, text) in [
            ("worklight.d.ts", Templates.worklightDeclarations), ("harness.d.ts", Templates.harnessDeclarations),
        ] {
            let original = try String(
                contentsOf: Self.repository.appending(path: "adapters/\(name)"), encoding: .utf8)
            #expect(text == original, "\(name)")
        }
    }

    @Test("No file is overwritten, and then none is made")
    func obstacle() throws {
        let folder = try TemporaryFolder(["adapters/A/A.test.js": "mine"])
        let files = try Templates.adapter(named: "A", kind: .plain, tests: .init())
        #expect {
            try files.write(to: folder.url)
        } throws: { error in
            "\(error)".contains("/adapters/A/A.test.js exists already, and no file is overwritten")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("adapters/A")) == ["A.test.js"])
    }

    @Test("A file that cannot be created removes those before it, and leaves existing ones")
    func halfway() throws {
        let folder = try TemporaryFolder(["README.txt": "mine", "server": "a file where a folder should be"])
        #expect {
            try Templates.project(named: "Shop").write(to: folder.url)
        } throws: { error in
            "\(error)".contains("/server/conf/")
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(left.sorted() == ["README.txt", "server"])
    }

    @Test("A link that leads nowhere is in the way, too")
    func danglingLink() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("README.md"), withDestinationPath: "/nonexistent/file")
        #expect(throws: NewFilesError.self) { try Templates.project(named: "Shop").write(to: folder.url) }
    }

    @Test("Existing declarations stay unchanged")
    func shared() throws {
        let folder = try TemporaryFolder(["adapters/worklight.d.ts": "mine"])
        let made = try Templates.adapter(named: "A", kind: .plain, tests: .init()).write(to: folder.url)
        #expect(!made.contains("adapters/worklight.d.ts"))
        #expect(made.contains("adapters/harness.d.ts"))
        #expect(try String(contentsOfFile: folder.path("adapters/worklight.d.ts"), encoding: .utf8) == "mine")
    }

    @Test(
        "A name is a letter, then letters, digits and '_'",
        arguments: [
            ("Shop", true), ("a_1", true), ("1a", false), ("a-b", false), ("", false), ("../a", false), ("é", false),
            ("a b", false),
        ])
    func names(name: String, isGood: Bool) {
        #expect((Templates.problem(withName: name, of: "adapter") == nil) == isGood)
        #expect(
            isGood
                || Templates.problem(withName: name, of: "project")?.hasPrefix(
                    "the name '\(name)' is not valid for a project") == true
        )
        if !isGood { #expect(throws: NewFilesError.self) { try Templates.project(named: name) } }
    }
}
