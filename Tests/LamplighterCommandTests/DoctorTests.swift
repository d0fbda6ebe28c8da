import Core
import Foundation
import Storage
import TestSupport
import Testing

@Suite("lamplighter doctor", .defaultTimeLimit)
struct DoctorTests {
    /// Settings that need little of the machine.
    private static let settings = "port: 0\nconsole.port: 0\nlimits.connections: 100\nhealth.freeSpace: 1\n"

    /// Runs the command, which must report a state for each check.
    private func doctor(
        _ project: TemporaryFolder, environment: [String: String] = [:]
    ) async throws -> (status: Int32, lines: [String]) {
        let outcome = try await Command.run(["doctor", project.path, "--json"], environment: environment)
        let lines = try JSONValue(parsing: outcome.output).array ?? []
        return (outcome.status, lines.map { "\($0["state"]?.string ?? "") \($0["subject"]?.string ?? ""): \($0)" })
    }

    /// A project that a server has run.
    private func usedProject() async throws -> TemporaryFolder {
        let project = try makeProject("function run() {}")
        try project.write(Self.settings, to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        #expect(await server.end(with: SIGTERM) == 0)
        return project
    }

    @Test("reports no fault of a project that a server has run, and changes no file")
    func healthy() async throws {
        let project = try await usedProject()
        // Readers of SQLite have two files beside it.
        func contents() async throws -> String {
            try await Command.shell(
                "find . -type f ! -name '*-shm' ! -name '*-wal' | sort | xargs sha256sum", in: project.url
            ).output
        }
        let before = try await contents()
        let outcome = try await Command.run(["doctor", project.path])
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 0 && lines.allSatisfy { $0.hasPrefix("ok ") }, "\(outcome)")
        for subject in ["engine", "project", "owners", "secrets", "disk", "server", "store", "files"] {
            #expect(lines.contains { $0.contains(" \(subject): ") }, "\(subject)")
        }
        #expect(try await contents() == before)
    }

    /// A fault without a running server.
    enum Fault: String, CaseIterable {
        case noJIT, openKey, openSettings, expiredCertificate, fewFiles, takenPort, damagedStore, laterStore,
            foreignFile,
            fullDisk, brokenScript, pipe, closedFolder, folderAsLog, unreadableSettings, unknownSetting, closedLog,
            unreachableDatabase

        /// The beginning of the line, and a part of it.
        var line: (String, String) {
            switch self {
            case .noJIT: ("warning engine", "without its JIT")
            case .openKey: ("error secrets", "tls.key")
            case .openSettings: ("error secrets", "lamplighter.yaml")
            case .pipe: ("error store", "it is not a file")
            case .closedFolder: ("error owners", "secrets")
            case .folderAsLog: ("error log", "is a folder")
            case .unreadableSettings: ("error settings", "lamplighter.yaml cannot be read by the user")
            case .expiredCertificate: ("error project", "has expired on 2020-02-01")
            case .fewFiles: ("warning files", "may open 400 files")
            case .takenPort: ("error port", "listens on 127.0.0.1:")
            case .damagedStore: ("error store", "lamplighter.sqlite")
            case .laterStore: ("error store", "version 99")
            case .foreignFile: ("error owners", "accounts belongs to nobody")
            case .fullDisk: ("warning disk", "health.freeSpace is 1024 GB")
            case .brokenScript: ("error project", "A-impl.js:1")
            case .unknownSetting: ("error settings", "lamplighter.yaml:5")
            case .closedLog: ("error log", "missing")
            case .unreachableDatabase: ("error store", "127.0.0.1:1")
            }
        }
    }

