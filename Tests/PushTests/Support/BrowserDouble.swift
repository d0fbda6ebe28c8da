import Core
import Crypto
import Foundation
import PushModel

/// The keys of a page in a browser, and how a browser reads with them: written down from RFC 8291 step by step, with other
/// functions than the sender uses.
struct BrowserDouble {
    struct UnreadableMessageError: Error {}

    let key = P256.KeyAgreement.PrivateKey()
    let auth = (0..<16).map { _ in UInt8.random(in: 0...255) }

    func subscription(_ endpoint: String = "https://push.example.com/p/1") throws -> WebPushSubscription {
        try WebPushSubscription(token(endpoint))
    }

    func token(_ endpoint: String = "https://push.example.com/p/1") -> String {
        let p256dh = Base64URL.encode(key.publicKey.x963Representation)
        return #"{"endpoint":"\#(endpoint)","keys":{"auth":"\#(Base64URL.encode(auth))","p256dh":"\#(p256dh)"}}"#
    }

    func read(_ body: [UInt8]) throws -> String {
        guard body.count > 86, Array(body[16..<21]) == [0, 0, 0x10, 0, 65] else { throw UnreadableMessageError() }
        let (salt, sender, record) = (Array(body[..<16]), Array(body[21..<86]), Array(body[86...]))
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender)
        ).withUnsafeBytes { Array($0) }
        let info = Array("WebPush: info\0".utf8) + Array(key.publicKey.x963Representation) + sender
        let input = Self.hmac(Self.hmac(auth, shared), info + [1])
        let derived = Self.hmac(salt, input)
        let contentKey = Self.hmac(derived, Array("Content-Encoding: aes128gcm\0".utf8) + [1]).prefix(16)
        let nonce = Self.hmac(derived, Array("Content-Encoding: nonce\0".utf8) + [1]).prefix(12)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
        let text = try AES.GCM.open(box, using: SymmetricKey(data: contentKey))
        guard text.last == 2 else { throw UnreadableMessageError() }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    private static func hmac(_ key: [UInt8], _ text: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }
}
