import Core
import Foundation
import SwiftASN1

/// An RSA public key of any size that the old clients use: those of 7.1 make keys of 512 bits (wire-protocol 8), which
/// swift-crypto refuses. Such a key proves little to an attacker with a few days; that is how the protocol is.
public struct RSAPublicKey: Sendable, Hashable {
    /// The allowed sizes of a modulus, in bits.
    public static let sizes = 512...4096
    /// The allowed public exponents, if they are odd.
    public static let exponents: ClosedRange<UInt64> = 3...(1 << 32)

    /// Big-endian, without leading zeros.
    public let modulus: [UInt8]
    public let exponent: UInt64

    /// - Parameters:
    ///   - modulus: big-endian; one leading zero, which makes a two's complement number positive, is dropped.
    ///   - exponent: big-endian, likewise.
    /// - Throws: ``TokenError/key(_:)`` when the numbers are outside ``sizes`` and ``exponents`` or even.
    public init(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) throws(TokenError) {
        let modulus = Self.withoutSign(modulus)
        let exponent = Self.withoutSign(exponent)
        guard let first = modulus.first, first != 0 else {
            throw .key("its modulus is zero, or begins with more than one zero")
        }
        let size = modulus.count * 8 - first.leadingZeroBitCount
        guard Self.sizes.contains(size) else {
            throw .key(
                "its modulus has \(size) bits; expected: \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)")
        }
        guard modulus.last?.isMultiple(of: 2) == false else { throw .key("its modulus is even") }
        let value = exponent.count <= 8 ? exponent.reduce(0) { $0 << 8 | UInt64($1) } : UInt64.max
        guard Self.exponents.contains(value), !value.isMultiple(of: 2) else {
            throw .key("its exponent is not an odd number from 3 to 2^32")
        }
        self.modulus = modulus
        self.exponent = value
    }

    /// Big-endian, without leading zeros.
    var exponentBytes: [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: exponent >> (56 - 8 * $0)) }
        return Array(bytes.drop { $0 == 0 })
    }

    /// `RSAPublicKey` in DER (RFC 8017, A.1.1).
    func der() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serializeSequenceOf([modulus[...], exponentBytes[...]])
        return serializer.serializedBytes
    }

    private static func withoutSign(_ number: some Collection<UInt8>) -> [UInt8] {
        number.count > 1 && number.first == 0 ? Array(number.dropFirst()) : Array(number)
    }
}

/// A key as `{alg, mod, exp}`, like `jpk` in the header of a 7.x client's JWS.
struct JPK: Codable {
    let alg: String
    let mod: String
    let exp: String
}

extension RSAPublicKey: Codable {
    init(_ jpk: JPK) throws(TokenError) {
        guard jpk.alg == "RSA" else { throw .key("its 'alg' is \(TokenError.quote(jpk.alg)); expected: RSA") }
        guard let modulus = Base64URL.decode(jpk.mod) else { throw .key("its 'mod' is not base64url") }
        guard let exponent = Base64URL.decode(jpk.exp) else { throw .key("its 'exp' is not base64url") }
        try self.init(modulus: modulus, exponent: exponent)
    }

    /// Decodes `{alg, mod, exp}`, as in the header of a client's JWS.
    ///
    /// - Throws: `DecodingError`, and ``TokenError/key(_:)`` for a key that we do not use.
    public init(from decoder: any Decoder) throws {
        try self.init(JPK(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try JPK(alg: "RSA", mod: Base64URL.encode(modulus), exp: Base64URL.encode(exponentBytes)).encode(to: encoder)
    }
}
