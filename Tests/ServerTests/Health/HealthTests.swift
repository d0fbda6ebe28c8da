import Core
import Foundation
import HTTPServer
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation
@testable import Server

@Suite("Health", .defaultTimeLimit)
struct HealthTests {
    private static let quiet = "function run() { return {}; }"
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": quiet]

    @Test("is one word for callers without a role", arguments: ["/health", "/health/ready"])
    func oneWord(path: String) async throws {
        let files = Self.files.merging(["adapters/B/B.xml": "<broken"]) { _, new in new }
        try await RunningServer.run(files: files) { (server) async throws in
            let answer = try await server.send(.GET, path)
            #expect(answer.status == 200 && answer.body == #"{"status":"degraded"}"#)
            let page = try await server.send(.GET, "/health", headers: [("Accept", "text/html")])
            #expect(page.body.contains("<h1>Degraded</h1>") && !page.body.contains("B.xml"))
        }
    }

    @Test("names the file of an adapter that cannot be loaded, and what to do, for callers with a role")
    func brokenAdapter() async throws {
        let files = Self.files.merging(["adapters/B/B.xml": "<broken"]) { _, new in new }
        try await RunningServer.run(files: files) { (server) async throws in
            let finding = try await server.finding(of: "adapters")
            #expect(finding["severity"]?.string == "error" && finding["since"] != nil)
            #expect(finding["name"]?.string?.hasPrefix("adapters/B/B.xml") == true)
            #expect(finding["remedy"]?.string?.hasPrefix("correct the file") == true)
            let token = try JSONValue(
                parsing: try await server.manage(.POST, "tokens", body: #"{"name":"nagios","role":"monitor"}"#).body)
            let secret = try #require(token["token"]?.string)
            let page = try await server.send(.GET, "/health", key: secret, headers: [("Accept", "text/html")])
            #expect(page.body.contains("adapters/B/B.xml"))
        }
    }

    @Test("is not ready when no adapter of the project is loaded", arguments: [InstallationSettings.Mode.production])
    func noAdapter(mode: InstallationSettings.Mode) async throws {
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function ("],
            change: { $0.mode = mode }
        ) { (server) async throws in
            let answer = try await server.send(.GET, "/health/ready")
            #expect(answer.status == 503 && answer.body == #"{"status":"not ready"}"#)
            let texts = try await server.health().findings.map { $0["text"]?.string }
            #expect(texts.contains("no adapter of the project is loaded"))
        }
    }

    @Test("is not ready in production without any adapter, and ready in development")
    func emptyProject() async throws {
        for (mode, status) in [(InstallationSettings.Mode.production, 503), (.development, 200)] {
            try await RunningServer.run(files: ["adapters/readme.txt": ""], change: { $0.mode = mode }) {
                (server) async throws in
                #expect(try await server.send(.GET, "/health/ready").status == status)
            }
        }
    }

    @Test("has an error in production when adapters notify and there are no credentials")
    func noCredentials() async throws {
        try await RunningServer.run(
            script: "WL.Server.createEventSource({ name: 'S' });", change: { $0.mode = .production }
        ) { (server) async throws in
            let finding = try await server.finding(of: "credentials")
            #expect(finding["severity"]?.string == "error")
            #expect(finding["text"]?.string?.hasPrefix("there are no credentials for any push service") == true)
        }
    }

    @Test("has a new begin when a warning becomes an error")
    func worse() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: ".lamplighter/accounts")
        let file = folder.path(".lamplighter/accounts")
        chmod(file, 0o666)
        try await RunningServer.run(script: "", in: folder) { (server) async throws in
            let warning = try await server.finding(of: "accounts")
            #expect(warning["severity"]?.string == "warning")
            try "broken".write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, 0o600)
            var error = warning
            while error["severity"]?.string != "error" { error = try await server.finding(of: "accounts") }
            #expect(try #require(error["since"]?.string) > #require(warning["since"]?.string))
        }
    }

    @Test("the command line finds the server once its note can be written, with the next checks")
    func lateNote() async throws {
        let (folder, time) = (try TemporaryFolder(), ManualTime())
        // A folder in the way.
        try folder.write("", to: ".lamplighter/server.json.new/file")
        let log = LogRecorder()
        var settings = InstallationSettings(project: folder.url)
        settings.port = 0
        let installation = try await Installation(opening: settings, logger: log.logger, time: time)
        let server = LamplighterServer(installation, logger: log.logger) { _, _ in }
        let running = Task { try await server.run() }
        try await log.lines.wait { $0.contains { $0.message.contains("the command line cannot find this server") } }
        try FileManager.default.removeItem(atPath: folder.path(".lamplighter/server.json.new"))
        while DataFolder.serverNote(in: settings.dataFolder) == nil {
            time.advance(by: HealthMonitor.pause)
            try Task.checkCancellation()
            await Task.yield()
        }
        running.cancel()
        try? await running.value
        await installation.close()
    }

    @Test("is not ready while the disk of the data folder is full", .enabled(if: SmallDisk.isAvailable))
    func fullDisk() async throws {
        let disk = try SmallDisk()
        try await RunningServer.run(script: Self.quiet) { settings in
            settings.data = disk.url.appending(path: "data")
            settings.leastFreeSpace = 1 << 20
        } _: { (server) async throws in
            #expect(try await server.health().status == 200)
            try disk.fill()
            let finding = try await server.finding(of: "store")
            #expect(finding["text"]?.string?.contains("disk is full") == true)
            #expect(try await server.send(.GET, "/health/ready").status == 503)
            #expect(try await server.health().findings.contains { $0["subject"]?.string == "disk" })
            try disk.free()
            try await server.waitForEnd(of: "store")
            #expect(try await server.send(.GET, "/health/ready").status == 200)
        }
    }

    @Test("warns when the disk has less space than health.freeSpace")
    func littleSpace() async throws {
        try await RunningServer.run(script: Self.quiet) {
            $0.leastFreeSpace = 1 << 60
        } _: { (server) async throws in
            let finding = try await server.finding(of: "disk")
            #expect(finding["severity"]?.string == "warning")
            #expect(finding["remedy"]?.string?.contains("health.freeSpace") == true)
        }
    }

    @Test("leaves out the checks of health.ignore")
    func ignored() async throws {
        try await RunningServer.run(script: Self.quiet) {
            $0.leastFreeSpace = 1 << 60
            $0.ignoredChecks = [.disk]
        } _: { (server) async throws in
            let report = try await server.health()
            #expect(report.state == "ready", "\(report)")
        }
    }

    @Test("has an error when the accounts file has a broken line, and a warning when others may write it")
    func accounts() async throws {
        try await RunningServer.run(script: Self.quiet) { (server) async throws in
            let file = server.installation.settings.dataFolder.appending(path: "accounts")
            try Data("ann:admin:nothing\n".utf8).write(to: file)
            let broken = try await server.finding(of: "accounts")
            #expect(broken["severity"]?.string == "error")
            #expect(broken["text"]?.string?.contains("accounts:1") == true)
            try Data("# none\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
            while try await server.finding(of: "accounts")["severity"]?.string != "warning" {}
            #expect(try await server.finding(of: "accounts")["text"]?.string?.contains("(mode 666)") == true)
        }
    }

    @Test("warns of the server's own certificate 30 days before it expires", arguments: [29, 400])
    func certificate(days: Int) async throws {
        let folder = try TemporaryFolder()
        try await OpenSSL.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
            "-out",
            "certificate.pem", "-days", "\(days)", "-subj", "/CN=localhost", in: folder)
        try await RunningServer.run(script: Self.quiet) {
            $0.tls = .init(certificate: folder.path + "/certificate.pem", key: folder.path + "/key.pem")
        } _: { (server) async throws in
            let findings = try await server.health().findings.filter { $0["subject"]?.string == "certificate" }
            #expect(findings.count == (days < 30 ? 1 : 0))
            #expect(findings.allSatisfy { $0["text"]?.string?.contains("expires on") == true })
            try Data("nothing".utf8).write(to: URL(filePath: folder.path + "/certificate.pem"))
            server.installation.server.facts.certificate?.reload()
            #expect(server.installation.checkCertificate().findings.contains { $0.name == "new" })
        }
    }

    @Test("keeps the time since which a poll fails over a restart")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let script = """
            WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: poll } });
            function poll() { throw new Error('no back end'); }
            """
        let since = AwaitableValue<String?>(nil)
        try await RunningServer.run(script: script, in: folder) { (server) async throws in
            let finding = try await server.finding(of: "polls")
            #expect(finding["text"]?.string?.hasPrefix("the poll of A.S fails: ") == true)
            since.update { $0 = finding["since"]?.string }
        }
        try await RunningServer.run(script: script, in: folder) { (server) async throws in
            #expect(try await server.finding(of: "polls")["since"]?.string == since.value)
        }
    }
}
