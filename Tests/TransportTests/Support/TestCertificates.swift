import Foundation
import TestSupport
import Testing

/// A folder with certificates, made anew by openssl: `a.pem` and `a.key`, `b.pem` and `b.key`.
final class TestCertificates {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "transport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["a", "b"] {
            try run(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                "\(name).key",
                "-out", "\(name).pem", "-days", "2", "-subj", "/CN=\(name)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func run(_ arguments: String...) throws {
        let process = try ChildProcess("openssl", arguments, folder: folder)
        try #require(process.waitUntilExit() == 0)
    }

    /// Puts the certificate and the key of that name where the server reads them: `server.pem`, `server.key`.
    func install(_ name: String) throws {
        for kind in ["pem", "key"] { try copy("\(name).\(kind)", to: "server.\(kind)") }
    }

    func copy(_ from: String, to: String) throws {
        try Data(contentsOf: folder.appending(path: from)).write(to: folder.appending(path: to))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }
}
