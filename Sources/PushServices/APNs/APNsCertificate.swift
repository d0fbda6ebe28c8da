public import Delivery
public import Foundation
import NIOSSL

/// A certificate for one app: the `.p12` file that the original kept as `apns-certificate-*.p12` (server-api 5.3), or a
/// certificate and its key in PEM form.
public struct APNsCertificate: Sendable, Hashable, CustomStringConvertible {
    /// How long before its end an operator is warned.
    static let warningPeriod = 30.0 * 24 * 3600

    /// The app's bundle id, as the certificate has it.
    public let topic: String
    /// When it ends.
    public let notAfter: Date
    /// Which of Apple's services it is for, where it says so; both when it says nothing or names both.
    public let environments: Set<PushServiceSettings.APNsEnvironment>
    /// The file, for messages.
    let source: String
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Reads a PKCS#12 file, also one that is encrypted as Apple's Keychain and IBM's tools did it (RC2 with 40 bits,
    /// triple DES).
    ///
    /// - Throws: ``CredentialError``.
    public init(p12File path: String, password: String, now: Date) throws(CredentialError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CredentialError(
                source: path, problem: "expected a readable .p12 file; correct the path or the file's permissions")
        }
        if bytes.first == 0x30, let problem = PKCS12Contents(bytes).problem {
            throw CredentialError(source: path, problem: problem)
        }
        let bundle: NIOSSLPKCS12Bundle
        do {
            bundle = try NIOSSLPKCS12Bundle(buffer: Array(bytes), passphrase: Array(password.utf8))
        } catch {
            let looksRight = bytes.first == 0x30
            throw CredentialError(
                source: path, field: looksRight ? "password" : nil,
                problem: looksRight
                    ? "expected the password that opens the file and a certificate with its key in it; correct the password"
                    : "expected a PKCS#12 file (.p12), found something else; export it with its key")
        }
        try self.init(chain: bundle.certificateChain, key: bundle.privateKey, source: path, now: now)
    }

    /// Reads a certificate and its key in PEM form.
    ///
    /// - Parameters:
    ///   - certificate: the path of a file, or its text; certificates of the authorities may follow in it.
    ///   - key: the path of a file, or its text. It may be the same file.
    /// - Throws: ``CredentialError``.
    public init(
        certificate: String, privateKey: String, password: String? = nil, now: Date
    ) throws(CredentialError) {
        let (certificateText, source) = try Self.pem(certificate, what: "the APNs certificate")
        let (keyText, keySource) = try Self.pem(privateKey, what: "the APNs certificate's key")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(certificateText.utf8)), !chain.isEmpty else {
            throw CredentialError(
                source: source, problem: "expected a certificate in PEM form (-----BEGIN CERTIFICATE-----), found none")
        }
        let key: NIOSSLPrivateKey
        do {
            key =
                if let password {
                    try NIOSSLPrivateKey(bytes: Array(keyText.utf8), format: .pem) { $0(Array(password.utf8)) }
                } else {
                    try NIOSSLPrivateKey(bytes: Array(keyText.utf8), format: .pem)
                }
        } catch {
            throw CredentialError(
                source: keySource,
                problem: "expected a private key in PEM form, found none that can be read"
                    + (keyText.contains("ENCRYPTED") ? "; correct the password" : ""))
        }
        try self.init(chain: chain, key: key, source: source, now: now)
    }

    private init(
        chain: [NIOSSLCertificate], key: NIOSSLPrivateKey, source: String, now: Date
    ) throws(CredentialError) {
        guard let own = chain.first else {
            throw CredentialError(source: source, problem: "expected a certificate beside the key, found none")
        }
        let facts = try APNsCertificateFacts(own, source: source)
        self.topic = facts.topic
        self.environments = facts.environments
        notAfter = Date(timeIntervalSince1970: Double(own.notValidAfter))
        self.source = source
        self.chain = chain
        self.key = key
        if let problem = lapse(at: now) { throw CredentialError(source: source, field: "notAfter", problem: problem) }
    }

    public var description: String { "APNs certificate for \(topic)" }

    /// Why it is of no use any more; nil while it is.
    func lapse(at now: Date) -> String? {
        guard now >= notAfter else { return nil }
        return "the certificate for \(topic) ended on \(Self.day(notAfter)); make a new one on Apple's developer site"
    }

    /// What to tell an operator when the end is near.
    func warning(at now: Date) -> String? {
        let left = notAfter.timeIntervalSince(now)
        guard left > 0, left <= Self.warningPeriod else { return nil }
        return """
            \(source): the certificate for \(topic) ends on \(Self.day(notAfter)), in \(Int(left / 86400)) days; make a \
            new one on Apple's developer site
            """
    }

    private static func day(_ date: Date) -> String { date.ISO8601Format(.iso8601.year().month().day()) }

    private static func pem(_ text: String, what: String) throws(CredentialError) -> (text: String, source: String) {
        if text.contains("-----BEGIN") { return (text, what) }
        do {
            return (try String(contentsOfFile: text, encoding: .utf8), text)
        } catch {
            throw CredentialError(
                source: text, problem: "expected a readable PEM file; correct the path or the file's permissions")
        }
    }
}
