import Core
import Crypto
import Foundation
import PushModel

/// Encrypts a message so that only one browser can read it (RFC 8291), in the content encoding `aes128gcm` (RFC 8188) with
/// one record.
struct WebPushEncryption {
    static let contentEncoding = "aes128gcm"
    /// The record size that every push service takes, in bytes.
    private static let recordSize: UInt32 = 4096

    /// - Parameters:
    ///   - key: the sender's for this message alone.
    ///   - salt: 16 random bytes.
    /// - Returns: the body of the request: the header of the encoding and the one record.
    /// - Throws: what the cryptographic library throws, for a subscription's key that is not a point on the curve.
    static func encrypt(
        _ text: String, to subscription: WebPushSubscription,
        key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(), salt: [UInt8] = randomSalt()
    ) throws -> [UInt8] {
        let sender = Array(key.publicKey.x963Representation)
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let shared = try key.sharedSecretFromKeyAgreement(with: receiver)
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: Array("WebPush: info\0".utf8) + subscription.publicKey + sender, outputByteCount: 32)
        let contentKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        // The last record ends with a 2 (RFC 8188, section 2).
        let record = try AES.GCM.seal(
            Array(text.utf8) + [2], using: contentKey,
            nonce: try AES.GCM.Nonce(data: nonce.withUnsafeBytes { Array($0) }))
        let size = withUnsafeBytes(of: recordSize.bigEndian) { Array($0) }
        return salt + size + [UInt8(sender.count)] + sender + record.ciphertext + record.tag
    }

    private static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
