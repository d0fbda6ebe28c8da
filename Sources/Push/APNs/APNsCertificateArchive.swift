import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The certificates for APNs in a `.p12` file, each with its key.
struct APNsCertificateArchive {
    struct Choice {
        let facts: APNsCertificateFacts
        let certificate: NIOSSLCertificate
        let key: NIOSSLPrivateKey
    }

    /// Never empty.
    let choices: [Choice]
    /// The certificates that have no key here: the authorities'.
    private let authorities: [Certificate]

    /// - Throws: ``CredentialError``.
    init(file path: String, password: String) throws(CredentialError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CredentialError(
                source: path, problem: "expected a readable .p12 file; correct the path or the file's permissions")
        }
        let archive: PKCS12Archive
        do {
            archive = try PKCS12Archive(Array(bytes), password: password)
        } catch {
            throw Self.error(error, source: path)
        }
        guard !archive.identities.isEmpty else { throw Self.incomplete(archive, source: path) }
        var choices: [Choice] = []
        var unsuitable: CredentialError?
        for identity in archive.identities {
            do throws(CredentialError) {
                choices.append(try Self.choice(identity, source: path))
            } catch {
                unsuitable = unsuitable ?? error
            }
        }
        if choices.isEmpty, let unsuitable { throw unsuitable }
        self.choices = choices
        let own = Set(archive.identities.map(\.certificate))
        authorities = archive.certificates.filter { !own.contains($0) }
            .compactMap { try? Certificate(derEncoded: $0) }
    }

    /// The one to use.
    ///
    /// - Parameters:
    ///   - topic: the wanted one, where it is known.
    ///   - environment: the wanted one.
    func best(topic: String?, environment: PushServiceSettings.APNsEnvironment?, now: Date) -> Choice {
        // Of two that are alike the first counts.
        choices.dropFirst().reduce(choices[0]) { best, other in
            let rank = { (choice: Choice) in
                let facts = choice.facts
                return [
                    topic == nil || facts.topic == topic, facts.isValid(at: now),
                    environment.map(facts.environments.contains) ?? true,
                ].map { $0 ? 1 : 0 } + [Int(facts.notAfter.timeIntervalSince1970)]
            }
            return rank(best).lexicographicallyPrecedes(rank(other)) ? other : best
        }
    }

    /// The certificate and those of the authorities above it that are in the file, in order.
    func chain(of choice: Choice) -> [NIOSSLCertificate] {
        var chain = [choice.certificate]
        var left = authorities
        var issuer = choice.facts.issuer
        while let index = left.firstIndex(where: { $0.subject == issuer }) {
            let authority = left.remove(at: index)
            guard let certificate = try? NIOSSLCertificate(bytes: Self.der(authority), format: .der) else { break }
            chain.append(certificate)
            issuer = authority.issuer
        }
        return chain
    }

    private static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    private static func choice(
        _ identity: PKCS12Archive.Identity, source: String
    ) throws(CredentialError) -> Choice {
        guard let certificate = try? NIOSSLCertificate(bytes: identity.certificate, format: .der),
            let key = try? NIOSSLPrivateKey(bytes: identity.privateKey, format: .der)
        else {
            throw CredentialError(
                source: source, problem: "expected a certificate with an RSA or EC key, found one of another kind")
        }
        return Choice(
            facts: try APNsCertificateFacts(certificate, source: source), certificate: certificate, key: key)
    }

    private static func error(_ error: PKCS12Error, source: String) -> CredentialError {
        switch error {
        case .notPKCS12:
            CredentialError(
                source: source, problem: "expected a PKCS#12 file (.p12), found something else; export it with its key")
        case .wrongPassword:
            CredentialError(
                source: source, field: "password",
                problem: "expected the password that opens the file; correct the password")
        case .unreadable(let reason):
            CredentialError(
                source: source,
                problem: "expected a .p12 file that OpenSSL can read, found one it cannot (\(reason)); export it again")
        }
    }

    private static func incomplete(_ archive: PKCS12Archive, source: String) -> CredentialError {
        let found =
            if archive.privateKeys.isEmpty {
                "no key; export it with its key"
            } else if archive.certificates.isEmpty {
                "no certificate; export both together"
            } else {
                "keys of other certificates only; export the certificate together with its key"
            }
        return CredentialError(
            source: source, problem: "expected a certificate with its key in the .p12 file, found \(found)")
    }
}
