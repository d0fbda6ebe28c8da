import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@Suite("lamplighter backup", .defaultTimeLimit)
struct BackupTests {
    private static func device(_ number: Int) throws -> DeviceRegistration {
        DeviceRegistration(
            applicationID: "MyApp", deviceID: "device-\(number)", platform: .apple,
            token: try DeviceToken(exampleOf: "\(number)", platform: .apple))
    }

    @Test("copies a project whose server runs and whose store is written to, and a server starts on the copy")
    func running() async throws {
        let project = try makeProject("function run() { return { right: true } }")
        let target = try TemporaryFolder()
        let server = try await ServerProcess([project.path])
        let store = try SQLStore(folder: project.path(".lamplighter"), busyTimeout: .noLimit)
        for number in 0..<200 { try store.register(try Self.device(number)) }
        let writer = Task {
            var number = 200
            while !Task.isCancelled {
                try store.register(try Self.device(number))
                number += 1
            }
        }
        let outcome = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        writer.cancel()
        _ = try? await writer.value
        #expect(outcome.status == 0 && outcome.output.contains("read back without a difference"), "\(outcome)")
        let facts = try FileManager.default.attributesOfItem(atPath: target.path("copy.tar.gz"))
        #expect(facts[.posixPermissions] as? Int == 0o600)
        #expect(await server.end(with: SIGTERM) == 0)

        let restored = try await Command.shell(
            "tar -xzf copy.tar.gz && sha256sum --quiet --check checksums.txt && mv data project/.lamplighter",
            in: target.url)
        #expect(restored.status == 0, "\(restored)")
        let copy = target.path("project")
        #expect(!FileManager.default.fileExists(atPath: copy + "/.lamplighter/server.json"))
        let second = try await ServerProcess([copy])
        let called = try await Command.run(["call", "A/run", "--project", copy])
        #expect(called.output.contains(#""right":true"#), "\(called)")
        let found = try SQLStore(folder: copy + "/.lamplighter", busyTimeout: .noLimit)
        for number in 0..<200 {
            #expect(try found.registration(applicationID: "MyApp", deviceID: "device-\(number)") != nil)
        }
        #expect(await second.end(with: SIGTERM) == 0)
    }

    @Test("writes over no file, and not into the folder that it copies")
    func target() async throws {
        let project = try makeProject("function run() {}")
        let target = try TemporaryFolder(["copy.tar.gz": "mine"])
        let existing = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(existing.status == 1 && existing.errors.contains("copy.tar.gz exists already; name a new file"))
        #expect(try String(contentsOfFile: target.path("copy.tar.gz"), encoding: .utf8) == "mine")
        let inside = try await Command.run(["backup", project.path("copy.tar.gz"), "--project", project.path])
        #expect(inside.status == 1 && inside.errors.contains("name a file outside of it"), "\(inside)")
    }

    @Test("leaves no file where a database is damaged")
    func damaged() async throws {
        let project = try makeProject("function run() {}")
        try project.write(String(repeating: "no database", count: 1000), to: ".lamplighter/lamplighter.sqlite")
        let target = try TemporaryFolder()
        let outcome = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(outcome.status == 1 && outcome.errors.contains("lamplighter.sqlite"), "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test("says how to copy a store in PostgreSQL, without its password")
    func postgreSQL() async throws {
        let project = try makeProject("function run() {}")
        try project.write("store: postgres://lamp:SECRET@db.example.com/lamp\n", to: "lamplighter.yaml")
        try project.write("x", to: ".lamplighter/server-name")
        let target = try TemporaryFolder()
        let outcome = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(
            outcome.status == 0 && outcome.errors.contains("PostgreSQL at db.example.com/lamp by pg_dump"), "\(outcome)"
        )
        #expect(!(outcome.output + outcome.errors).contains("SECRET"))
    }
}
