import Foundation
import TestSupport
import Testing

@Suite("The project that a command is about")
struct ProjectFolderTests {
    private func project() throws -> TemporaryFolder {
        let project = try makeProject("function run() { return { isThere: true }; }")
        try project.write("it('runs', () => {});", to: "adapters/A/A.test.js")
        return project
    }

    @Test(
        "is by default the nearest folder above that has adapters", arguments: [".", "adapters", "adapters/A"])
    func above(place: String) async throws {
        let project = try project()
        let folder = project.url.appending(path: place)
        let call = try await Command.shell("lamplighter call A/run", in: folder)
        #expect(call.output == #"{"isSuccessful":true,"isThere":true}"# + "\n", "\(call.errors)")
        let tested = try await Command.shell("lamplighter test --timeout 3600", in: folder)
        #expect(tested.output.contains("1 passed in 1 file"))
        #expect(try await Command.shell("lamplighter check", in: folder).errors.contains("read 1 adapter"))
        let made = try await Command.shell("lamplighter new adapter B", in: folder)
        #expect(made.status == 0)
        #expect(FileManager.default.fileExists(atPath: project.path("adapters/B/B-impl.js")))
        let up = ["adapters": "../", "adapters/A": "../../"][place] ?? ""
        #expect(made.output.contains("\(up)adapters/B/B-impl.js\n"), "\(made.output)")
        try project.write("nonsense: 1", to: "lamplighter.yaml")
        let serve = try await Command.shell("lamplighter serve", in: folder)
        #expect(serve.status == 1)
        #expect(serve.errors.contains("there is no setting 'nonsense'"))
    }

    @Test("takes the nearest folder that has settings, also when one above it has adapters")
    func settings() async throws {
        let project = try project()
        try project.write("nonsense: 1", to: "staging/lamplighter.yaml")
        let outcome = try await Command.shell(
            "lamplighter serve --port 0", in: project.url.appending(path: "staging"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("there is no setting 'nonsense'"), "\(outcome.errors)")
    }

    @Test("serve names import for an archive of the original's tools")
    func archive() async throws {
        let folder = try TemporaryFolder(["shop.war": "x"])
        let outcome = try await Command.run(["serve", folder.path("shop.war")])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("make a project of it: lamplighter import shop.war --to shop"))
    }

    @Test("serves no folder without a part of a project")
    func noProject() async throws {
        let folder = try TemporaryFolder(["notes.txt": "x"])
        let outcome = try await Command.run(["serve", "--port", "0", folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("\(folder.path) is not a Worklight project: expected a folder adapters"))
        #expect(outcome.errors.contains("lamplighter new project NAME"))
        #expect(!FileManager.default.fileExists(atPath: folder.path(".lamplighter")))
    }

    @Test("An explicit path is taken unchanged")
    func given() async throws {
        let project = try project()
        let folder = project.url.appending(path: "adapters")
        #expect(try await Command.shell("lamplighter test .", in: folder).status == 2)
        #expect(try await Command.shell("lamplighter test --timeout 3600 ..", in: folder).status == 0)
    }

    @Test("Paths in flags are relative to the current folder, those in settings and the environment to the project")
    func relativePaths() async throws {
        let certificates = try TestCertificates()
        let project = try project()
        let current = URL(filePath: certificates.path("localhost.pem")).deletingLastPathComponent()
        let pair = ["--tls-certificate", "localhost.pem", "--tls-key", "localhost.key"]
        let byFlags = try await ServerProcess([project.path, "--data", "data"] + pair, in: current)
        #expect(byFlags.url.hasPrefix("https://"))
        #expect(FileManager.default.fileExists(atPath: current.appending(path: "data").path))
        #expect(await byFlags.end(with: SIGTERM) == 0)

        for file in ["localhost.pem", "localhost.key"] {
            try FileManager.default.copyItem(
                atPath: certificates.path(file), toPath: project.path("of-project-\(file)"))
        }
        let names = (certificate: "of-project-localhost.pem", key: "of-project-localhost.key")
        let byEnvironment = try await ServerProcess(
            [project.path],
            environment: [
                "LAMPLIGHTER_TLS_CERTIFICATE": names.certificate, "LAMPLIGHTER_TLS_KEY": names.key,
                "LAMPLIGHTER_DATA": "of-environment",
            ], in: current)
        #expect(byEnvironment.url.hasPrefix("https://"))
        #expect(FileManager.default.fileExists(atPath: project.path("of-environment")))
        #expect(await byEnvironment.end(with: SIGTERM) == 0)

        try project.write(
            "tls:\n  certificate: \(names.certificate)\n  key: \(names.key)\ndata: of-file\n", to: "lamplighter.yaml")
        let byFile = try await ServerProcess([project.path], in: current)
        #expect(byFile.url.hasPrefix("https://"))
        #expect(FileManager.default.fileExists(atPath: project.path("of-file")))
        #expect(await byFile.end(with: SIGTERM) == 0)
    }

    @Test("A folder under no project is reported")
    func none() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Command.shell("lamplighter test", in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("has no folder 'adapters'"))
    }
}
