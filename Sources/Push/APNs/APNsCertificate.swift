public import Foundation
import NIOSSL

/// A certificate for one app: the `.p12` file that the original kept as `apns-certificate-*.p12` (server-api 5.2), or a
/// certificate and its key in PEM form.
public struct APNsCertificate: Sendable, Hashable, CustomStringConvertible {
    /// The time before expiry during which an operator is warned, in seconds.
    static let warningPeriod = 30.0 * 24 * 3600

    /// The app's bundle id, as the certificate has it.
    public let topic: String
    /// The end of the certificate's validity.
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
    /// Of several certificates with their keys the one for `topic` is taken, of these the one that is valid, of these the one for
    /// `environment`, and of these the one that ends last.
    ///
    /// - Parameters:
    ///   - topic: the wanted bundle id, where it is known.
    ///   - environment: the wanted one.
    /// - Throws: ``CredentialError``.
    public init(
        p12File path: String, password: String, topic: String? = nil,
        environment: PushServiceSettings.APNsEnvironment? = nil, now: Date
    ) throws(CredentialError) {
        let archive = try APNsCertificateArchive(file: path, password: password)
        let choice = archive.best(topic: topic, environment: environment, now: now)
        try self.init(
            facts: choice.facts, chain: archive.chain(of: choice), key: choice.key, source: path, now: now)
    }

    /// Reads a certificate and its key in PEM form.
    ///
    /// - Parameters:
    ///   - certificate: the path of a file, or PEM content; certificates of the authorities may follow in it.
    ///   - key: the path of a file, or PEM content. It may be the same file.
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
        let facts = try APNsCertificateFacts(chain[0], source: source)
        try self.init(facts: facts, chain: chain, key: key, source: source, now: now)
    }

    private init(
        facts: APNsCertificateFacts, chain: [NIOSSLCertificate], key: NIOSSLPrivateKey, source: String, now: Date
    ) throws(CredentialError) {
        topic = facts.topic
        environments = facts.environments
        notAfter = facts.notAfter
        self.source = source
        self.chain = chain
        self.key = key
        if let problem = lapse(at: now) { throw CredentialError(source: source, field: "notAfter", problem: problem) }
    }

    public var description: String { "APNs certificate for \(topic)" }

    /// The reason why it is no longer usable; nil while it is.
    func lapse(at now: Date) -> String? {
        guard now >= notAfter else { return nil }
        return "the certificate for \(topic) ended on \(Self.day(notAfter)); make a new one on Apple's developer site"
    }

    /// Returns the warning for the operator; `nil` unless the certificate expires soon.
    func warning(at now: Date) -> String? {
        guard isEndNear(at: now) else { return nil }
        return """
            \(source): the certificate for \(topic) ends on \(Self.day(notAfter)), in \(daysLeft(at: now)) days; make a \
            new one on Apple's developer site
            """
    }

    /// Returns true if the certificate expires within ``warningPeriod``.
    public func isEndNear(at now: Date) -> Bool {
        let left = notAfter.timeIntervalSince(now)
        return left > 0 && left <= Self.warningPeriod
    }

    /// Returns the number of whole days for which the certificate remains valid.
    public func daysLeft(at now: Date) -> Int { Int(notAfter.timeIntervalSince(now) / 86_400) }

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

/// The credential with which Lamplighter proves to Apple that it may send.
public enum APNsCredential: Sendable, Hashable, CustomStringConvertible {
    /// A key of a team, for all its apps and both of Apple's services.
    case token(APNsTokenKey)
    /// A certificate for one app.
    case certificate(APNsCertificate)

    /// Names it without its secrets.
    public var description: String {
        switch self {
        case .token(let key): "\(key)"
        case .certificate(let certificate): "\(certificate)"
        }
    }
}
