import Crypto
import Foundation

/// A browser's subscription: what a page would hand to its server.
public struct WebPushSubscriber: Sendable {
    /// Where messages are posted to.
    public let endpoint: String
    /// The last part of ``endpoint``; the token of its arrivals.
    public let id: String
    /// The browser's public key, uncompressed, in base64url.
    public let p256dh: String
    /// The secret of authentication, in base64url.
    public let auth: String

    let key: P256.KeyAgreement.PrivateKey
    let secret: [UInt8]
    /// The scheme, host and port of ``endpoint``, which tokens must be made for.
    let origin: String

    init(origin: String) {
        id = UUID().uuidString.lowercased()
        self.origin = origin
        endpoint = origin + WebPush.pathPrefix + id
        key = P256.KeyAgreement.PrivateKey()
        secret = SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)
        p256dh = Base64URL.text(key.publicKey.x963Representation)
        auth = Base64URL.text(secret)
    }
}

/// Base64 with the alphabet for addresses, without padding.
enum Base64URL {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map(Array.init)
    }
}
