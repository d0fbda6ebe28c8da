import Foundation
import TestSupport
import Testing

@Suite("Calling a server by its address")
struct CallServerTests {
    private static let token = "0123456789abcdef"
    private static let shown = ["LAMPLIGHTER_BACK_ENDS_TOKEN": token]
    private static let script = "function run() { return { result: 'done' } }"

    private func project(_ yaml: String = "backEnds:\n  token: \(token)\n") throws -> TemporaryFolder {
        let project = try makeProject(Self.script)
        try project.write(yaml, to: "lamplighter.yaml")
        return project
    }

    /// Runs `call` in a folder without settings.
    private func call(
        _ url: String, _ more: [String] = [], environment: [String: String] = [:]
    ) async throws -> Command.Outcome {
        let empty = try TemporaryFolder()
        return try await Command.run(
            ["call", "A/run", "--server", url, "--project", empty.path] + more, environment: environment)
    }

    @Test(
        "An invalid URL is wrong usage, and the error shows the expected form",
        arguments: ["localhost:10080", "ftp://localhost", "http://", "http://localhost?x=1", "http://ann:pw@localhost"])
    func badURL(url: String) async throws {
        let outcome = try await call(url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("The value '\(url)' is invalid for '--server <url>'"))
        #expect(outcome.errors.contains("http:// or https://, host, port and context root"))
    }

