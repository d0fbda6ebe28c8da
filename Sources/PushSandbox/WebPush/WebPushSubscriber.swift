import Core
import Crypto
import Foundation

/// A browser's subscription, as a page would send it to its server.
public struct WebPushSubscriber: Sendable {
    /// The address to which messages are posted.
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
        p256dh = Base64URL.encode(key.publicKey.x963Representation)
        auth = Base64URL.encode(secret)
    }
}
