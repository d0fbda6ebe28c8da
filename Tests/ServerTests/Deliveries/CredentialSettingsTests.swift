import Crypto
import Foundation
import Push
import TestSupport
import Testing
import WorklightProject

@testable import Installation

@Suite("Credentials of the push services, at start")
struct CredentialSettingsTests {
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    private static let key = P256.Signing.PrivateKey().pemRepresentation

    /// Returns the messages of a start with these settings, and whether the server ran.
    private func start(
        files: [String: String] = [:], mode: InstallationSettings.Mode = .development,
        _ change: @escaping (inout PushSettings) -> Void
    ) async throws -> [String] {
        let log = LogRecorder()
        try await RunningServer.run(
            files: Self.files.merging(files) { _, new in new }, log: log,
            change: { settings in
                settings.mode = mode
                change(&settings.push)
            }
        ) { _ in }
        return log.messages.filter { $0.hasPrefix("push: ") }
    }

    /// Returns the problems that `check` and `serve --strict` report.
    private func refusal(_ change: (inout PushSettings) -> Void) throws -> String {
        let folder = try TemporaryFolder(Self.files)
        var settings = InstallationSettings(project: folder.url)
        change(&settings.push)
        return Installation.settingsProblems(of: Project(reading: folder.url), settings).map(\.message)
            .joined(separator: "\n")
    }

    @Test("The log shows the credentials of each service, without secrets")
    func report() async throws {
        let lines = try await start { push in
            push.credentials.apns.key = Self.key
            push.credentials.apns.keyID = "ABCDE12345"
            push.credentials.apns.teamID = "TEAM123456"
            push.applications["Other"] = .init()
            push.applications["Other"]?.apns.environment = .production
            push.credentials.wns.packageSID = "ms-app://s-1-15-2-1-2-3-4-5-6-7"
            push.credentials.wns.clientSecret = "hidden-secret"
        }
        #expect(lines.contains("push: APNs: APNs key ABCDE12345 of team TEAM123456, sandbox"))
        #expect(lines.contains("push: APNs for Other: APNs key ABCDE12345 of team TEAM123456, production"))
        #expect(lines.contains("push: FCM: no credentials"))
        #expect(!lines.contains { $0.contains("hidden-secret") || $0.contains("PRIVATE KEY") })
    }

    @Test("APNs' production service is the default in production")
    func productionEnvironment() async throws {
        let lines = try await start(mode: .production) { push in
            push.credentials.apns.key = Self.key
            push.credentials.apns.keyID = "ABCDE12345"
            push.credentials.apns.teamID = "TEAM123456"
        }
        #expect(lines.contains("push: APNs: APNs key ABCDE12345 of team TEAM123456, production"))
    }

    @Test(
        "The check reports a key without team, a missing file and half a pair at once, each with its setting"
    )
    func bad() throws {
        let text = try refusal { push in
            push.credentials.apns.key = "nothing.p8"
            push.applications["App"] = .init()
            push.applications["App"]?.fcm.serviceAccount = "nothing.json"
            push.credentials.wns.packageSID = "ms-app://x"
            push.trustedCertificates = "nothing.pem"
        }
        #expect(text.contains("push.apns.teamID: expected the team's id"))
        #expect(text.contains("applications.App.fcm.serviceAccount: "))
        #expect(text.contains("push.wns: expected packageSID and clientSecret both, found only one of them"))
        #expect(text.contains("push.trustedCertificates: expected a readable file"))
    }

    @Test("The check reports a key and a certificate for the same app")
    func both() throws {
        let text = try refusal { push in
            push.credentials.apns.key = Self.key
            push.credentials.apns.certificate = "x.p12"
        }
        #expect(text.contains("push.apns: expected key or certificate, found both"))
    }

    @Test("A project's certificate that does not open is reported, and the app is previewed")
    func projectCertificate() async throws {
        let lines = try await start(files: [
            "apps/App/application-descriptor.xml": """
            <application xmlns="http://www.worklight.com/application-descriptor" id="App">
                <iphone bundleId="com.example.app"><pushSender password="x"/></iphone>
            </application>
            """,
            "apps/App/apns-certificate-sandbox.p12": "no certificate",
        ]) { _ in }
        #expect(lines.contains { $0.contains("APNs for App: ") && $0.contains("expected a PKCS#12 file") })
        #expect(lines.contains { $0.contains("App sends through APNs, and there are no credentials") })
    }
}