    @Test("The context root belongs to the URL, with or without a slash at its end")
    func contextRoot() async throws {
        let project = try project("contextRoot: /wl/app\nbackEnds:\n  token: \(Self.token)\n")
        let server = try await ServerProcess([project.path])
        for end in ["", "/"] {
            #expect(
                try await call(server.url + "/wl/app" + end, environment: Self.shown).output
                    == #"{"isSuccessful":true,"result":"done"}"# + "\n")
        }
        let wrong = try await call(server.url)
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("is its context root in the URL"))
    }

    @Test("A server that does not run and an unknown host are reported")
    func notRunning() async throws {
        let url = "http://127.0.0.1:\(closedPort)"
        let refused = try await call(url)
        #expect(refused.status == 1)
        #expect(refused.errors == "lamplighter: nothing listens at \(url); start the server, or check host and port\n")
        let lost = try await call("http://nobody.invalid:1")
        #expect(lost.errors.contains("there is no host 'nobody.invalid'; check http://nobody.invalid:1"))
    }

    @Test("An unreachable server is not retried repeatedly")
    func notTriedAgain() async throws {
        let output = ProcessLog()
        let server = try ChildProcess(
            "python3",
            [
                "-uc",
                """
                import socket
                s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])
                while True:
                    c, _ = s.accept(); print('came'); c.close()
                """,
            ], output: output.pipe())
        let port = await output.text(with: "\n").trimmingCharacters(in: .newlines)
        #expect(try await call("https://127.0.0.1:\(port)").status == 1)
        server.send(SIGKILL)
        let log = await output.text(with: nil)
        #expect(log.components(separatedBy: "came").count == 2, "\(log)")
    }

    @Test(
        "A connection that breaks within the response, or a response that is not HTTP, is reported",
        arguments: [
            (
                "HTTP/1.1 200 OK\\r\\nContent-Length: 1000\\r\\n\\r\\n{",
                "closed the connection in the middle of its response"
            ),
            ("SSH-2.0-OpenSSH_9.6\\r\\n\\r\\n", "does not speak HTTP"),
        ])
    func brokenAnswer(answer: String, told: String) async throws {
        let output = ProcessLog()
        let server = try ChildProcess(
            "python3",
            [
                "-uc",
                """
                import socket
                s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])
                c, _ = s.accept(); c.recv(65536); c.sendall(b'\(answer)'); c.close()
                """,
            ], output: output.pipe())
        defer { server.send(SIGKILL) }
        let port = await output.text(with: "\n").trimmingCharacters(in: .newlines)
        let outcome = try await call("http://127.0.0.1:\(port)")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
    }

    @Test("The token comes from file, environment or settings; a missing or wrong one is explained")
    func token() async throws {
        let project = try project("backEnds:\n  token: \(Self.token)\nmode: development\n")
        try project.write(
            adapterXML("A").replacing(
                "name=\"run\"", with: "name=\"run\" securityTest=\"T\""),
            to: "adapters/A/A.xml")
        try project.write(
            """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
              <securityTests><customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
              <realms><realm name="R" loginModule="M"><className>com.worklight.integration.auth.AdapterAuthenticator</className>
                <parameter name="login-function" value="A.run"/><parameter name="logout-function" value="A.run"/></realm></realms>
              <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """, to: "server/conf/authenticationConfig.xml")
        let server = try await ServerProcess([project.path])
        let none = try await call(server.url)
        #expect(none.status == 1)
        #expect(none.errors.contains("needs a token (401)"), "\(none)")
        let wrong = try await call(server.url, environment: ["LAMPLIGHTER_BACK_ENDS_TOKEN": "fedcba9876543210"])
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("does not know the token (401)"), "\(wrong)")
        let file = try project.write(Self.token + "\n", to: "token").path
        #expect(try await call(server.url, ["--token-file", file]).status == 0)
        #expect(try await call(server.url, environment: ["LAMPLIGHTER_BACK_ENDS_TOKEN": Self.token]).status == 0)
        let own = try await Command.run(["call", "A/run", "--server", server.url, "--project", project.path])
        #expect(own.status == 0)
        #expect(
            try await call(server.url, ["--token-file", "/nonexistent"]).errors.contains(
                "--token-file /nonexistent: there is no such file"))
    }

    @Test("A development server needs the key in its data folder, and names the key's file")
    func developmentKey() async throws {
        let project = try project("port: 0\n")
        let server = try await ServerProcess([project.path])
        let refused = try await call(server.url)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--token-file .lamplighter/development-key"), "\(refused.errors)")
        let key = project.path(".lamplighter/development-key")
        #expect(
            try await call(server.url, ["--token-file", key]).output == #"{"isSuccessful":true,"result":"done"}"# + "\n"
        )
    }

    @Test("A certificate of an unknown authority is refused, unless the authority is named")
    func certificates() async throws {
        let certificates = try TestCertificates()
        let project = try project()
        let server = try await ServerProcess([
            project.path, "--tls-certificate", certificates.path("localhost.pem"), "--tls-key",
            certificates.path("localhost.key"),
        ])
        let url = server.url.replacing("127.0.0.1", with: "localhost")
        let unknown = try await call(url)
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("name the authority's certificate with --cacert FILE"), "\(unknown.errors)")
        let known = ["--cacert", certificates.path("localhost.pem")]
        #expect(
            try await call(url, known, environment: Self.shown).output == #"{"isSuccessful":true,"result":"done"}"#
                + "\n")
        let otherName = try await call(server.url, known)
        #expect(otherName.errors.contains("is made out to another name"), "\(otherName.errors)")
        #expect(try await call(url, ["--cacert", "/nonexistent"]).errors.contains("there is no such file"))
        #expect(
            try await call(url, ["--cacert", project.path("lamplighter.yaml")]).errors.contains(
                "expected certificates in PEM"))
        let plain = try await call(url.replacing("https:", with: "http:"))
        #expect(plain.status == 1)
        #expect(plain.errors.contains("does it want https instead?"), "\(plain.errors)")
    }

    @Test("https to a server that speaks http is reported")
    func plainServer() async throws {
        let project = try project()
        let server = try await ServerProcess([project.path])
        let outcome = try await call(server.url.replacing("http:", with: "https:"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("does it want http instead"), "\(outcome.errors)")
    }

    @Test("A response that takes longer than --timeout is abandoned")
    func timeout() async throws {
        let silent = try Listener()
        let outcome = try await call("http://127.0.0.1:\(silent.port)", ["--timeout", "5"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("did not respond within 5 s; it may go on with the request"))
        withExtendedLifetime(silent) {}
    }

    @Test("A server that is not a Lamplighter is reported")
    func otherServer() async throws {
        let folder = try TemporaryFolder(["x.html": "<html></html>"])
        let output = ProcessLog()
        let python = try ChildProcess(
            "python3", ["-um", "http.server", "0", "--bind", "127.0.0.1"], folder: folder.url, output: output.pipe())
        defer { python.send(SIGKILL) }
        // Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ...
        let port = try #require(await output.text(with: "\n").firstMatch(of: /port (\d+)/)?.1)
        let outcome = try await call("http://127.0.0.1:\(port)")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("http://127.0.0.1:\(port)"))
        #expect(outcome.errors.contains("501"))
    }

    @Test("Ctrl-C ends a call that waits", .defaultTimeLimit)
    func interrupted() async throws {
        let silent = try Listener()
        let call = try RunningCommand(["call", "A/run", "--server", "http://127.0.0.1:\(silent.port)"])
        #expect(await call.end(with: SIGINT) == 128 + SIGINT)
        withExtendedLifetime(silent) {}
    }

    @Test("Options that need --server are wrong usage without it")
    func alone() async throws {
        for option in [["--timeout", "5"], ["--cacert", "x"], ["--token-file", "x"]] {
            let outcome = try await Command.run(["call", "A/run"] + option)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("\(option[0]) needs --server"))
        }
    }
}
