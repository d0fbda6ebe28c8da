import Core
import Crypto
import Foundation
import PushModel

/// Tokens as the push services give them, made of a name.
enum DeviceTokenMaker {
    static func token(of name: String, for platform: Platform) throws -> String {
        let digest = SHA256.hash(data: Array(name.utf8))
        let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        switch platform {
        case .apple: return hexadecimal
        case .android: return "test:\(hexadecimal)"
        case .windows: return "https://test.notify.windows.com/?token=\(hexadecimal)"
        case .windowsPhone: return "https://test.notify.live.net/\(hexadecimal)"
        case .web:
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: Array(digest)).publicKey.x963Representation
            let encode = { (bytes: [UInt8]) in JSONValue.string(Base64URL.encode(bytes)) }
            let subscription: JSONValue = [
                "endpoint": .string("https://push.example.com/\(hexadecimal)"),
                "keys": ["p256dh": encode(Array(key)), "auth": encode(Array(digest.prefix(16)))],
            ]
            return subscription.text
        }
    }
}
