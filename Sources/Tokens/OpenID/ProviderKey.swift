import Crypto
import CryptoExtras
import Foundation

/// A public key of a provider, with which tokens can be verified. Its type decides which algorithms it is used
/// for, and not the token.
struct ProviderKey: Sendable {
    /// All algorithms that any key serves. None of them is `none` or uses a shared secret.
    static let algorithms = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
    ]

    enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    let id: String?
    /// The only algorithm that the provider uses the key for, if it says so.
    let algorithm: String?
    let material: Material

    func serves(_ name: String) -> Bool {
        guard algorithm == nil || algorithm == name else { return false }
        return switch material {
        case .rsa: name.hasPrefix("RS") || name.hasPrefix("PS")
        case .p256: name == "ES256"
        case .p384: name == "ES384"
        case .p521: name == "ES512"
        case .ed25519: name == "EdDSA" || name == "Ed25519"
        }
    }

    /// Returns true if the signature is one by this key with that algorithm.
    func isValid(_ signature: [UInt8], of bytes: [UInt8], algorithm name: String) -> Bool {
        guard serves(name) else { return false }
        switch material {
        case .rsa(let key):
            let padding: _RSA.Signing.Padding = name.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return switch name.suffix(3) {
            case "256": key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: padding)
            case "384": key.isValidSignature(signature, for: SHA384.hash(data: bytes), padding: padding)
            case "512": key.isValidSignature(signature, for: SHA512.hash(data: bytes), padding: padding)
            default: false
            }
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .p521(let key):
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .ed25519(let key):
            return key.isValidSignature(signature, for: bytes)
        }
    }
}
