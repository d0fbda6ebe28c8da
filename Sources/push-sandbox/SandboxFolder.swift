import Foundation
import PushSandbox

/// The folder into which the sandbox writes what its clients need.
struct SandboxFolder {
    /// The reason why a file of the folder cannot be read or written.
    struct FolderError: Error, CustomStringConvertible {
        let description: String
    }

    private static let identityFile = "identity.json"

    private let folder: URL

    init(path: String) {
        folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
    }

    /// The keys of an earlier start, or new ones, which are kept.
    func identity() throws -> SandboxIdentity {
        let file = folder.appending(path: Self.identityFile)
        if let data = try? Data(contentsOf: file) {
            do {
                return try JSONDecoder().decode(SandboxIdentity.self, from: data)
            } catch {
                throw FolderError(
                    description: "\(file.path) is not what push-sandbox wrote; delete it, and new keys are made")
            }
        }
        let identity = try SandboxIdentity()
        try write(
            String(decoding: try JSONEncoder().encode(identity), as: UTF8.self), to: Self.identityFile, isSecret: true)
        return identity
    }

    /// Writes keys, certificates and settings.
    func write(_ sandbox: PushSandbox) throws {
        let credentials = sandbox.credentials
        try write(sandbox.rootCertificate, to: "root.pem")
        try write(credentials.apnsPrivateKey, to: "apns-key.p8", isSecret: true)
        try write(credentials.clientCertificate, to: "apns-certificate.pem")
        try write(credentials.clientPrivateKey, to: "apns-certificate.key", isSecret: true)
        try write(credentials.fcmServiceAccount, to: "service-account.json", isSecret: true)
        try write(settings(sandbox), to: "lamplighter.yaml", isSecret: true)
    }

    private func settings(_ sandbox: PushSandbox) -> String {
        let credentials = sandbox.credentials
        func path(_ name: String) -> String { quoted(folder.appending(path: name).path) }
        return """
            # Written by push-sandbox at each start. Put it into your project's lamplighter.yaml.
            push:
              trustedCertificates: \(path("root.pem"))
              apns:
                key: \(path("apns-key.p8"))
                keyID: \(credentials.apnsKeyID)
                teamID: \(credentials.apnsTeamID)
                environment: sandbox
                endpoint: https://localhost:\(sandbox.apnsPort)
              fcm:
                serviceAccount: \(path("service-account.json"))
                endpoint: https://localhost:\(sandbox.httpPort)
              wns:
                packageSID: \(quoted(credentials.wnsPackageSID))
                clientSecret: \(quoted(credentials.wnsClientSecret))
                endpoint: https://localhost:\(sandbox.httpPort)
              sms:
                endpoint: http://localhost:\(sandbox.smsPort)
              webPush:
                contact: mailto:sandbox@example.com
                endpoint: https://localhost:\(sandbox.httpPort)

            """
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Secret files are the user's own.
    private func write(_ text: String, to name: String, isSecret: Bool = false) throws {
        let file = folder.appending(path: name)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            let made = FileManager.default.createFile(
                atPath: file.path, contents: Data(text.utf8),
                attributes: [.posixPermissions: isSecret ? 0o600 : 0o644])
            guard made else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw FolderError(
                description:
                    "\(file.path) cannot be written: \(error.localizedDescription); choose a writable folder with --folder"
            )
        }
    }
}
