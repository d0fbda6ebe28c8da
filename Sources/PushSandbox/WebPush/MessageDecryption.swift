import Crypto
import Foundation

/// Decrypts a Web Push message as a browser does (RFC 8291 with the coding of RFC 8188).
enum MessageDecryption {
    struct RejectionError: Error, CustomStringConvertible {
        let description: String
    }

    private static let tagSize = 16
    private static let keySize = 65

    static func decrypt(_ body: [UInt8], for subscriber: WebPushSubscriber) throws(RejectionError) -> [UInt8] {
        guard body.count >= 21 else { throw RejectionError(description: "the header of aes128gcm is cut off") }
        let salt = body[..<16]
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let keyIDSize = Int(body[20])
        guard keyIDSize == keySize, body.count >= 21 + keySize else {
            throw RejectionError(description: "the key id must be the sender's public key of 65 bytes")
        }
        guard recordSize >= 18 else { throw RejectionError(description: "the record size \(recordSize) is below 18") }
        let senderKey = Array(body[21..<21 + keySize])
        let record = body[(21 + keySize)...]
        guard record.count <= recordSize else { throw RejectionError(description: "a message must be a single record") }
        guard record.count > tagSize else { throw RejectionError(description: "the record is cut off") }
        do {
            let (key, nonce) = try keys(salt: salt, senderKey: senderKey, subscriber: subscriber)
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(tagSize), tag: record.suffix(tagSize))
            let padded = try AES.GCM.open(box, using: key)
            guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2 else {
                throw RejectionError(description: "the last record must end with the byte 2 and zeros")
            }
            return Array(padded[..<end])
        } catch let failure as RejectionError {
            throw failure
        } catch {
            throw RejectionError(description: "the message cannot be decrypted with the subscriber's key and secret")
        }
    }

    private static func keys(
        salt: ArraySlice<UInt8>, senderKey: [UInt8], subscriber: WebPushSubscriber
    ) throws -> (key: SymmetricKey, nonce: [UInt8]) {
        let sender = try P256.KeyAgreement.PublicKey(x963Representation: senderKey)
        let shared = try subscriber.key.sharedSecretFromKeyAgreement(with: sender)
        let info = Array("WebPush: info\0".utf8) + subscriber.key.publicKey.x963Representation + senderKey
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscriber.secret, sharedInfo: info, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        return (derive("aes128gcm", 16), derive("nonce", 12).withUnsafeBytes(Array.init))
    }
}
