import Foundation

/// A folder with certificates, made anew by openssl: `a.pem` and `a.key`, `b.pem` and `b.key`.
public final class TestCertificates: Sendable {
    private let folder: TemporaryFolder

    public init() throws {
        folder = try TemporaryFolder()
        for (name, content) in try Self.made.get() { try content.write(to: folder.url.appending(path: name)) }
    }

    /// The files of both certificates, made once: hundreds of tests need some, and openssl takes a while on a busy machine.
    private static let made = Result {
        let folder = try TemporaryFolder()
        var files: [String: Data] = [:]
        for name in ["a", "b"] {
            try openssl(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    "\(name).key", "-out", "\(name).pem", "-days", "2", "-subj", "/CN=\(name)",
                ], in: folder)
            for file in ["\(name).key", "\(name).pem"] {
                files[file] = try Data(contentsOf: folder.url.appending(path: file))
            }
        }
        return files
    }

    public func path(_ name: String) -> String { folder.path(name) }

    /// - Throws: `ChildProcess.StartError` when openssl does not end well.
    public func run(_ arguments: String...) throws {
        try Self.openssl(arguments, in: folder)
    }

    private static func openssl(_ arguments: [String], in folder: TemporaryFolder) throws {
        let process = try ChildProcess("openssl", arguments, folder: folder.url)
        let status = process.waitUntilExit()
        guard status == 0 else {
            throw ChildProcess.StartError(description: "openssl \(arguments) ended with \(status)")
        }
    }

    /// Puts the certificate and the key of that name where the server reads them: `server.pem`, `server.key`.
    public func install(_ name: String) throws {
        for kind in ["pem", "key"] { try copy("\(name).\(kind)", to: "server.\(kind)") }
    }

    public func copy(_ from: String, to: String) throws {
        try Data(contentsOf: folder.url.appending(path: from)).write(to: folder.url.appending(path: to))
    }

    public func write(_ text: String, to name: String) throws {
        try folder.write(text, to: name)
    }
}
