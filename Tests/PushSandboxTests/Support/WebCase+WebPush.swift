import Core
import Crypto
import Foundation
import JWTKit
import PushSandbox

extension WebCase {
    struct VAPIDClaims: JWTPayload {
        var aud: String
        var exp: Int
        var sub: String?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// A sender's `Authorization`; changed by `change`.
    func vapid(
        key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(), shown: P256.Signing.PublicKey? = nil,
        _ change: (inout VAPIDClaims) -> Void = { _ in }
    ) async throws -> String {
        var claims = VAPIDClaims(
            aud: base, exp: Int(Date().timeIntervalSince1970) + 3600, sub: "mailto:admin@example.com")
        change(&claims)
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(backing: key))
        let public_ = (shown ?? key.publicKey).x963Representation
        return "vapid t=\(try await keys.sign(claims)), k=\(Base64URL.encode(public_))"
    }

    /// Encrypts as RFC 8291 says, with `padding` zeros.
    static func encrypt(_ text: String, for subscriber: WebPushSubscriber, padding: Int = 0) throws -> [UInt8] {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: Base64URL.decode(subscriber.p256dh) ?? [])
        let sender = P256.KeyAgreement.PrivateKey()
        let senderKey = sender.publicKey.x963Representation
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        let input = try sender.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: Base64URL.decode(subscriber.auth) ?? [],
            sharedInfo: Data("WebPush: info\0".utf8) + receiver.x963Representation + senderKey, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try AES.GCM.Nonce(data: derive("nonce", 12).withUnsafeBytes { Data($0) })
        let record = Array(text.utf8) + [2] + [UInt8](repeating: 0, count: padding)
        let box = try AES.GCM.seal(record, using: derive("aes128gcm", 16), nonce: nonce)
        return salt + [0, 0, 0x10, 0, 65] + senderKey + box.ciphertext + box.tag
    }
}
