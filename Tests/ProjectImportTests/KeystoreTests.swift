import Foundation
import TestSupport
import Testing

@testable import ProjectImport

@Suite("Import of keystores", .defaultTimeLimit)
struct KeystoreTests {
    /// True if Java has its `keytool`, which `make test-all` installs.
    private static let hasKeytool = FileManager.default.isExecutableFile(atPath: "/usr/bin/keytool")

    /// A server's certificate in PKCS#12, with the password `secret`.
    private func pkcs12(_ folder: ImportFolder, _ options: [String] = []) async throws -> URL {
        let key = try folder.add("key.pem", Data())
        let certificate = try folder.add("certificate.pem", Data())
        try await OpenSSL.run(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key.path, "-out", certificate.path, "-days",
            "2",
            "-subj", "/CN=shop.example.com")
        let store = folder.url.appending(path: "server.p12")
        try await OpenSSL.run(
            [
                "pkcs12", "-export", "-inkey", key.path, "-in", certificate.path, "-name", "default", "-out",
                store.path, "-passout", "pass:secret",
            ] + options)
        return store
    }

    private func checkFiles(_ folder: ImportFolder, _ name: String) throws {
        let base = ".lamplighter/secrets/\(name)"
        #expect(folder.paths == [base + ".certificates.pem", base + ".key.pem"])
        #expect(try folder.permissions(base + ".key.pem") == 0o600)
        let original = try String(contentsOf: folder.url.appending(path: "certificate.pem"), encoding: .utf8)
        #expect(try folder.text(base + ".certificates.pem") == original)
        let key = try String(contentsOf: folder.url.appending(path: "key.pem"), encoding: .utf8)
        #expect(try folder.text(base + ".key.pem") == key)
    }

    @Test("A PKCS#12 file becomes PEM files that only their owner reads", arguments: [[], ["-legacy"]])
    func pkcs12(options: [String]) async throws {
        let folder = try ImportFolder()
        let store = try await pkcs12(folder, options)
        let report = try ProjectImport.run([store], to: folder.project, keystorePassword: "secret")
        try checkFiles(folder, "server")
        #expect(report.remarks.first?.contains("tls.key: .lamplighter/secrets/server.key.pem") == true)
    }

    @Test("The password of a keystore is the one that server.xml has for its file's name")
    func passwordOfServer() async throws {
        let folder = try ImportFolder()
        let store = try await pkcs12(folder)
        let server =
            #"<server><keyStore id="defaultKeyStore" location="${x}/server.p12" password="{xor}LDo8LTor"/></server>"#
        let report = try folder.run([store, try folder.add("server.xml", Data(server.utf8))])
        try checkFiles(folder, "server")
        #expect(report.remarks.count == 1)
    }

    @Test("Java's own keystore becomes PEM files", .enabled(if: hasKeytool))
    func jks() async throws {
        let folder = try ImportFolder()
        let store = try await pkcs12(folder)
        let jks = folder.url.appending(path: "key.jks")
        let keytool = try ChildProcess(
            "keytool",
            [
                "-importkeystore", "-noprompt", "-srckeystore", store.path, "-srcstoretype", "PKCS12", "-destkeystore",
                jks.path, "-deststoretype", "JKS", "-srcstorepass", "secret", "-deststorepass", "secret",
            ])
        try #require(await keytool.exitStatus == 0)
        _ = try ProjectImport.run([jks], to: folder.project, keystorePassword: "secret")
        try checkFiles(folder, "key")
    }

    @Test("A wrong password is an error with the file's name and without the password, and nothing is written")
    func wrongPassword() async throws {
        let folder = try ImportFolder()
        let store = try await pkcs12(folder)
        let error = #expect(throws: ImportError.self) {
            try ProjectImport.run([store], to: folder.project, keystorePassword: "wrong-one")
        }
        let text = try #require(error?.description)
        #expect(
            text.hasPrefix("server.p12: openssl cannot read it: ") && text.hasSuffix("check the file and its password"))
        #expect(!text.contains("wrong-one"))
        #expect(!FileManager.default.fileExists(atPath: folder.project.path))
    }

    @Test("A keystore without a known password is an error that names the option")
    func noPassword() async throws {
        let folder = try ImportFolder()
        let store = try await pkcs12(folder)
        let error = #expect(throws: ImportError.self) { try folder.run([store]) }
        #expect(error?.description.contains("--keystore-password-file") == true)
    }
}
