import Foundation

/// A keystore of the old server, in the format JKS or PKCS#12, as PEM.
///
/// Java's `keytool` and `openssl` do the work: the old server's machine has at least the first.
struct Keystore {
    /// Extensions of the file's names.
    static let extensions = ["jks", "keystore", "jceks", "p12", "pfx"]

    let file: URL
    let password: String

    private var name: String { file.lastPathComponent }

    /// The command to run where a tool is missing, for the file's name.
    static func command(_ name: String) -> String {
        """
        keytool -importkeystore -srckeystore \(name) -destkeystore server.p12 -deststoretype PKCS12; openssl pkcs12 -in server.p12 -nodes \
        -out server.pem
        """
    }

    /// Plans the private key and the certificates as files that only their owner reads.
    ///
    /// - Parameter workspace: an existing folder that others cannot read.
    /// - Throws: ``ImportError`` when the password is wrong, or the file is not a keystore.
    func plan(in plan: inout ImportPlan, workspace: URL) throws(ImportError) {
        var store = file
        if try !isPKCS12() {
            guard let keytool = Program("keytool") else {
                return leaveOut("keytool is not installed here", in: &plan)
            }
            store = workspace.appending(path: UUID().uuidString)
            try keytool.run(
                [
                    "-J-Duser.language=en", "-importkeystore", "-noprompt", "-srckeystore", file.path, "-destkeystore",
                    store.path, "-deststoretype", "PKCS12", "-srcstorepass:env", Program.secret, "-deststorepass:env",
                    Program.secret,
                ], secret: password, of: name)
        }
        guard let openssl = Program("openssl") else { return leaveOut("openssl is not installed here", in: &plan) }
        func pem(_ options: String...) throws(ImportError) -> String {
            let arguments = ["pkcs12", "-in", store.path, "-passin", "env:\(Program.secret)", "-nodes"] + options
            do {
                return Self.blocks(of: try openssl.run(arguments, secret: password, of: name))
            } catch {
                // Files of before 2022 are mostly encrypted by RC2, which OpenSSL 3 decrypts only by this option.
                return Self.blocks(of: try openssl.run(arguments + ["-legacy"], secret: password, of: name))
            }
        }
        let key = try pem("-nocerts")
        let certificates = try pem("-nokeys", "-clcerts") + pem("-nokeys", "-cacerts")
        guard key.matches(of: /-----BEGIN [A-Z ]*PRIVATE KEY-----/).count < 2 else {
            return leaveOut(
                "it has several private keys: name one by -srcalias (keytool -list -keystore \(name))", in: &plan)
        }
        let base = "\(ImportedSettings.secrets)/\((name as NSString).deletingPathExtension)"
        if !certificates.isEmpty {
            try plan.add(.text(certificates), of: name, "certificates", to: base + ".certificates.pem", isSecret: true)
        }
        guard !key.isEmpty else { return }
        try plan.add(.text(key), of: name, "private key", to: base + ".key.pem", isSecret: true)
        plan.remarks.append(
            """
            \(name): to serve HTTPS without a proxy, set tls.certificate: \(base).certificates.pem and tls.key: \(base).key.pem
            """)
    }

    /// Java's own formats begin with other bytes.
    private func isPKCS12() throws(ImportError) -> Bool {
        guard let data = try? Data(contentsOf: file), data.count > 4 else {
            throw ImportError(file.path, "cannot be read, or is empty; expected a keystore")
        }
        return ![[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]].contains(Array(data.prefix(4)))
    }

    private func leaveOut(_ reason: String, in plan: inout ImportPlan) {
        plan.leaveOut("", of: name, because: reason)
        plan.remarks.append("\(name): run \(Self.command(name)); then set tls.certificate and tls.key")
    }

    /// The blocks of PEM, without the lines between them, which name aliases.
    private static func blocks(of text: String) -> String {
        text.matches(of: /-----BEGIN ([A-Z ]+)-----[^\-]*-----END [A-Z ]+-----\n?/).map { String($0.output.0) }.joined()
    }
}

/// A program on this machine that is run with a secret.
private struct Program {
    /// The environment variable that passes the secret: arguments can be seen by other users.
    static let secret = "LAMPLIGHTER_KEYSTORE_PASSWORD"

    private let url: URL

    /// - Returns: `nil` when the program is not in `PATH`.
    init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { URL(fileURLWithPath: String($0)).appending(path: name) }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            return nil
        }
        url = found
    }

    /// - Parameter file: the name of the file that the program reads, for errors.
    /// - Returns: the program's output.
    /// - Throws: ``ImportError`` with the program's last line of errors when it fails.
    @discardableResult
    func run(_ arguments: [String], secret: String, of file: String) throws(ImportError) -> String {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([Self.secret: secret]) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, output, errors
        )
        do {
            try process.run()
        } catch {
            throw ImportError(url.path, "cannot be run: \(error.localizedDescription)")
        }
        let text = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let problem = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let lines = (String(decoding: text, as: UTF8.self) + String(decoding: problem, as: UTF8.self)).split(
                separator: "\n")
            throw ImportError(
                file,
                "\(url.lastPathComponent) cannot read it: \(lines.first ?? "no reason known"); check the file and its password"
            )
        }
        return String(decoding: text, as: UTF8.self)
    }
}
