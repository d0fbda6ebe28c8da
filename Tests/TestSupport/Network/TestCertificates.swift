public import Foundation

/// A folder with a copy of the fixed certificates, such as `a.pem`, and keys, `a.key`; see `Certificates/README.md`.
public final class TestCertificates: Sendable {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Certificates")

    private let folder: TemporaryFolder

    public init() throws {
        folder = try TemporaryFolder()
        for file in try FileManager.default.contentsOfDirectory(at: Self.files, includingPropertiesForKeys: nil) {
            try Data(contentsOf: file).write(to: folder.url.appending(path: file.lastPathComponent))
        }
    }

    public func path(_ name: String) -> String { folder.path(name) }

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

    /// Puts a server's key into a data folder that has none, because a debug build takes long to make one.
    public static func giveServerKey(to folder: URL) throws {
        let file = folder.appending(path: "server-key.pem")
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let mode = { (mode: Int) in [FileAttributeKey.posixPermissions: mode] }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: mode(0o700))
        let key = try Data(contentsOf: files.appending(path: "server-key.pem"))
        _ = FileManager.default.createFile(atPath: file.path, contents: key, attributes: mode(0o600))
    }
}
