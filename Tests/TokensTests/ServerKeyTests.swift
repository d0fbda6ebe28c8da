import Core
import Foundation
import TestSupport
import Testing

@testable import Tokens

extension ServerKey {
    /// Making a key takes long in a debug build, so tests that need just any share these.
    static let first = try! ServerKey()
    static let second = try! ServerKey()
}

@Suite struct ServerKeyTests {
    @Test("The first use makes the file, for the owner alone, and the next ones read it")
    func firstUse() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("server-key.pem")
        let made = try ServerKey(file: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try ServerKey(file: path).publicKey == made.publicKey)
        #expect(made.publicKey.modulus.count == 256)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["server-key.pem"])
    }

    @Test("All who use it first at once get the same key")
    func race() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("server-key.pem")
        let keys = try await withThrowingTaskGroup(of: RSAPublicKey.self) { group in
            for _ in 0..<4 { group.addTask { try ServerKey(file: path).publicKey } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("A file that another process made meanwhile is not replaced")
    func keepsOther() throws {
        let folder = try TemporaryFolder()
        let file = KeyFile(path: folder.path("server-key.pem"))
        #expect(try file.create("first"))
        #expect(try !file.create("second"))
        #expect(try file.read() == "first")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["server-key.pem"])
    }

    @Test("openssl reads the key, and a key that openssl made is read")
    func openSSL() async throws {
        let folder = try TemporaryFolder()
        _ = try ServerKey(file: folder.path("ours.pem"))
        #expect(try await OpenSSL.run("rsa", "-in", folder.path("ours.pem"), "-check", "-noout").contains("RSA key ok"))
        for form in [["genpkey", "-algorithm", "RSA", "-out"], ["genrsa", "-traditional", "-out"]] {
            let path = folder.path("\(form[0]).pem")
            if form[0] == "genpkey" {
                try await OpenSSL.run("genpkey", "-algorithm", "RSA", "-out", path)
            } else {
                try await OpenSSL.run("genrsa", "-traditional", "-out", path, "2048")
            }
            #expect(try ServerKey(file: path).publicKey.modulus.count == 256)
        }
    }

    @Test(
        "A damaged file is an error that names it, and stays as it is",
        arguments: ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func damaged(content: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(content.utf8), to: "server-key.pem")
        chmod(path, 0o600)
        let error = #expect(throws: KeyFileError.self) { try ServerKey(file: path) }
        #expect(error?.path == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test(
        "A key that is too short, or of another kind, is refused",
        arguments: [["RSA", "rsa_keygen_bits:1024"], ["EC", "ec_paramgen_curve:P-256"]])
    func wrongKey(kind: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("key.pem")
        try await OpenSSL.run("genpkey", "-algorithm", kind[0], "-pkeyopt", kind[1], "-out", path)
        let error = #expect(throws: KeyFileError.self) { try ServerKey(file: path) }
        #expect(error?.reason.hasPrefix("holds no RSA private key of 2048 to 4096 bits") == true)
    }

    @Test("A file that every user may read is refused")
    func openToOthers() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("key.pem")
        _ = try ServerKey(file: path)
        chmod(path, 0o644)
        let error = #expect(throws: KeyFileError.self) { try ServerKey(file: path) }
        #expect(error?.reason.contains("chmod 600") == true)
    }

    @Test("A folder that is missing is an error that names the file")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("missing/key.pem")
        let error = #expect(throws: KeyFileError.self) { try ServerKey(file: path) }
        #expect(error?.path == path)
    }

    @Test("A folder or a pipe in place of the file is refused", .defaultTimeLimit)
    func isNoFile() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
        mkfifo(folder.path("pipe"), 0o600)
        for path in [folder.url.path, folder.path("pipe")] {
            let error = #expect(throws: KeyFileError.self) { try ServerKey(file: path) }
            #expect(error?.reason == "is not a regular file")
        }
    }
}
