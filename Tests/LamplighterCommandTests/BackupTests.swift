import Foundation
import Logging
import PushModel
import PushSandbox
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

    @Test(
        "Deliveries of a restored copy are sent, end as refused, or are held until the setting is removed",
        arguments: ["send", "expire", "hold"])
    func waitingDeliveries(choice: String) async throws {
        let devices = 100
        let sandbox = try await PushSandbox.start(logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeFanOutProject()
        try project.useAPNs(of: sandbox)
        let store = try project.subscribe(devices, platform: .apple) { _ in "ann" }
        let killed = try await ServerProcess([project.path])
        let call = try await Command.run(["call", "A/all", #"["ann"]"#, "--project", project.path])
        #expect(call.status == 0, "\(call)")
        _ = await sandbox.waitForArrivals(20, of: .apns)
        #expect(await killed.end(with: SIGKILL) == 128 + SIGKILL)
        let waiting = try store.outbox.depth().waiting
        try #require(waiting > 0)
        let target = try TemporaryFolder()
        let backup = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(backup.status == 0, "\(backup)")
        // The former server goes on.
        let former = try await ServerProcess([project.path])
        try await project.waitUntilDelivered(by: store)
        #expect(await former.end(with: SIGTERM) == 0)
        let before = sandbox.arrivals(of: .apns).count

        let copy = try TemporaryFolder()
        let restored = try await Command.shell(
            "lamplighter restore copy.tar.gz --to \(copy.path) --deliveries \(choice)", in: target.url)
        #expect(restored.status == 0, "\(restored)")
        #expect(
            restored.output
                == "\(copy.path): restored"
                + (choice == "send"
                    ? "\n"
                    : choice == "expire"
                        ? "; deliveries that end as refused: \(waiting)\n"
                        : "; deliveries.hold is set, and its server sends nothing\n"))
        let copied = try SQLStore(folder: copy.path(".lamplighter"), busyTimeout: .noLimit)
        let hold = "deliveries.hold: true\n"
        if choice == "hold" {
            let held = try await ServerProcess([copy.path])
            let status = try await Command.run(["status", "--project", copy.path])
            #expect(status.status == 1 && status.output.contains("deliveries.hold is set"), "\(status)")
            let cancelled = try await Command.shell(
                """
                number=$(lamplighter deliveries --state queued --limit 1 --json | grep -o '"number":[0-9]*' | cut -d: -f2)
                lamplighter deliveries "$number" --cancel
                """, in: copy.url)
            #expect(cancelled.status == 0, "\(cancelled)")
            #expect(await held.end(with: SIGTERM) == 0)
            #expect(sandbox.arrivals(of: .apns).count == before)
            let settings = try String(contentsOfFile: copy.path("lamplighter.yaml"), encoding: .utf8)
            #expect(settings.hasSuffix(hold))
            try copy.write(settings.replacing(hold, with: ""), to: "lamplighter.yaml")
        }
        let second = try await ServerProcess([copy.path])
        try await copy.waitUntilDelivered(by: copied)
        #expect(await second.end(with: SIGTERM) == 0)
        // An attempt may be repeated.
        let sentAgain = Set(sandbox.arrivals(of: .apns).dropFirst(before).compactMap(\.token)).count
        let cancelled = choice == "hold" ? 1 : 0
        #expect(sentAgain == (choice == "expire" ? 0 : waiting - cancelled))
        #expect(try copied.outbox.counts()[.refused] ?? 0 == (choice == "expire" ? waiting : cancelled))
        await sandbox.stop()
    }

    @Test("With the store in PostgreSQL, the copy and a pg_dump of the database together are a server with all devices")
    func database() async throws {
        let database = try PostgreSQLServer.start()
        let address = PostgreSQLServer.address(of: "postgres", port: database.port)
        let project = try makeProject("WL.Server.createEventSource({ name: 'S' }); function run() {}")
        try project.write("store: \(address)\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let subscribed = try await Command.run([
            "subscribe", "A.S", "--user", "ann", "--device", "d-1", "--platform", "Android", "--token", "t-1",
            "--project", project.path,
        ])
        #expect(subscribed.status == 0, "\(subscribed)")
        let target = try TemporaryFolder()
        let made = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(made.status == 0 && made.errors.contains("pg_dump --format=custom"), "\(made)")
        #expect(!made.errors.contains("s3cret"), "\(made)")
        let connection = "postgresql://\(PostgreSQLServer.user)@127.0.0.1:\(database.port)"
        let dumped = try await Command.shell(
            """
            export PGPASSWORD='\(PostgreSQLServer.password)'; PATH="$(ls -d /usr/lib/postgresql/*/bin | tail -n 1):$PATH"
            pg_dump --format=custom --file=store.dump \(connection)/postgres && createdb --maintenance-db=\(connection)/postgres copy \
                && pg_restore --dbname=\(connection)/copy store.dump \
                && lamplighter restore copy.tar.gz --to new --deliveries expire; test $? = 1 \
                && lamplighter restore copy.tar.gz --to new --deliveries hold
            """, in: target.url)
        #expect(dumped.status == 0 && dumped.errors.contains("pass --deliveries send or hold"), "\(dumped)")
        #expect(await server.end(with: SIGTERM) == 0)

        let copy = ["LAMPLIGHTER_STORE": PostgreSQLServer.address(of: "copy", port: database.port)]
        let second = try await ServerProcess([target.path("new")], environment: copy)
        let found = try await Command.run(["subscriptions", "--project", target.path("new")])
        #expect(found.output.contains("d-1"), "\(found)")
        let status = try await Command.run(["status", "--project", target.path("new")])
        #expect(status.output.contains("deliveries.hold is set"), "\(status)")
        #expect(await second.end(with: SIGTERM) == 0)
    }

    @Test("A restore refuses a folder with something in it, one that a server uses, and a damaged file")
    func refusals() async throws {
        let project = try makeProject("function run() {}")
        let target = try TemporaryFolder(["full/notes.txt": "mine"])
        let made = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(made.status == 0, "\(made)")
        func restore(_ file: String, to folder: String) async throws -> Command.Outcome {
            try await Command.shell("lamplighter restore \(file) --to \(folder) --deliveries send", in: target.url)
        }
        let full = try await restore("copy.tar.gz", to: "full")
        #expect(full.status == 1 && full.errors.contains("full is not empty; move it away"), "\(full)")
        let server = try await ServerProcess([project.path])
        let used = try await restore("copy.tar.gz", to: project.path)
        #expect(used.status == 1 && used.errors.contains("the server \(server.url)"), "\(used)")
        #expect(await server.end(with: SIGTERM) == 0)
        var bytes = try Data(contentsOf: target.url.appending(path: "copy.tar.gz"))
        bytes[bytes.count / 2] ^= 0xFF
        try bytes.write(to: target.url.appending(path: "damaged.tar.gz"))
        let damaged = try await restore("damaged.tar.gz", to: "new")
        #expect(damaged.status == 1 && damaged.errors.contains("damaged"), "\(damaged)")
        try bytes.prefix(200).write(to: target.url.appending(path: "cut.tar.gz"))
        #expect(try await restore("cut.tar.gz", to: "new").status == 1)
        #expect(!FileManager.default.fileExists(atPath: target.path("new")))
        let asked = try await Command.shell("lamplighter restore copy.tar.gz --to new", in: target.url)
        #expect(asked.status == 2 && asked.errors.contains("--deliveries"), "\(asked)")
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
