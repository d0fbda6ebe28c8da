import Core
import Crypto
import CryptoExtras
import Foundation

/// A set of public keys (RFC 7517).
struct JSONWebKeySet {
    /// The most keys of a set; providers have fewer.
    static let limit = 200

    /// The keys with which signatures can be verified. Others in the set, such as those for encryption, those of unknown types
    /// and shared secrets, are left out.
    let keys: [ProviderKey]

    /// - Throws: ``ProviderError/answer(_:)``.
    init(json: Data) throws(ProviderError) {
        guard let list = try? JSONDecoder().decode(RawSet.self, from: json) else {
            throw .answer("its key set is not a JSON object with an array 'keys'")
        }
        guard list.keys.count <= Self.limit else { throw .answer("its key set has more than \(Self.limit) keys") }
        keys = list.keys.compactMap { $0.key.flatMap(ProviderKey.init) }
        guard !keys.isEmpty else { throw .answer("its key set has no key that verifies signatures") }
    }

    private struct RawSet: Decodable {
        let keys: [Lenient]
    }

    /// A key, or `nil` for another value at its position.
    private struct Lenient: Decodable {
        let key: JSONWebKey?

        init(from decoder: any Decoder) {
            key = try? JSONWebKey(from: decoder)
        }
    }
}

/// One key of the set (RFC 7517, 7518 section 6, and 8037).
private struct JSONWebKey: Decodable {
    let kty: String
    let kid: String?
    let alg: String?
    let use: String?
    let operations: [String]?
    let crv: String?
    let n: String?
    let e: String?
    let x: String?
    let y: String?

    enum CodingKeys: String, CodingKey {
        case kty, kid, alg, use, crv, n, e, x, y
        case operations = "key_ops"
    }

    var isForSignatures: Bool { (use ?? "sig") == "sig" && (operations ?? ["verify"]).contains("verify") }
}

extension ProviderKey {
    /// - Returns: nil for a key that verifies no signatures, or none that we know, or is malformed.
    fileprivate init?(_ key: JSONWebKey) {
        guard key.isForSignatures, let material = try? Material(key) else { return nil }
        self.init(id: key.kid, algorithm: key.alg, material: material)
    }
}

extension ProviderKey.Material {
    private struct UnusableKeyError: Error {}

    fileprivate init(_ key: JSONWebKey) throws {
        func bytes(_ text: String?) throws -> [UInt8] {
            guard let text, let bytes = Base64URL.decode(text) else { throw UnusableKeyError() }
            return bytes
        }
        switch (key.kty, key.crv) {
        case ("RSA", _):
            // The library refuses less than 2048 bits.
            self = .rsa(try _RSA.Signing.PublicKey(n: try bytes(key.n), e: try bytes(key.e)))
        case ("EC", "P-256"):
            self = .p256(try P256.Signing.PublicKey(rawRepresentation: try bytes(key.x) + bytes(key.y)))
        case ("EC", "P-384"):
            self = .p384(try P384.Signing.PublicKey(rawRepresentation: try bytes(key.x) + bytes(key.y)))
        case ("EC", "P-521"):
            self = .p521(try P521.Signing.PublicKey(rawRepresentation: try bytes(key.x) + bytes(key.y)))
        case ("OKP", "Ed25519"):
            self = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: try bytes(key.x)))
        default: throw UnusableKeyError()
        }
    }
}