    @Test("finds a fault without a running server, with its remedy", arguments: Fault.allCases)
    func fault(_ fault: Fault) async throws {
        let needsStore = [.damagedStore, .laterStore].contains(fault)
        let project = needsStore ? try await usedProject() : try makeProject("function run() {}")
        var settings = Self.settings
        var environment: [String: String] = [:]
        var listener: LoopbackServer?
        var limit = ""
        let store = project.path(".lamplighter/lamplighter.sqlite")
        func chmod(_ path: String, _ mode: Int) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try chmod(project.path, 0o755)
        switch fault {
        case .noJIT: environment["JSC_useJIT"] = "0"
        case .openKey:
            try await OpenSSL.run(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "tls.key",
                "-out", "tls.pem", "-subj", "/CN=localhost", "-days", "90", in: project)
            try chmod(project.path("tls.key"), 0o644)
            settings += "tls: {certificate: tls.pem, key: tls.key}\n"
        case .openSettings: settings += "backEnds.token: a-secret-of-a-back-end-0123456789\n"
        case .expiredCertificate:
            try await project.makeExpiredCertificate()
            settings += "tls: {certificate: old.pem, key: old.key}\n"
        case .fewFiles: limit = "ulimit -n 400; "
        case .takenPort:
            let server = try LoopbackServer { _ in .nothing }
            settings = settings.replacing("port: 0\nconsole", with: "port: \(server.port)\nconsole")
            listener = server
        case .damagedStore:
            let file = try FileHandle(forWritingTo: URL(filePath: store))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x5A, count: 16384))
            try file.close()
        case .laterStore:
            let changed = try await Command.shell(
                """
                python3 -c "import sqlite3; c = sqlite3.connect('\(store)'); c.execute('UPDATE store_version SET oldest_reader = 99'); \
                c.execute('PRAGMA user_version = 99'); c.commit()"
                """, in: project.url)
            #expect(changed.status == 0, "\(changed)")
        case .foreignFile:
            // Only root may do this.
            guard geteuid() == 0 else { return }
            try project.write("", to: ".lamplighter/accounts")
            try FileManager.default.setAttributes(
                [.ownerAccountName: "nobody"], ofItemAtPath: project.path(".lamplighter/accounts"))
        case .pipe: #expect(mkfifo(store, 0o600) == 0)
        case .closedFolder:
            // Root may read all folders.
            let folder = project.path(".lamplighter/secrets")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if geteuid() == 0 {
                try FileManager.default.setAttributes([.ownerAccountName: "nobody"], ofItemAtPath: folder)
            } else {
                try chmod(folder, 0)
            }
        case .unreadableSettings:
            try FileManager.default.createDirectory(
                atPath: project.path("lamplighter.yaml"), withIntermediateDirectories: false)
        case .folderAsLog: settings += "log.file: adapters\n"
        case .fullDisk: settings = settings.replacing("freeSpace: 1\n", with: "freeSpace: 1048576\n")
        case .brokenScript: try project.write("function (", to: "adapters/A/A-impl.js")
        case .unknownSetting: settings += "porrt: 1\n"
        case .closedLog: settings += "log.file: missing/server.log\n"
        case .unreachableDatabase: settings += "store: postgres://user:secret@127.0.0.1:1/lamplighter\n"
        }
        if fault != .unreadableSettings { try project.write(settings, to: "lamplighter.yaml") }
        if fault != .openSettings { try chmod(project.path("lamplighter.yaml"), 0o600) }
        let outcome = try await Command.shell(
            limit + environment.map { "\($0.key)=\($0.value) " }.joined() + "lamplighter doctor . --json",
            in: project.url)
        let (beginning, part) = fault.line
        let lines = (try JSONValue(parsing: outcome.output).array ?? []).map {
            "\($0["state"]?.string ?? "") \($0["subject"]?.string ?? ""): \($0["text"]?.string ?? "") "
                + ($0["remedy"]?.string ?? "")
        }
        let found = lines.filter { !$0.hasPrefix("ok ") }
        #expect(found.count == 1, "\(lines)")
        #expect(found.first?.hasPrefix(beginning) == true && found.first?.contains(part) == true, "\(lines)")
        #expect(outcome.status == (beginning.hasPrefix("error") ? 1 : 0))
        #expect(!outcome.output.contains("a-secret-of") && !outcome.output.contains(":secret"))
        await listener?.stop()
    }

    @Test("shows the findings of a running server's health checks")
    func findings() async throws {
        let project = try makeProject("function run() {}")
        try project.write("deliveries.hold: true\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let found = try await doctor(project)
        #expect(found.status == 0 && found.lines.contains { $0.hasPrefix("ok server: ") }, "\(found)")
        #expect(found.lines.contains { $0.hasPrefix("warning deliveries: ") && $0.contains("deliveries.hold is set") })
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("finds a server that was killed, and one that uses files from before an update")
    func server() async throws {
        let project = try makeProject("function run() {}")
        let program = project.path("lamplighter")
        try FileManager.default.copyItem(atPath: Command.binary, toPath: program)
        let server = try await ServerProcess([project.path], program: program)
        #expect(try await !doctor(project).lines.contains { $0.hasPrefix("warning updates") })
        try FileManager.default.removeItem(atPath: program)
        // A report of the health checks is up to a second old.
        try await waitUntil {
            try await doctor(project).lines.contains { $0.hasPrefix("warning updates") && $0.contains(program) }
        }
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        let killed = try await doctor(project)
        #expect(killed.lines.contains { $0.hasPrefix("warning server: ") && $0.contains("was killed or crashed") })
        #expect(killed.status == 0, "\(killed)")
    }

    @Test("A store that is damaged under a running server is an error of its health, until the server ends")
    func damagedWhileRunning() async throws {
        let project = try makeProject("function run() {}")
        let server = try await ServerProcess([project.path])
        let damaged = try await Command.shell(
            """
            python3 - <<'END'
            import sqlite3
            path = '.lamplighter/lamplighter.sqlite'
            sqlite3.connect(path).execute('PRAGMA wal_checkpoint(TRUNCATE)')
            with open(path, 'r+b') as file:
                file.seek(4096)
                file.write(b'Z' * 4096 * 200)
            END
            lamplighter devices || lamplighter subscriptions || lamplighter deliveries
            """, in: project.url)
        #expect(damaged.errors.contains("(SQLite error 11)"), "\(damaged)")
        // A report of the health checks is up to a second old.
        try await waitUntil {
            let found = try await doctor(project)
            return found.status == 1 && found.lines.contains { $0.hasPrefix("error store: ") }
        }
        let status = try await Command.run(["status", "--project", project.path])
        #expect(status.status == 2 && status.output.contains("the store is damaged"), "\(status)")
        _ = await server.end(with: SIGTERM)
    }

    @Test("reports a server that does not respond, and waits no longer than its timeout")
    func hanging() async throws {
        let project = try makeProject("function run() {}")
        let server = try await ServerProcess([project.path])
        server.signal(SIGSTOP)
        async let status = Command.run(["status", "--project", project.path])
        let found = try await doctor(project)
        #expect(try await status.status == 2)
        server.signal(SIGCONT)
        #expect(found.status == 1, "\(found)")
        #expect(found.lines.contains { $0.hasPrefix("error server: ") && $0.contains("does not respond") }, "\(found)")
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
