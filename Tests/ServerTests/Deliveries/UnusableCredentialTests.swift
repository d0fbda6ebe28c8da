import Core
import Crypto
import Foundation
import NIOHTTP1
import Push
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Installation

@Suite("A credential that cannot be loaded")
struct UnusableCredentialTests {
    @Test("stops only its own application: its deliveries wait with the reason, others are delivered")
    func oneApplication() async throws {
        let quiet = LogRecorder()
        let sandbox = try await PushSandbox.start(PushSandbox.Settings(), logger: quiet.logger)
        let folder = try TemporaryFolder()
        try folder.write(sandbox.rootCertificate, to: "root.pem")
        let script = """
            WL.Server.createEventSource({ name: 'S' });
            function run(user) {
                WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('A.S', user),
                    { APNS: { alert: 'hi' } });
                return {};
            }
            """
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": script], in: folder,
            change: { settings in
                settings.push.credentials.apns.key = sandbox.credentials.apnsPrivateKey
                settings.push.credentials.apns.keyID = sandbox.credentials.apnsKeyID
                settings.push.credentials.apns.teamID = sandbox.credentials.apnsTeamID
                settings.push.credentials.apns.endpoint = ServiceEndpoint("https://localhost:\(sandbox.apnsPort)")
                settings.push.trustedCertificates = "root.pem"
                settings.push.applications["Broken"] = .init()
                settings.push.applications["Broken"]?.apns.certificate = "missing.p12"
            }
        ) { (server) async throws in
            for (user, application) in [("ann", "com.example.app"), ("bob", "Broken")] {
                let body = """
                    {"eventSource":"A.S","user":"\(user)","device":"phone of \(user)","platform":"Apple",
                    "application":"\(application)","token":"\(String(repeating: user == "ann" ? "a" : "b", count: 64))"}
                    """
                #expect(try await server.manage(.POST, "subscriptions", body: body).status < 300)
                _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run&parameters=%5B'\(user)'%5D")
            }
            func delivery(of user: String) async throws -> JSONValue? {
                try await server.items("deliveries?user=\(user)").first
            }
            while try await delivery(of: "ann")?["state"]?.string != "delivered" {}
            while try await delivery(of: "bob")?["reason"] == nil {}
            let waiting = try await delivery(of: "bob")
            #expect(waiting?["state"]?.string == "queued")
            #expect(waiting?["reason"]?.string?.contains("applications.Broken.apns") == true, "\(waiting ?? .null)")
            let finding = try await server.finding(of: "credentials")
            #expect(finding["name"]?.string == "APNs for Broken" && finding["severity"]?.string == "error")
            let reload = try await server.manage(.POST, "credentials/reload")
            #expect(reload.status == 200 && reload.body.contains("not loaded"), "\(reload.body)")
        }
        await sandbox.stop()
    }

    @Test("of the project keeps a server in production running, and is a preview in development")
    func projectCertificate() async throws {
        let files = [
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() { return {}; }",
            "apps/App/application-descriptor.xml": """
            <application xmlns="http://www.worklight.com/application-descriptor" id="App">
                <iphone bundleId="com.example.app"><pushSender password="x"/></iphone>
            </application>
            """,
            "apps/App/apns-certificate-production.p12": "no certificate",
        ]
        for mode in [InstallationSettings.Mode.production, .development] {
            try await RunningServer.run(files: files, change: { $0.mode = mode }) { (server) async throws in
                let findings = try await server.health().findings.filter { $0["subject"]?.string == "credentials" }
                #expect(findings.map { $0["name"]?.string } == (mode == .production ? ["APNs for App"] : []))
            }
        }
    }
}
