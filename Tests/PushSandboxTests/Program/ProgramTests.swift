import Core
import Foundation
import TestSupport
import Testing

@Suite("The program push-sandbox", .defaultTimeLimit)
struct ProgramTests {
    /// The port after `name` in the program's output when it is ready.
    private func port(_ name: String, in text: String) throws -> Int {
        let line = try #require(text.split(separator: "\n").first { $0.contains(name) }, "\(text)")
        return try #require(line.firstMatch(of: /localhost:(\d+)/).flatMap { Int($0.1) })
    }

    @Test("prints its addresses and ends on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
    func ends(signal: Int32) async throws {
        let program = try SandboxProcess(SandboxProcess.freePorts)
        let text = try await program.output(with: "settings ")
        for name in ["phones", "APNs", "FCM, WNS", "SMS"] { #expect(try port(name, in: text) > 0) }
        program.send(signal)
        #expect(await program.exitStatus == 0)
    }

    @Test("ends although a page is open and a request waits")
    func endsWithOpenConnections() async throws {
        let program = try SandboxProcess(SandboxProcess.freePorts + ["--fault", "sms:never"])
        let text = try await program.output(with: "fault ")
        let ports = (page: try port("phones", in: text), sms: try port("SMS", in: text))
        let page = try await RawClient(port: ports.page)
        try await page.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let sms = try await RawClient(port: ports.sms)
        try await sms.send("GET /?to=12345&text=x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await page.read(until: "event: instance").contains("event: instance"))
        program.send(SIGTERM)
        #expect(await program.exitStatus == 0)
        for client in [page, sms] { await client.close() }
    }

    @Test("prints arrivals as lines of JSON, and everything else elsewhere")
    func printsJSON() async throws {
        let program = try SandboxProcess(SandboxProcess.freePorts + ["--json"])
        let port = try port("SMS", in: try await program.errors(with: "settings "))
        let client = try await RawClient(port: port)
        try await client.send("GET /?to=12345&text=hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let line = try await program.output(with: "\n")
        let arrival = try JSONValue(parsing: line.trimmingCharacters(in: .newlines))
        #expect(arrival["service"] == "sms")
        #expect(arrival["token"] == "12345")
        #expect(arrival["body"] == "hello")
        #expect(arrival["accepted"] == true)
        await client.close()
    }

    @Test("keeps a server's files in its folder, and a second start uses the same keys")
    func writesFolder() async throws {
        let folder = try TemporaryFolder()
        func contents(_ name: String) throws -> String {
            try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
        }
        var roots: [String] = []
        for _ in 1...2 {
            let program = try SandboxProcess(SandboxProcess.freePorts + ["--folder", folder.path])
            let text = try await program.output(with: "settings ")
            let yaml = try contents("lamplighter.yaml")
            #expect(yaml.contains("endpoint: https://localhost:\(try port("APNs", in: text))"))
            #expect(yaml.contains("serviceAccount: \"\(folder.path)/service-account.json\""))
            roots.append(try contents("root.pem") + contents("apns-key.p8"))
            program.send(SIGTERM)
            #expect(await program.exitStatus == 0)
        }
        #expect(roots[0] == roots[1])
        #expect(try contents("service-account.json").contains("\"token_uri\""))
        #expect(try contents("apns-certificate.pem").hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(try contents("apns-certificate.key").hasPrefix("-----BEGIN PRIVATE KEY-----"))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.url.appending(path: "apns-key.p8").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "rejects invalid options, and names the expected values",
        arguments: [
            (["--apns-port", "99999"], "a port between 0 and 65535 was expected"),
            (["--fault", "apns:loudly"], "'loudly' should be a status such as 503"),
            (["--keep=-1"], "0 or more was expected"),
            (["--folder", "/proc/none"], "choose a writable folder with --folder"),
        ])
    func explainsOptions(arguments: [String], problem: String) async throws {
        let program = try SandboxProcess(
            arguments.contains("--apns-port") ? arguments : SandboxProcess.freePorts + arguments)
        #expect(await program.exitStatus != 0)
        let text = try await program.errors(with: problem)
        #expect(text.contains(problem), "\(text)")
    }

    @Test("A port that is taken is named")
    func namesTakenPort() async throws {
        let taken = try Listener()
        let program = try SandboxProcess(SandboxProcess.freePorts + ["--sms-port", String(taken.port)])
        #expect(await program.exitStatus != 0)
        let text = try await program.errors(with: "choose another port")
        #expect(
            text.contains("cannot listen on 127.0.0.1:\(taken.port) for SMS: another program does already; "), "\(text)"
        )
        #expect(text.contains("choose another port"))
    }
}
