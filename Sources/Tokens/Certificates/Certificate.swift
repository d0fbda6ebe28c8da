import Crypto
import Foundation
import SwiftASN1

/// An X.509 certificate (RFC 5280) with an RSA key. It is encoded here because swift-certificates refuses the clients' keys
/// of 512 bits.
struct Certificate {
    /// Positive: the first byte is less than 0x80, and not 0.
    let serialNumber: [UInt8]
    let issuer: DistinguishedName
    let subject: DistinguishedName
    let publicKey: RSAPublicKey
    let validity: Validity
    let isAuthority: Bool

    func encode(signedBy key: ServerKey) throws -> [UInt8] {
        var body = DER.Serializer()
        try encodeBody(issuerKey: key.publicKey, into: &body)
        let signature = try key.signature(of: body.serializedBytes)
        var certificate = DER.Serializer()
        try certificate.appendConstructedNode(identifier: .sequence) { certificate in
            certificate.serializeRawBytes(body.serializedBytes)
            try Self.encodeAlgorithm(.AlgorithmIdentifier.sha256WithRSAEncryption, into: &certificate)
            try certificate.serialize(ASN1BitString(bytes: ArraySlice(signature)))
        }
        return certificate.serializedBytes
    }

    /// `TBSCertificate`.
    private func encodeBody(issuerKey: RSAPublicKey, into serializer: inout DER.Serializer) throws {
        try serializer.appendConstructedNode(identifier: .sequence) { body in
            let version3 = 2
            try body.serialize(version3, explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
            Self.encodeInteger(serialNumber, into: &body)
            try Self.encodeAlgorithm(.AlgorithmIdentifier.sha256WithRSAEncryption, into: &body)
            try body.serialize(issuer)
            try body.serialize(validity)
            try body.serialize(subject)
            try encodeKey(into: &body)
            let extensions = CertificateExtensions(
                isAuthority: isAuthority, keyIdentifier: Self.identifier(of: publicKey),
                issuerKeyIdentifier: Self.identifier(of: issuerKey))
            try body.serialize(extensions, explicitlyTaggedWithTagNumber: 3, tagClass: .contextSpecific)
        }
    }

    /// `SubjectPublicKeyInfo`.
    private func encodeKey(into serializer: inout DER.Serializer) throws {
        let key = Self.encode(publicKey)
        try serializer.appendConstructedNode(identifier: .sequence) { info in
            try Self.encodeAlgorithm(.AlgorithmIdentifier.rsaEncryption, into: &info)
            try info.serialize(ASN1BitString(bytes: ArraySlice(key)))
        }
    }

    /// `RSAPublicKey` (RFC 8017, A.1.1).
    private static func encode(_ key: RSAPublicKey) -> [UInt8] {
        var numbers = DER.Serializer()
        numbers.appendConstructedNode(identifier: .sequence) { numbers in
            encodeInteger(key.modulus, into: &numbers)
            encodeInteger(key.exponentBytes, into: &numbers)
        }
        return numbers.serializedBytes
    }

    /// RFC 7093, method 1.
    private static func identifier(of key: RSAPublicKey) -> [UInt8] {
        Array(SHA256.hash(data: encode(key)).prefix(20))
    }

    private static func encodeAlgorithm(
        _ algorithm: ASN1ObjectIdentifier, into serializer: inout DER.Serializer
    ) throws {
        try serializer.appendConstructedNode(identifier: .sequence) { sequence in
            try sequence.serialize(algorithm)
            try sequence.serialize(ASN1Null())
        }
    }

    /// A positive number, given big-endian and without leading zeros.
    private static func encodeInteger(_ number: [UInt8], into serializer: inout DER.Serializer) {
        serializer.appendPrimitiveNode(identifier: .integer) { bytes in
            if let first = number.first, first >= 0x80 { bytes.append(0) }
            bytes.append(contentsOf: number)
        }
    }
}

/// A name of one attribute, as the subject `UID=…`.
struct DistinguishedName: DERSerializable {
    let type: ASN1ObjectIdentifier
    let value: String

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { name in
            try name.appendConstructedNode(identifier: .set) { element in
                try element.appendConstructedNode(identifier: .sequence) { attribute in
                    try attribute.serialize(type)
                    try attribute.serialize(ASN1UTF8String(value))
                }
            }
        }
    }
}

extension ASN1ObjectIdentifier {
    /// `CN`.
    static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
    /// `UID` (RFC 4519, 2.39).
    static let userId: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
}
