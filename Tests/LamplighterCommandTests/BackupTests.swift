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
                lamplighter deliveries --state queued --user bob --cancel && lamplighter deliveries --state queued --limit 1 --cancel
                """, in: copy.url)
            #expect(cancelled.output == "cancelled: 0\ncancelled: 1\n", "\(cancelled)")
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
        let project = try storedProject()
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

    @Test(
        "copies an adapter's database with the transactions beside it, whatever its name, and other files as they are")
    func otherDatabase() async throws {
        let project = try storedProject()
        try project.write("a note", to: "adapters/A/notes-wal")
        let target = try TemporaryFolder()
        let copied = try await Command.shell(
            """
            python3 - <<'END'
            import sqlite3, subprocess
            database = sqlite3.connect('\(project.path("adapters/A/orders.db"))')
            database.execute('PRAGMA journal_mode = WAL')
            database.execute('CREATE TABLE orders (number)')
            database.executemany('INSERT INTO orders VALUES (?)', [(n,) for n in range(100)])
            database.commit()
            subprocess.run(['lamplighter', 'backup', 'copy.tar.gz', '--project', '\(project.path)'], check=True)
            END
            tar -xzf copy.tar.gz && cat project/adapters/A/notes-wal && ls project/adapters/A \
                && python3 -c "import sqlite3; print(sqlite3.connect('project/adapters/A/orders.db').execute('SELECT count(*) FROM orders').fetchone())"
            """, in: target.url)
        #expect(copied.status == 0 && copied.output.hasSuffix("(100,)\n"), "\(copied)")
        #expect(copied.output.contains("a noteA-impl.js\nA.xml\nnotes-wal\norders.db\n"), "\(copied)")
    }

    /// Makes a project with a store.
    private func storedProject(_ files: [String: String] = [:]) throws -> TemporaryFolder {
        let project = try makeProject("function run() {}")
        for (path, text) in files { try project.write(text, to: path) }
        _ = try SQLStore(folder: project.path(".lamplighter"))
        return project
    }

    @Test("copies names of all kinds, links, and folders of the project with the names of the server's own files")
    func names() async throws {
        let project = try storedProject([
            "apps/x/grüße-日本.txt": "1", "apps/x/two\nlines": "2", "apps/x/back\\slash": "3", "apps/x/server.json": "4",
            "apps/x/lock/a.js": "5", "elsewhere/accounts": "", "elsewhere/settings.yaml": "name: shop\n",
        ])
        func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: project.path(path), withDestinationPath: target)
        }
        try link("apps/x/inside", to: "server.json")
        try link("apps/x/outside", to: "/etc/hostname")
        // Restored, they would lead out of the copy.
        try link(".lamplighter/accounts", to: project.path("elsewhere/accounts"))
        try link("lamplighter.yaml", to: "elsewhere/settings.yaml")
        let target = try TemporaryFolder()
        let made = try await Command.run(["backup", target.path("copy.tar.gz"), "--project", project.path])
        #expect(made.status == 0 && made.errors.contains("apps/x/outside is a link out of the project"), "\(made)")
        #expect(!made.errors.contains("inside"), "\(made)")
        let restored = try await Command.shell(
            """
            lamplighter restore copy.tar.gz --to new --deliveries hold && tar -xzf copy.tar.gz && sha256sum --quiet --check checksums.txt \
                && diff -r '\(project.path)/apps' new/apps && test ! -L new/lamplighter.yaml && test ! -L new/.lamplighter/accounts
            """, in: target.url)
        #expect(restored.status == 0, "\(restored)")
        #expect(try String(contentsOfFile: project.path("elsewhere/settings.yaml"), encoding: .utf8) == "name: shop\n")
    }

    @Test("copies a data folder behind a link, and refuses one without a store")
    func dataFolders() async throws {
        let project = try storedProject()
        let target = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: project.path(".lamplighter"), toPath: target.path("data"))
        let none = try await Command.run(["backup", target.path("none.tar.gz"), "--project", project.path])
        #expect(none.status == 1 && none.errors.contains("there is no store in the data folder"), "\(none)")
        try FileManager.default.createSymbolicLink(
            atPath: project.path(".lamplighter"), withDestinationPath: target.path("data"))
        let restored = try await Command.shell(
            """
            lamplighter backup copy.tar.gz --project '\(project.path)' && lamplighter restore copy.tar.gz --to new --deliveries send \
                && test -f new/.lamplighter/lamplighter.sqlite && test "$(stat -c %a new/.lamplighter)" = 700
            """, in: target.url)
        #expect(restored.status == 0, "\(restored)")
    }

    /// An entry that no backup has, as Python's tarfile makes it.
    enum ForeignEntry: String, CaseIterable {
        case hardLink = "e.type = tarfile.LNKTYPE; e.linkname = '../victim'"
        case device = "e.type = tarfile.CHRTYPE; e.devmajor = 1; e.devminor = 3"
        case pipe = "e.type = tarfile.FIFOTYPE"
        case parent = "e.name = 'project/../../victim'; e.size = 4"
        case absolute = "e.name = '/tmp/lamplighter-victim'; e.size = 4"
        case unlisted = "e.size = 4"
        case twice = "e.name = 'project/lamplighter.yaml'; e.size = 4"
        case dataLink = "e.name = 'project/.lamplighter'; e.type = tarfile.SYMTYPE; e.linkname = '/tmp'"
        case settingsLink = "e.name = 'project/lamplighter.yml'; e.type = tarfile.SYMTYPE; e.linkname = '/tmp/x'"
    }

    @Test("A restore refuses an entry that no backup has, and writes nothing", arguments: ForeignEntry.allCases)
    func foreignEntry(entry: ForeignEntry) async throws {
        let target = try TemporaryFolder(["victim": "mine"])
        let outcome = try await Command.shell(
            """
            python3 - <<'END'
            import tarfile, io, hashlib
            with tarfile.open('copy.tar.gz', 'w:gz', format=tarfile.PAX_FORMAT) as t:
                def add(name, data):
                    i = tarfile.TarInfo(name); i.size = len(data); t.addfile(i, io.BytesIO(data))
                add('project/lamplighter.yaml', b'name: shop')
                add('data/server-name', b'name')
                e = tarfile.TarInfo('project/x'); e.pax_headers = {'comment': 'x'}
                \(entry.rawValue)
                t.addfile(e, io.BytesIO(b'EVIL'))
                sums = [('project/lamplighter.yaml', b'name: shop'), ('data/server-name', b'name')]
                add('checksums.txt', ''.join(hashlib.sha256(d).hexdigest() + '  ' + n + chr(10) for n, d in sums).encode())
            END
            lamplighter restore copy.tar.gz --to new --deliveries send
            """, in: target.url)
        #expect(outcome.status == 1 && outcome.errors.contains(" in it "), "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).sorted() == ["copy.tar.gz", "victim"])
        #expect(try String(contentsOfFile: target.path("victim"), encoding: .utf8) == "mine")
    }

    @Test("ends by Ctrl-C and SIGTERM without a remainder", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let project = try storedProject()
        // Random numbers take a while to compress.
        let made = try await Command.shell("head -c 200000000 /dev/urandom > apps.bin", in: project.url)
        #expect(made.status == 0, "\(made)")
        let target = try TemporaryFolder()
        let command = try RunningCommand(["backup", target.path("copy.tar.gz"), "--project", project.path])
        try await FolderWatch(target.url).wait {
            let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
            guard let folder = names.first(where: { $0.hasPrefix(".backup-") }) else { return false }
            return FileManager.default.fileExists(atPath: target.path("\(folder)/copy.tar.gz"))
        }
        #expect(await command.end(with: signal) == 128 + signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
    }

    @Test("A restore continues after one that was killed, and ends deliveries of all servers")
    func afterKill() async throws {
        let project = try makeFanOutProject()
        let store = try project.subscribe(3, platform: .apple) { _ in "ann" }
        let called = try await Command.run(["call", "A/all", #"["ann"]"#, "--project", project.path])
        #expect(called.status == 0, "\(called)")
        let target = try TemporaryFolder(["new/.restore-1/lamplighter.yaml": "name: rest"])
        let waiting = try store.outbox.depth().waiting
        try #require(waiting == 3)
        _ = try store.outbox.claim(
            limit: 1, of: Set(DeliveryChannel.allCases), lease: .seconds(3600), worker: "another")
        let restored = try await Command.shell(
            """
            lamplighter backup copy.tar.gz --project '\(project.path)' && lamplighter restore copy.tar.gz --to new --deliveries expire
            """, in: target.url)
        #expect(restored.status == 0 && restored.output.contains("refused: 3"), "\(restored)")
        let copy = try SQLStore(folder: target.path("new/.lamplighter"))
        #expect(try copy.outbox.depth().waiting == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path("new")).contains("adapters"))
    }

    @Test(
        "hold is refused where the settings cannot be extended, and takes settings that name missing variables",
        arguments: [
            ("name: ${NOT_SET}\n", true), ("deliveries:\n  retention: 3", true), ("# nothing\n", true),
            ("{name: shop}\n", false), ("deliveries.hold: false\n", false),
        ])
    func holdForms(settings: String, isTaken: Bool) async throws {
        let project = try storedProject(["lamplighter.yaml": settings])
        let target = try TemporaryFolder()
        let outcome = try await Command.shell(
            """
            NOT_SET=shop lamplighter backup copy.tar.gz --project '\(project.path)' || exit 9
            lamplighter restore copy.tar.gz --to new --deliveries hold && tail -n 1 new/lamplighter.yaml
            """, in: target.url)
        #expect(outcome.status == (isTaken ? 0 : 1), "\(outcome)")
        #expect(outcome.output.hasSuffix("\ndeliveries.hold: true\n") == isTaken, "\(outcome)")
        #expect(FileManager.default.fileExists(atPath: target.path("new")) == isTaken)
    }

    @Test("writes over no file, and not into the folder that it copies")
    func target() async throws {
        let project = try storedProject()
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
