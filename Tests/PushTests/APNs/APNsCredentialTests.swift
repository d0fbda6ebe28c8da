import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Credentials for APNs", .defaultTimeLimit)
struct APNsCredentialTests {
    /// `cert.pem` and `key.pem`, for a day and more.
    private func certificate(_ subject: String = "/UID=com.example.app/CN=Apple Push Services", days: Int = 60)
        async throws
        -> TemporaryFolder
    {
        let folder = try TemporaryFolder()
        try await OpenSSL.run(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days",
                "\(days)", "-subj", subject,
            ], in: folder)
        return folder
    }

    private func p12(_ folder: TemporaryFolder, _ options: [String], password: String = "secret") async throws -> String
    {
        try await OpenSSL.run(
            [
                "pkcs12", "-export", "-in", "cert.pem", "-inkey", "key.pem", "-out", "cert.p12", "-passout",
                "pass:\(password)",
            ]
                + options, in: folder)
        return folder.path + "/cert.p12"
    }

    @Test("A key is read from its file, the key id from the file's name")
    func keyFile() async throws {
        let folder = try TemporaryFolder()
        try await OpenSSL.run(
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "AuthKey_ABCDE12345.p8"],
            in: folder)
        let key = try APNsTokenKey(key: folder.path + "/AuthKey_ABCDE12345.p8", keyID: nil, teamID: "TEAM123456")
        #expect(key.keyID == "ABCDE12345")
        #expect("\(key)" == "APNs key ABCDE12345 of team TEAM123456")
    }

    @Test("A problem with a key is reported with its file and the remedy")
    func wrongKeys() async throws {
        let folder = try TemporaryFolder(["other.p8": "not a key", "cert.p8": "-----BEGIN CERTIFICATE-----"])
        func error(_ name: String, keyID: String? = "ABCDE12345", teamID: String = "TEAM123456") -> CredentialError? {
            #expect(throws: CredentialError.self) {
                try APNsTokenKey(key: folder.path + "/" + name, keyID: keyID, teamID: teamID)
            }
        }
        #expect(error("missing.p8")?.problem.contains("readable .p8 file") == true)
        #expect(error("other.p8")?.problem.contains("P-256 key") == true)
        #expect(error("cert.p8")?.problem.contains("found a certificate") == true)
        #expect(error("other.p8", keyID: nil)?.field == "keyID")
        #expect(error("other.p8", keyID: "short")?.field == "keyID")
        #expect(error("other.p8", teamID: "team123456")?.field == "teamID")
        #expect(error("other.p8")?.source == folder.path + "/other.p8")
    }

    @Test(
        "A .p12 file is read, also one with the encryption of long ago",
        arguments: [
            [], ["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES"],
            ["-legacy", "-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
            ["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-RC2-40"],
            ["-certpbe", "AES-256-CBC", "-keypbe", "AES-256-CBC"],
        ])
    func pkcs12(options: [String]) async throws {
        let folder = try await certificate()
        let file = try await p12(folder, options)
        let certificate = try APNsCertificate(p12File: file, password: "secret", now: Date())
        #expect(certificate.topic == "com.example.app")
        #expect(certificate.environments == [.sandbox, .production])
        #expect(abs(certificate.notAfter.timeIntervalSinceNow - 60 * 86400) < 3600)
        #expect("\(certificate)" == "APNs certificate for com.example.app")
    }

    @Test("A problem with a .p12 file is reported with its file and the remedy, never with its password")
    func wrongPKCS12() async throws {
        let folder = try await certificate()
        _ = try await p12(folder, ["-legacy"])
        func error(_ name: String, password: String = "secret") -> CredentialError? {
            #expect(throws: CredentialError.self) {
                try APNsCertificate(p12File: folder.path + "/" + name, password: password, now: Date())
            }
        }
        let wrongPassword = error("cert.p12", password: "guess-me")
        #expect(wrongPassword?.field == "password")
        #expect(wrongPassword?.description.contains("guess-me") == false)
        #expect(error("cert.pem")?.problem.contains("PKCS#12") == true)
        #expect(error("missing.p12")?.problem.contains("readable") == true)
        let export = ["pkcs12", "-export", "-passout", "pass:secret"]
        try await OpenSSL.run(export + ["-nokeys", "-in", "cert.pem", "-out", "nokey.p12"], in: folder)
        #expect(error("nokey.p12")?.problem.contains("no key") == true)
        try await OpenSSL.run(export + ["-nocerts", "-inkey", "key.pem", "-out", "nocert.p12"], in: folder)
        #expect(error("nocert.p12")?.problem.contains("no certificate") == true)
    }

    @Test("A certificate without a bundle id is refused")
    func noTopic() async throws {
        let folder = try await certificate("/CN=Something")
        let error = #expect(throws: CredentialError.self) {
            try APNsCertificate(
                certificate: folder.path + "/cert.pem", privateKey: folder.path + "/key.pem", now: Date())
        }
        #expect(error?.field == "UID")
    }

    @Test("A certificate whose time is over is refused, and one that ends within thirty days is warned about")
    func expiry() async throws {
        let folder = try await certificate(days: 60)
        func read(daysFromNow days: Double) throws -> APNsCertificate {
            try APNsCertificate(
                certificate: folder.path + "/cert.pem", privateKey: folder.path + "/key.pem",
                now: Date().addingTimeInterval(days * 86400))
        }
        let certificate = try read(daysFromNow: 0)
        #expect(certificate.warning(at: Date().addingTimeInterval(29 * 86400)) == nil)
        #expect(certificate.warning(at: Date().addingTimeInterval(31 * 86400))?.contains("in 28 days") == true)
        #expect(certificate.lapse(at: Date().addingTimeInterval(59 * 86400)) == nil)
        let error = #expect(throws: CredentialError.self) { try read(daysFromNow: 61) }
        #expect(error?.field == "notAfter")
    }

    @Test("A certificate for the sandbox is refused for production")
    func environment() async throws {
        let folder = try TemporaryFolder([
            "req.cnf": """
            [req]
            distinguished_name = dn
            [dn]
            [apple]
            1.2.840.113635.100.6.3.1 = ASN1:NULL
            """
        ])
        try await OpenSSL.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
                "-out", "cert.pem", "-days", "60", "-subj", "/UID=com.example.app", "-config", "req.cnf", "-extensions",
                "apple",
            ], in: folder)
        let certificate = try APNsCertificate(
            certificate: folder.path + "/cert.pem", privateKey: folder.path + "/key.pem", now: Date())
        #expect(certificate.environments == [.sandbox])
        let connections = APNsConnections(
            TransportContext(time: ManualTime(), logger: LogRecorder().logger))
        #expect(throws: CredentialError.self) {
            try connections.transport(with: .certificate(certificate), to: .production)
        }
        _ = try connections.transport(with: .certificate(certificate), to: .sandbox)
    }

    @Test("A certificate and another certificate's key are refused")
    func foreignKey() async throws {
        let (folder, other) = (try await certificate(), try await certificate())
        let certificate = try APNsCertificate(
            certificate: folder.path + "/cert.pem", privateKey: other.path + "/key.pem", now: Date())
        let connections = APNsConnections(
            TransportContext(time: ManualTime(), logger: LogRecorder().logger))
        #expect(throws: CredentialError.self) {
            try connections.transport(with: .certificate(certificate), to: .production)
        }
    }

    private static func certificate(of sandbox: PushSandbox) throws -> APNsCertificate {
        try APNsCertificate(
            certificate: sandbox.credentials.clientCertificate, privateKey: sandbox.credentials.clientPrivateKey,
            now: ManualTime.start)
    }

    @Test("A certificate delivers messages without a token, and refuses those of another app")
    func certificateAuthentication() async throws {
        try await withAPNs(credential: { .certificate(try Self.certificate(of: $0)) }) { (apns) async throws in
            #expect(try await apns.send(1).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).first?.header("authorization") == nil)
            let other = try await apns.send(2, application: "com.example.other")
            #expect(other.isRefused)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 1)
        }
    }

    @Test("A certificate that ends while the server runs is warned about once a day, and then holds everything back")
    func ending() async throws {
        try await withAPNs(credential: { .certificate(try Self.certificate(of: $0)) }) { (apns) async throws in
            let certificate = try Self.certificate(of: apns.sandbox)
            apns.time.setClock(forwardBy: certificate.notAfter.timeIntervalSince(ManualTime.start) - 3600)
            _ = try await apns.send(1)
            _ = try await apns.send(2)
            #expect(apns.log.messages(at: .warning).filter { $0.contains("ends on") }.count == 1)
            apns.time.setClock(forwardBy: 3601)
            let answer = try await apns.send(3)
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("ended on") == true)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 2)
        }
    }
}
