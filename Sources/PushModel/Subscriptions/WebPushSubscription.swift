import Core
import Crypto

/// The endpoint for messages to a page, and the keys with which only the page's browser reads them: the result of `PushSubscription.toJSON()` in a
/// browser (W3C Push API, 8.1).
public struct WebPushSubscription: Sendable, Hashable {
    /// The push service's address for this page.
    public let endpoint: WebPushEndpoint
    /// The browser's public key, `keys.p256dh`: a point on P-256, uncompressed, 65 bytes.
    public let publicKey: [UInt8]
    /// The secret that only the browser and its page's server know, `keys.auth`: 16 bytes.
    public let authenticationSecret: [UInt8]

    /// The longest JSON that is read, in bytes. Today's browsers send about 500.
    private static let longestText = 8192

    /// Reads and checks the JSON of a subscription. Unused members, such as `expirationTime`, are left out.
    ///
    /// - Throws: ``DeviceTokenError`` naming the member that is wrong.
    public init(_ text: String) throws(DeviceTokenError) {
        guard text.utf8.count <= Self.longestText, let json = try? JSONValue(parsing: text) else {
            throw Self.error("it is not JSON of at most \(Self.longestText) bytes; \(Self.expected)")
        }
        guard let address = json["endpoint"]?.string else { throw Self.error("it has no endpoint; \(Self.expected)") }
        endpoint = try WebPushEndpoint(address)
        publicKey = try Self.bytes(65, of: "p256dh", in: json)
        authenticationSecret = try Self.bytes(16, of: "auth", in: json)
        guard (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil else {
            throw Self.error("keys.p256dh is not a point on P-256 in uncompressed form")
        }
    }

    /// The one normal form. The secret precedes the public key, so that the end of the string reveals nothing.
    public var text: String {
        let json: JSONValue = [
            "endpoint": .string(endpoint.url),
            "keys": [
                "auth": .string(Base64URL.encode(authenticationSecret)), "p256dh": .string(Base64URL.encode(publicKey)),
            ],
        ]
        return json.text
    }

    /// The id of the browser, in place of a device's id: the digest of the endpoint, which only clients that know the endpoint can
    /// name. A page has no lasting identity, and an attacker who planted a cookie could take over the subscription.
    public var deviceID: String {
        let digest = SHA256.hash(data: Array(endpoint.url.utf8)).prefix(16)
        return "web-" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let expected = #"expected {"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}"#

    private static func bytes(_ count: Int, of key: String, in json: JSONValue) throws(DeviceTokenError) -> [UInt8] {
        guard let text = json["keys"]?[key]?.string else { throw error("it has no keys.\(key); \(expected)") }
        // Some pages write the standard alphabet.
        guard let bytes = Base64URL.decode(text, acceptsStandardAlphabet: true) else {
            throw error("keys.\(key) is not Base64")
        }
        guard bytes.count == count else {
            throw error("keys.\(key) has \(bytes.count) bytes, \(count) are expected")
        }
        return bytes
    }

    private static func error(_ reason: String) -> DeviceTokenError {
        DeviceTokenError(platform: .web, reason: reason)
    }
}
