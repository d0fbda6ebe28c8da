import Crypto
import Foundation
import SwiftASN1
import X509

/// Signs the sandbox's certificates.
struct SandboxCertificateAuthority {
    private static let day: TimeInterval = 86_400

    let certificate: Certificate
    let keyPEM: String
    private let key: Certificate.PrivateKey

    /// A new one, good for ten years.
    init() throws {
        let root = P256.Signing.PrivateKey()
        let key = Certificate.PrivateKey(root)
        self.key = key
        keyPEM = root.pemRepresentation
        let name = try DistinguishedName {
            CommonName("Lamplighter push-sandbox")
        }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -Self.day),
            notValidAfter: Date(timeIntervalSinceNow: 3650 * Self.day),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            }, issuerPrivateKey: key)
    }

    /// One that was made before.
    init(keyPEM: String, certificatePEM: String) throws {
        self.keyPEM = keyPEM
        key = Certificate.PrivateKey(try P256.Signing.PrivateKey(pemRepresentation: keyPEM))
        certificate = try Certificate(pemEncoded: certificatePEM)
    }

    /// - Parameter host: another name or address than this machine's own, at which the server is reached.
    func serverCertificate(_ publicKey: P256.Signing.PublicKey, host: String) throws -> Certificate {
        var names: [GeneralName] = [
            .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 15) + [1])),
        ]
        let octets = host.split(separator: ".").compactMap { UInt8($0) }
        if octets.count == 4 {
            names.append(.ipAddress(ASN1OctetString(contentBytes: octets[...])))
        } else if !host.contains(":"), host != "localhost" {
            names.append(.dnsName(host))
        }
        return try issue(
            publicKey, to: DistinguishedName { CommonName("localhost") }, for: .serverAuth,
            names: SubjectAlternativeNames(names))
    }

    /// A certificate like Apple's for push: its UID is the topic.
    func clientCertificate(_ publicKey: P256.Signing.PublicKey, topic: String) throws -> Certificate {
        let subject = DistinguishedName([
            RelativeDistinguishedName(.init(type: Self.userID, utf8String: topic)),
            RelativeDistinguishedName(
                .init(type: .RDNAttributeType.commonName, utf8String: "Apple Push Services: \(topic)")),
        ])
        return try issue(publicKey, to: subject, for: .clientAuth, names: nil)
    }

    /// The topic of a client certificate.
    static func topic(of der: [UInt8]) throws -> String? {
        let certificate = try Certificate(derEncoded: der)
        return certificate.subject.lazy.flatMap { $0 }.first { $0.type == userID }.flatMap { String($0.value) }
    }

    private static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]

    private func issue(
        _ publicKey: P256.Signing.PublicKey, to subject: DistinguishedName, for usage: ExtendedKeyUsage.Usage,
        names: SubjectAlternativeNames?
    ) throws -> Certificate {
        let publicKey = Certificate.PublicKey(publicKey)
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -Self.day),
            notValidAfter: Date(timeIntervalSinceNow: 365 * Self.day),
            issuer: certificate.subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([usage])
                if let names { names }
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
                SubjectKeyIdentifier(hash: publicKey)
            }, issuerPrivateKey: key)
    }
}
