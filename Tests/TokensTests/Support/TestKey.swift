import Core
import Crypto
import CryptoExtras
import Foundation

@testable import Tokens

/// A provider's key pair, of any kind.
struct TestKey: Sendable {
    let id: String?
    let algorithm: String
    let jwk: String
    private let sign: @Sendable (Data) throws -> Data

    /// Making one takes long in a debug build.
    private static let rsa = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
    private static let otherRSA = try! _RSA.Signing.PrivateKey(keySize: .bits2048)

    static let kinds = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
    ]

    /// - Parameters:
    ///   - isOther: another RSA key than without.
    ///   - members: of the JWK, as `,"alg":"RS256"`.
    static func make(
        _ algorithm: String, id: String? = "key-1", isOther: Bool = false, members: String = ""
    ) throws -> TestKey {
        let rest = (id.map { #","kid":"\#($0)""# } ?? "") + members
        func point(_ curve: String, _ raw: Data) -> String {
            let (x, y) = (Base64URL.encode(raw.prefix(raw.count / 2)), Base64URL.encode(raw.suffix(raw.count / 2)))
            return #"{"kty":"EC","crv":"\#(curve)","x":"\#(x)","y":"\#(y)"\#(rest)}"#
        }
        switch algorithm {
        case "ES256":
            let key = P256.Signing.PrivateKey()
            return TestKey(id: id, algorithm: algorithm, jwk: point("P-256", key.publicKey.rawRepresentation)) {
                try key.signature(for: $0).rawRepresentation
            }
        case "ES384":
            let key = P384.Signing.PrivateKey()
            return TestKey(id: id, algorithm: algorithm, jwk: point("P-384", key.publicKey.rawRepresentation)) {
                try key.signature(for: $0).rawRepresentation
            }
        case "ES512":
            let key = P521.Signing.PrivateKey()
            return TestKey(id: id, algorithm: algorithm, jwk: point("P-521", key.publicKey.rawRepresentation)) {
                try key.signature(for: $0).rawRepresentation
            }
        case "EdDSA", "Ed25519":
            let key = Curve25519.Signing.PrivateKey()
            let x = Base64URL.encode(key.publicKey.rawRepresentation)
            return TestKey(
                id: id, algorithm: algorithm, jwk: #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"\#(rest)}"#
            ) { try key.signature(for: $0) }
        default:
            let key = isOther ? otherRSA : rsa
            let numbers = try key.publicKey.getKeyPrimitives()
            let (n, e) = (Base64URL.encode(numbers.modulus), Base64URL.encode(numbers.publicExponent))
            return TestKey(id: id, algorithm: algorithm, jwk: #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(rest)}"#) {
                data in
                let padding: _RSA.Signing.Padding = algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
                return switch algorithm.suffix(3) {
                case "256": try key.signature(for: SHA256.hash(data: data), padding: padding).rawRepresentation
                case "384": try key.signature(for: SHA384.hash(data: data), padding: padding).rawRepresentation
                default: try key.signature(for: SHA512.hash(data: data), padding: padding).rawRepresentation
                }
            }
        }
    }

    /// The RSA key's public half, as it might be published.
    static var publicPEM: String { rsa.publicKey.pemRepresentation }

    private init(id: String?, algorithm: String, jwk: String, sign: @escaping @Sendable (Data) throws -> Data) {
        self.id = id
        self.algorithm = algorithm
        self.jwk = jwk
        self.sign = sign
    }

    /// - Parameters:
    ///   - claims: JSON.
    ///   - header: JSON; without one, `alg` and `kid`.
    func token(_ claims: String, header: String? = nil) throws -> String {
        let kid = id.map { #","kid":"\#($0)""# } ?? ""
        let header = header ?? #"{"alg":"\#(algorithm)","typ":"JWT"\#(kid)}"#
        let signed = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
        return signed + "." + Base64URL.encode(try sign(Data(signed.utf8)))
    }
}
