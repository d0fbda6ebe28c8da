import Credentials
import TestSupport
import Testing

@Suite("LDAP over TLS", .onOwnThreads)
struct LDAPEncryptionTests {
    let server: LDAPServer

    init() throws {
        server = try LDAPServer.shared()
    }

    @Test("A server with a trusted certificate is used")
    func trusted() async throws {
        let directory = try LDAPDirectory(
            server, ["ldapProviderUrl": server.encryptedURL, "ldapTrustedCertificates": server.certificate])
        #expect(try await directory.user(named: "bob", password: "builder-7") != nil)
        #expect(try await directory.user(named: "bob", password: "wrong") == nil)
    }

    @Test("A server with an untrusted certificate gets no password")
    func untrusted() async throws {
        let directory = try LDAPDirectory(server, ["ldapProviderUrl": server.encryptedURL])
        let error = try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .unreachable)
    }

    @Test("A server whose certificate is for another name gets no password")
    func wrongName() async throws {
        let directory = try LDAPDirectory(
            server,
            [
                "ldapProviderUrl": "ldaps://localhost:\(server.encryptedPort)",
                "ldapTrustedCertificates": server.certificate,
            ])
        let error = try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .unreachable)
    }

    @Test("A file of certificates that does not exist is an error")
    func missingCertificates() async throws {
        let directory = try LDAPDirectory(
            server, ["ldapProviderUrl": server.encryptedURL, "ldapTrustedCertificates": "/nonexistent.pem"])
        let error = try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .configuration)
    }
}
