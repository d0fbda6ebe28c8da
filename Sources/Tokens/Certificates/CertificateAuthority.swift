import Crypto
import SwiftASN1
import X509

public import struct Foundation.Data
public import struct Foundation.Date

/// Issues the certificates that 7.x clients want when they register (wire-protocol 8).
///
/// A client takes from it only the `UID` of the subject, and does not check who issued it. Nothing else should trust the issuer.
public struct CertificateAuthority: Sendable {
    /// The name of the authority, which each certificate has as its issuer.
    static let name = DistinguishedName([
        RelativeDistinguishedName(
            .init(type: .RDNAttributeType.commonName, utf8String: "Lamplighter client certificates"))
    ])
    /// `UID` (RFC 4519, 2.39).
    private static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    /// The first second of the year 10000.
    private static let endOfTime = 253_402_300_800.0

    private let key: ServerKey

    public init(key: ServerKey) {
        self.key = key
    }

    /// Makes a certificate of the client's key, with `UID=<clientId>` as its subject.
    ///
    /// - Parameters:
    ///   - publicKey: the client's.
    ///   - clientId: 1 to 128 characters from `A` to `Z`, `a` to `z`, `0` to `9`, `-`, `_` and `.`: the client splits the subject at commas.
    ///   - start: the beginning of the validity, in whole seconds.
    ///   - end: its end, after `start`.
    /// - Returns: the DER.
    /// - Throws: ``CertificateIssuingError``.
    public func issue(
        to publicKey: RSAPublicKey, clientId: String, validFrom start: Date, until end: Date
    ) throws -> Data {
        guard (1...128).contains(clientId.utf8.count), clientId.utf8.allSatisfy(Self.isPlain) else {
            throw CertificateIssuingError.clientId
        }
        let first = start.timeIntervalSince1970.rounded(.down)
        let last = end.timeIntervalSince1970.rounded(.down)
        guard first >= 0, first < last, last < Self.endOfTime else { throw CertificateIssuingError.validity }
        let issuerKey = key.certificateKey
        let subjectKeyIdentifier = try Self.identifier(of: publicKey)
        let issuerKeyIdentifier = try Self.identifier(of: key.publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: Self.randomSerialNumber(), publicKey: issuerKey.publicKey,
            notValidBefore: Date(timeIntervalSince1970: first), notValidAfter: Date(timeIntervalSince1970: last),
            issuer: Self.name,
            subject: DistinguishedName([
                RelativeDistinguishedName(.init(type: Self.userID, utf8String: clientId))
            ]),
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectKeyIdentifier(keyIdentifier: subjectKeyIdentifier)
                AuthorityKeyIdentifier(keyIdentifier: issuerKeyIdentifier)
            }, issuerPrivateKey: issuerKey)
        return try replaceKey(of: certificate, with: publicKey)
    }

    /// Returns the certificate with the client's key, signed again.
    ///
    /// swift-certificates makes no certificate of a key of fewer than 1024 bits, and the clients of 7.1 have 512. So it makes one
    /// of the issuer's key, which is replaced here.
    private func replaceKey(of certificate: Certificate, with publicKey: RSAPublicKey) throws -> Data {
        var body = DER.Serializer()
        try body.appendConstructedNode(identifier: .sequence) { body in
            try DER.sequence(DER.parse(certificate.tbsCertificateBytes), identifier: .sequence) { fields in
                // Version, serial number, algorithm, issuer, validity and subject come before the key (RFC 5280, 4.1).
                for _ in 0..<6 { if let field = fields.next() { body.serialize(field) } }
                _ = fields.next()
                try body.appendConstructedNode(identifier: .sequence) { info in
                    try Self.serialize(.AlgorithmIdentifier.rsaEncryption, publicKey.der(), into: &info)
                }
                if let extensions = fields.next() { body.serialize(extensions) }
            }
        }
        let bytes = body.serializedBytes
        var signed = DER.Serializer()
        try signed.appendConstructedNode(identifier: .sequence) { signed in
            signed.serializeRawBytes(bytes)
            try Self.serialize(
                .AlgorithmIdentifier.sha256WithRSAEncryption, key.signature(of: bytes), into: &signed)
        }
        return Data(signed.serializedBytes)
    }

    /// Writes an algorithm of RSA, whose parameter is NULL (RFC 4055), and the key or the signature that belongs to it.
    private static func serialize(
        _ algorithm: ASN1ObjectIdentifier, _ bytes: [UInt8], into serializer: inout DER.Serializer
    ) throws {
        try serializer.appendConstructedNode(identifier: .sequence) { sequence in
            try sequence.serialize(algorithm)
            try sequence.serialize(ASN1Null())
        }
        try serializer.serialize(ASN1BitString(bytes: bytes[...]))
    }

    /// RFC 7093, method 1.
    private static func identifier(of key: RSAPublicKey) throws -> ArraySlice<UInt8> {
        Array(SHA256.hash(data: try key.der()))[..<20]
    }

    /// 16 bytes: no more than 20 are allowed (RFC 5280, 4.1.2.2).
    private static func randomSerialNumber() -> Certificate.SerialNumber {
        Certificate.SerialNumber(bytes: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// The reason why a certificate cannot be issued.
public enum CertificateIssuingError: Error, Equatable, CustomStringConvertible {
    /// The client id does not fit into a subject that the clients understand.
    case clientId
    /// The dates are in the wrong order, or outside the years 1970 to 9999.
    case validity

    public var description: String {
        switch self {
        case .clientId: "a client id has 1 to 128 letters, digits, '-', '_' and '.' of ASCII"
        case .validity: "a certificate's validity ends after it begins, and lies in the years 1970 to 9999"
        }
    }
}
