import Foundation
import Installation
import TestSupport
import Testing
import WorklightClient

@Suite("TLS", .defaultTimeLimit)
struct CertificateTests {
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    /// The certificate of that name.
    private func files(_ name: String) -> InstallationSettings.TLSFiles {
        InstallationSettings.TLSFiles(
            certificate: certificates.path("\(name).pem"), key: certificates.path("\(name).key"))
    }

    @Test("A certificate among the client's trust roots is accepted")
    func trusted() async throws {
        let files = files("address")
        try await TestServer.run(change: { $0.tls = files }) { server in
            let client = try SDKTestClient(server.settings(), trustRoots: .file(files.certificate))
            #expect(try await client.connect().status == "200")
            #expect(try await client.invoke("count").response().status == "200")
            let text = try String(contentsOfFile: files.certificate, encoding: .utf8)
            #expect(try await SDKTestClient(server.settings(), trustRoots: .text(text)).connect().status == "200")
        }
    }

    @Test("An untrusted certificate: UNEXPECTED_ERROR, and the message names the certificate")
    func untrusted() async throws {
        let files = files("address")
        try await TestServer.run(change: { $0.tls = files }) { server in
            let failure = try await server.client().failure { $0.wlConnect(with: $1) }
            #expect(failure.errorCode == WLErrorCodeUnexpectedError)
            #expect(failure.errorMsg.contains("certificate"))
        }
    }

    @Test("A certificate for another name is wrong, though its root is trusted")
    func otherName() async throws {
        let files = files("localhost")
        try await TestServer.run(change: { $0.tls = files }) { server in
            let client = try SDKTestClient(server.settings(), trustRoots: .file(files.certificate))
            let failure = try await client.failure { $0.wlConnect(with: $1) }
            #expect(failure.errorCode == WLErrorCodeUnexpectedError)
            #expect(failure.errorMsg.contains("certificate"))
        }
    }

    @Test("Trust roots that are no certificates are refused with the file's name")
    func noRoots() async throws {
        let settings = WorklightSettings(scheme: "https", host: "127.0.0.1", port: 1, applicationID: "A")
        let client = try SDKTestClient(settings, trustRoots: .file("/nowhere/roots.pem"))
        let failure = try await client.failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("/nowhere/roots.pem"))
    }
}
