import Core
import Crypto
import CryptoExtras
import Foundation
import X509

/// The server's own RSA key of 2048 bits, which signs certificates and tokens.
///
/// One key may do both: the signed data of a certificate begins with the byte 0x30, and that of a token with base64url.
public struct ServerKey: Sendable {
    private let key: _RSA.Signing.PrivateKey
    public let publicKey: RSAPublicKey

    /// A key that lives as long as the process.
    ///
    /// - Throws: what the cryptographic library throws when it cannot make a key.
    public init() throws {
        try self.init(_RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    private init(_ key: _RSA.Signing.PrivateKey) throws {
        self.key = key
        let numbers = try key.publicKey.getKeyPrimitives()
        publicKey = try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.publicExponent)
    }

    /// The key in a PEM file, which is made with mode 0600 when there is none. Several processes may do this at once: all get
    /// the same key.
    ///
    /// - Parameter path: where the file is; its folder exists.
    /// - Throws: ``KeyFileError``: the file is damaged, open to others, or cannot be read or made.
    public init(file path: String) throws {
        let file = KeyFile(path: path)
        if let text = try file.read() {
            self = try Self.parse(text, path: path)
            return
        }
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        if try file.create(key.pkcs8PEMRepresentation + "\n") {
            try self.init(key)
        } else if let text = try file.read() {
            self = try Self.parse(text, path: path)
        } else {
            throw KeyFileError(path: path, reason: "went away while it was read; start again")
        }
    }

    private static func parse(_ text: String, path: String) throws -> ServerKey {
        do {
            return try ServerKey(_RSA.Signing.PrivateKey(pemRepresentation: text))
        } catch {
            throw KeyFileError(
                path: path,
                reason: "holds no RSA private key of 2048 to 4096 bits in PEM; \(KeyFile.advice) (\(error))")
        }
    }

    /// The key that signs certificates.
    var certificateKey: Certificate.PrivateKey { Certificate.PrivateKey(key) }

    /// RSASSA-PKCS1-v1_5 with SHA-256. The same bytes always get the same signature.
    func signature(of bytes: some DataProtocol) throws -> [UInt8] {
        let digest = SHA256.hash(data: bytes)
        return try Array(key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
}

extension ServerKey {
    /// Returns a token in the compact form of RFC 7515, without padding.
    ///
    /// - Parameter type: the header's `typ`, which distinguishes the kinds of tokens.
    func token(_ payload: some Encodable, type: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(["alg": "RS256", "typ": type])
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(try encoder.encode(payload))
        return signed + "." + Base64URL.encode(try signature(of: Data(signed.utf8)))
    }
}
