import Foundation
import NIOSSL
import PKCS12Files
import TestSupport
import Testing

@testable import Push

@Suite(".p12 files with several certificates", .defaultTimeLimit)
struct APNsCertificateFileTests {
    /// A certificate and its key, in PEM.
    private struct Pair {
        let certificate: String
        let key: String
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// - Parameter authority: the names of the files of who signs it; by itself when `nil`.
    private func pair(
        _ topic: String = "com.example.app", days: Int = 60, name: String = UUID().uuidString, authority: String? = nil
    ) async throws -> Pair {
        let signer = authority.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? []
        try await OpenSSL.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                "\(name).key", "-out", "\(name).pem", "-days", "\(days)", "-subj", "/UID=\(topic)/CN=\(name)",
            ] + signer, in: folder)
        return Pair(certificate: try text("\(name).pem"), key: try text("\(name).key"))
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    private func file(
        keys: [Pair], certificates: [Pair], keyPassword: String? = nil, _ encryption: PKCS12File.Encryption = .modern
    ) throws -> String {
        let bytes = try PKCS12File.make(
            privateKeys: keys.map(\.key), certificates: certificates.map(\.certificate), password: "secret",
            keyPassword: keyPassword, encryption: encryption)
        let path = folder.path + "/all.p12"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func read(
        _ file: String, password: String = "secret", topic: String? = nil, daysFromNow days: Double = 0
    ) throws(CredentialError) -> APNsCertificate {
        try APNsCertificate(
            p12File: file, password: password, topic: topic, environment: .production,
            now: Date().addingTimeInterval(days * 86_400))
    }

    @Test(
        "The certificate for the requested topic is taken with its own key, in any order, and each once",
        arguments: PKCS12File.Encryption.allCases)
    func topic(encryption: PKCS12File.Encryption) async throws {
        let (one, two) = (try await pair("com.example.one"), try await pair("com.example.two"))
        let file = try file(keys: [two, one, two], certificates: [one, one, two], encryption)
        for topic in ["com.example.one", "com.example.two"] {
            let certificate = try read(file, topic: topic)
            #expect(certificate.topic == topic)
            #expect(certificate.chain.count == 1)
            // TLS refuses a certificate with another one's key.
            let connections = APNsConnections(
                TransportContext(time: ManualTime(), logger: LogRecorder().logger))
            _ = try connections.transport(with: .certificate(certificate), to: .production)
        }
    }

    @Test("The certificate for a topic that expires last is taken, and an expired one only if all have")
    func valid() async throws {
        let (short, long, other) = (
            try await pair(days: 10), try await pair(days: 60), try await pair("com.example.other", days: 90)
        )
        let file = try file(keys: [short, long, other], certificates: [short, other, long])
        for days in [0, 20.0] {
            let certificate = try read(file, topic: "com.example.app", daysFromNow: days)
            #expect(abs(certificate.notAfter.timeIntervalSinceNow - 60 * 86_400) < 3600)
        }
        #expect(try read(file).topic == "com.example.other")
        let ended = #expect(throws: CredentialError.self) {
            try read(file, topic: "com.example.app", daysFromNow: 70)
        }
        #expect(ended?.field == "notAfter")
    }

    @Test("Certificates of authorities go along in their order, and those of others do not")
    func chain() async throws {
        _ = try await pair(name: "root")
        let middle = try await pair(name: "middle", authority: "root")
        let own = try await pair(name: "own", authority: "middle")
        let root = Pair(certificate: try text("root.pem"), key: "")
        let stranger = try await pair(name: "stranger")
        let file = try file(keys: [own], certificates: [stranger, root, own, middle])
        let expected = try [own, middle, root].map {
            try NIOSSLCertificate(bytes: Array($0.certificate.utf8), format: .pem)
        }
        #expect(try read(file).chain == expected)
    }

    @Test(
        "Only a password that does not open the file is called a wrong password",
        arguments: PKCS12File.Encryption.allCases)
    func password(encryption: PKCS12File.Encryption) async throws {
        let pair = try await pair()
        let good = try file(keys: [pair], certificates: [pair], encryption)
        let wrong = #expect(throws: CredentialError.self) { try read(good, password: "guess") }
        #expect(wrong?.field == "password")
        let damaged = try file(keys: [pair], certificates: [pair], keyPassword: "other", encryption)
        let unreadable = #expect(throws: CredentialError.self) { try read(damaged) }
        #expect(unreadable?.field == nil)
        #expect(unreadable?.problem.contains("password") == false)
        #expect(unreadable?.problem.contains("export it again") == true)
    }

    @Test("Keys and certificates that do not belong together are reported")
    func strangers() async throws {
        let (one, two) = (try await pair(), try await pair())
        let file = try file(keys: [one], certificates: [two])
        let error = #expect(throws: CredentialError.self) { try read(file) }
        #expect(error?.problem.contains("keys of other certificates only") == true)
    }

    @Test("A certificate that is not Apple's is ignored beside one that is")
    func otherKind() async throws {
        let own = try await pair()
        try await OpenSSL.run(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "web.key", "-out", "web.pem", "-subj",
                "/CN=web",
            ],
            in: folder)
        let web = Pair(certificate: try text("web.pem"), key: try text("web.key"))
        #expect(try read(file(keys: [web, own], certificates: [web, own])).topic == "com.example.app")
        let error = #expect(throws: CredentialError.self) { try read(file(keys: [web], certificates: [web])) }
        #expect(error?.field == "UID")
    }

    @Test("Any bytes instead of the file, or a truncated file, are an error and nothing worse")
    func damaged() async throws {
        let pair = try await pair()
        let path = try file(keys: [pair], certificates: [pair])
        let whole = try Data(contentsOf: URL(filePath: path))
        for length in stride(from: 0, to: whole.count, by: 97) {
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(throws: CredentialError.self) { try read(path) }
        }
        for place in stride(from: 0, to: whole.count, by: 61) {
            var changed = whole
            changed[place] ^= 0xFF
            try changed.write(to: URL(filePath: path))
            _ = try? read(path)
        }
    }
}
