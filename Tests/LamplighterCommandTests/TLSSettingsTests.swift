import Foundation
import TestSupport
import Testing

/// The effect of TLS settings on the network; the client is OpenSSL's.
@Suite("Settings of TLS", .defaultTimeLimit)
struct TLSSettingsTests {
    private let certificates: TestCertificates
    private let project: TemporaryFolder

    init() throws {
        certificates = try TestCertificates()
        project = try makeProject("function run() {}")
    }

    private func server(_ environment: [String: String] = [:]) async throws -> ServerProcess {
        try await ServerProcess(
            [
                project.path, "--tls-certificate", certificates.path("a.pem"), "--tls-key", certificates.path("a.key"),
            ], environment: environment)
    }

    /// Connects with one version of TLS, and asks for the server's health.
    private func ask(_ server: ServerProcess, _ version: String) async throws -> String {
        let port = try #require(URL(string: server.url)?.port)
        return try await Command.shell(
            #"printf 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' | "#
                + "openssl s_client -connect 127.0.0.1:\(port) -\(version) -cipher ALL:@SECLEVEL=0 -ign_eof 2>&1",
            in: project.url
        ).output
    }

    @Test("A server speaks TLS 1.2 and newer, and no HSTS") func standard() async throws {
        let server = try await server()
        for version in ["tls1", "tls1_1"] {
            #expect(try await !ask(server, version).contains("HTTP/1.1 200 OK"), "\(version)")
        }
        for version in ["tls1_2", "tls1_3"] {
            let answer = try await ask(server, version)
            #expect(answer.contains("HTTP/1.1 200 OK"), "\(answer)")
            #expect(!answer.contains("Strict-Transport-Security"))
        }
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        #expect(!log.contains("tls.minimumVersion is") && log.contains("refused a TLS handshake of an older version"))
    }

    @Test("tls.minimumVersion lets old phones connect, with a warning; tls.hsts is sent in seconds")
    func old() async throws {
        let server = try await server([
            "LAMPLIGHTER_TLS_MINIMUM_VERSION": "1.0", "LAMPLIGHTER_TLS_HSTS": "365",
        ])
        for version in ["tls1", "tls1_1", "tls1_2", "tls1_3"] {
            let answer = try await ask(server, version)
            #expect(answer.contains("HTTP/1.1 200 OK"), "\(answer)")
            #expect(answer.contains("Strict-Transport-Security: max-age=31536000\r\n"))
        }
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        #expect(
            log.split(separator: "\n").contains { $0.contains("warning") && $0.contains("tls.minimumVersion is 1.0") })
    }

    @Test("A version that does not exist is refused", arguments: ["1.4", "3", "ssl3", ""])
    func wrong(version: String) async throws {
        let outcome = try await Command.run(
            ["serve", "--port", "0", project.path], environment: ["LAMPLIGHTER_TLS_MINIMUM_VERSION": version])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("expected 1.0, 1.1, 1.2 or 1.3"), "\(outcome.errors)")
    }
}
