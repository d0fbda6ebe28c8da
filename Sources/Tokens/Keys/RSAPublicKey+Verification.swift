import BigInt
import Crypto
import Foundation

extension RSAPublicKey {
    /// Whether the signature is RSASSA-PKCS1-v1_5 with SHA-256 over the bytes (RFC 8017, 8.2.2).
    ///
    /// The signature is raised to the exponent, and the result compared with the only block that is right: nothing in it is
    /// parsed. All numbers are public, so that it does not matter how long the arithmetic takes.
    public func isValidSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard signature.count == modulus.count else { return false }
        let modulus = BigUInt(Data(modulus))
        let number = BigUInt(Data(signature))
        guard number < modulus else { return false }
        let block = Array(number.power(BigUInt(exponent), modulus: modulus).serialize())
        return block == Array(expectedBlock(for: bytes).drop { $0 == 0 })
    }

    /// EMSA-PKCS1-v1_5 (RFC 8017, 9.2), as long as the modulus.
    private func expectedBlock(for bytes: [UInt8]) -> [UInt8] {
        let ending = [0x00] + Self.sha256Prefix + Array(SHA256.hash(data: bytes))
        return [0x00, 0x01] + Array(repeating: 0xFF, count: modulus.count - 2 - ending.count) + ending
    }

    /// The beginning of the DER of a `DigestInfo` that says SHA-256.
    private static let sha256Prefix: [UInt8] = [
        0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ]

    /// Checks a token's signature.
    ///
    /// - Throws: ``TokenError``: the algorithm is not RS256, or the signature does not match.
    func verify(_ token: CompactJWS) throws(TokenError) {
        guard token.header.algorithm == "RS256" else {
            throw .algorithm(found: token.header.algorithm, accepted: ["RS256"])
        }
        guard isValidSignature(token.signature, of: token.signedBytes) else { throw .signature }
    }
}
