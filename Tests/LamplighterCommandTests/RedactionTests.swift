import Foundation
import TestSupport
import Testing

/// A script logs what it gets, and gets the secret.
@Suite("Secrets of the settings in the log", .defaultTimeLimit)
struct RedactionTests {
    private let project: TemporaryFolder

    init() throws {
        project = try makeProject("function run(text) { WL.Logger.info('got <' + text + '>'); return {}; }")
    }

    /// Runs a server, has a string logged, and expects it to be redacted on standard error and in the server's memory.
    private func check(_ text: String, with environment: [String: String]) async throws {
        let server = try await ServerProcess([project.path], environment: environment)
        let outcome = try await Command.run(["call", "A/run", #"["\#(text)"]"#, "--project", project.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let logs = try await Command.run(["logs", "--project", project.path])
        #expect(await server.end(with: SIGTERM) == 0)
        for log in [await server.wholeLog(), logs.output] {
            #expect(log.contains("got <[redacted]>"))
            #expect(!log.contains(text))
        }
    }

    @Test(
        "redacts a secret in a setting",
        arguments: [
            ["LAMPLIGHTER_BACK_ENDS_TOKEN": "the-secret-itself"],
            ["LAMPLIGHTER_BACK_ENDS_USER": "erp", "LAMPLIGHTER_BACK_ENDS_PASSWORD": "the-secret-itself"],
            ["LAMPLIGHTER_PUSH_APNS_PASSWORD": "the-secret-itself"],
            [
                "LAMPLIGHTER_PUSH_WNS_PACKAGE_SID": "ms-app://s-1-15-2-1",
                "LAMPLIGHTER_PUSH_WNS_CLIENT_SECRET": "the-secret-itself",
            ],
            [
                "LAMPLIGHTER_CONSOLE_URL": "https://console.example.com",
                "LAMPLIGHTER_CONSOLE_OPEN_ID_ISSUER": "https://127.0.0.1:9",
                "LAMPLIGHTER_CONSOLE_OPEN_ID_CLIENT_ID": "c",
                "LAMPLIGHTER_CONSOLE_OPEN_ID_CLIENT_SECRET": "the-secret-itself",
                "LAMPLIGHTER_CONSOLE_OPEN_ID_ROLE_CLAIM": "groups",
                "LAMPLIGHTER_CONSOLE_OPEN_ID_ROLES_ADMIN": "admins",
            ],
        ])
    func texts(environment: [String: String]) async throws {
        try await check("the-secret-itself", with: environment)
    }

    @Test("redacts the password of a proxy's URL")
    func proxy() async throws {
        try await check(
            "proxy/password",
            with: ["LAMPLIGHTER_PUSH_PROXY": "http://user:proxy%2Fpassword@127.0.0.1:9"])
    }

    @Test("redacts the secret of an application in lamplighter.yaml")
    func application() async throws {
        try project.write(
            "applications:\n  App:\n    apns:\n      password: the-app-secret\n", to: "lamplighter.yaml")
        try await check("the-app-secret", with: [:])
    }

    @Test(
        "redacts a line of a private key in a PEM or JSON file",
        arguments: [
            (
                "LAMPLIGHTER_PUSH_APNS_KEY",
                "-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n"
            ),
            (
                "LAMPLIGHTER_PUSH_FCM_SERVICE_ACCOUNT",
                #"{"private_key": "-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n"}"#
            ),
        ])
    func files(variable: String, content: String) async throws {
        try project.write(content, to: "secret")
        try await check("MIGTAgEAMBMGByqGSM49", with: [variable: "secret"])
    }
}
