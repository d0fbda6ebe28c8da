import Foundation
import TestSupport
import Testing

@testable import Push

@Suite("Trusted certificates")
struct AdditionalTrustRootsTests {
    @Test("A missing file is reported as unreadable")
    func missing() {
        #expect(
            throws: CredentialError(
                source: "/nowhere/root.pem", problem: "expected a readable PEM file of certificates; correct the path")
        ) { try AdditionalTrustRoots.certificates("/nowhere/root.pem") }
    }

    @Test("A file without certificates is refused", arguments: ["", "no PEM at all"])
    func empty(text: String) throws {
        let folder = try TemporaryFolder(["root.pem": text])
        #expect(throws: CredentialError.self) { try AdditionalTrustRoots.certificates(folder.path + "/root.pem") }
    }

    @Test("A string that is not a certificate is refused, and not quoted")
    func text() {
        let error = #expect(throws: CredentialError.self) {
            try AdditionalTrustRoots.certificates("-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----")
        }
        #expect(error?.description.hasPrefix("the trusted certificates: expected certificates in PEM form") == true)
        #expect(error?.description.contains("c2VjcmV0") == false)
    }
}
