import Crypto

public import struct Foundation.Data
public import struct Foundation.Date

/// Issues the certificates that 7.x clients want when they register (wire-protocol 8).
///
/// A client takes from it only the `UID` of the subject, and does not check who issued it; so the authority signs itself,
/// and nothing else should trust it.
public struct CertificateAuthority: Sendable {
    /// What the authority is called, as issuer and as subject of its own certificate.
    static let name = DistinguishedName(type: .commonName, value: "Lamplighter client certificates")

    private let key: ServerKey

    public init(key: ServerKey) {
        self.key = key
    }

    /// Makes a certificate of the client's key, with `UID=<clientId>` as its subject.
    ///
    /// - Parameters:
    ///   - publicKey: the client's.
    ///   - clientId: 1 to 128 characters from `A` to `Z`, `a` to `z`, `0` to `9`, `-`, `_` and `.`: the client splits the
    ///     subject's text at commas.
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
        return try encode(
            Certificate(
                serialNumber: Self.randomSerialNumber(), issuer: Self.name,
                subject: DistinguishedName(type: .userId, value: clientId), publicKey: publicKey,
                validity: try .init(from: start, until: end), isAuthority: false))
    }

    /// The authority's own certificate. It is the same each time, since it has no date of its own: it is valid from 2020 on
    /// and without an end (RFC 5280, 4.1.2.5).
    ///
    /// - Returns: the DER.
    public func certificate() throws -> Data {
        let digest = SHA256.hash(data: key.publicKey.modulus)
        return try encode(
            Certificate(
                serialNumber: [0x01] + digest.prefix(15), issuer: Self.name, subject: Self.name,
                publicKey: key.publicKey,
                validity: .endless, isAuthority: true))
    }

    private func encode(_ certificate: Certificate) throws -> Data {
        Data(try certificate.encode(signedBy: key))
    }

    /// 16 bytes, the first of which makes the number positive and keeps its length.
    private static func randomSerialNumber() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return [UInt8.random(in: 0x40...0x7F, using: &generator)]
            + (0..<15).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
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

/// Why a certificate cannot be issued.
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
