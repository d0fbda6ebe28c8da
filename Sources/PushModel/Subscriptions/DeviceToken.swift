import Core
import Crypto
import Foundation

/// The address under which a push service knows an app on a device, checked and in its one normal spelling.
///
/// - APNs: hexadecimal, lower case, without the `<`, `>` and blanks that `deviceToken.description` puts there and that
///   native apps pass on (wire-protocol 4.2, seeds 001 and 003). One token that was not hexadecimal once blocked whole
///   batches of the original (APAR PI79979), so nothing else is let in.
/// - FCM: the registration token as it is; upper and lower case differ.
/// - WNS and MPNS: the channel URI. Only Microsoft's own hosts are let in, since the server will post to it.
/// - Web Push: the subscription's JSON, see ``WebPushSubscription``.
public struct DeviceToken: Sendable, Hashable, CustomStringConvertible {
    /// The normal spelling.
    public let value: String

    /// - Throws: ``DeviceTokenError`` when `text` cannot be a token of that platform.
    public init(_ text: String, platform: Platform) throws(DeviceTokenError) {
        switch platform {
        case .apple: value = try Self.normalisedAPNs(text)
        case .android: value = try Self.normalisedFCM(text)
        case .windows:
            value = try Self.normalisedChannel(text, platform, hosts: ["notify.windows.com", "wns.windows.com"])
        case .windowsPhone: value = try Self.normalisedChannel(text, platform, hosts: ["notify.live.net"])
        case .web: value = try WebPushSubscription(text).text
        }
    }

    /// A token read back from the store, which only holds checked ones.
    public init(stored value: String) {
        self.value = value
    }

    /// The first and last characters only: enough to recognise a token in a log, too little to use it. Of a page's
    /// subscription, the push service's host and the last characters of the endpoint.
    public var description: String {
        if value.hasPrefix("{"), let endpoint = try? WebPushSubscription(value).endpoint {
            return "\(endpoint.host)/…\(endpoint.url.count > endpoint.origin.count + 16 ? endpoint.url.suffix(4) : "")"
        }
        return shortened
    }

    private var shortened: String {
        value.count <= 16 ? "…" : "\(value.prefix(6))…\(value.suffix(4))"
    }

    private static func normalisedAPNs(_ text: String) throws(DeviceTokenError) -> String {
        let token = text.filter { !"<>".contains($0) && !$0.isWhitespace }.lowercased()
        guard !token.isEmpty else { throw DeviceTokenError(platform: .apple, reason: "it is empty") }
        guard token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            throw DeviceTokenError(platform: .apple, reason: "it holds something other than hexadecimal digits")
        }
        // APNs tokens have 32 bytes; Apple asks not to count on it, so longer ones pass, within reason.
        guard token.count >= 64, token.count <= 400, token.count.isMultiple(of: 2) else {
            throw DeviceTokenError(
                platform: .apple, reason: "it has \(token.count) hexadecimal digits, 64 (32 bytes) or more are expected"
            )
        }
        return token
    }

    private static func normalisedFCM(_ text: String) throws(DeviceTokenError) -> String {
        let token = text.trimmingPrefix(while: \.isWhitespace)
        let trimmed = String(token.reversed().trimmingPrefix(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty else { throw DeviceTokenError(platform: .android, reason: "it is empty") }
        let allowed = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_:.%=".utf8.contains(byte)
        }
        guard trimmed.utf8.allSatisfy(allowed) else {
            throw DeviceTokenError(
                platform: .android, reason: "it holds something other than letters, digits and - _ : . % =")
        }
        guard trimmed.utf8.count <= 4096 else {
            throw DeviceTokenError(platform: .android, reason: "it is longer than 4096 characters")
        }
        return trimmed
    }

    private static func normalisedChannel(
        _ text: String, _ platform: Platform, hosts: [String]
    ) throws(DeviceTokenError) -> String {
        let expected = "expected https://….\(hosts[0])/…"
        // A WNS request carries a bearer token, so plain http is for MPNS only.
        let schemes = platform == .windows ? ["https://"] : ["https://", "http://"]
        guard let afterScheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            throw DeviceTokenError(platform: platform, reason: "it is not a channel URI; \(expected)")
        }
        guard !text.contains(where: { $0.isWhitespace || $0 == "\\" }), text.utf8.count <= 2048 else {
            throw DeviceTokenError(platform: platform, reason: "it is not a channel URI; \(expected)")
        }
        let authority = text.dropFirst(afterScheme.count).prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }.lowercased()
        guard !authority.contains("@"), hosts.contains(where: { host.hasSuffix(".\($0)") }) else {
            throw DeviceTokenError(platform: platform, reason: "its host is not Microsoft's; \(expected)")
        }
        return text
    }
}

extension DeviceToken {
    /// Makes a token in the form of its platform, for tests: the same name makes the same token.
    package init(exampleOf name: String, platform: Platform) throws {
        let digest = Array(SHA256.hash(data: Array(name.utf8)))
        let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let text: String
        switch platform {
        case .apple: text = hexadecimal
        case .android: text = "test:\(hexadecimal)"
        case .windows: text = "https://test.notify.windows.com/?token=\(hexadecimal)"
        case .windowsPhone: text = "https://test.notify.live.net/\(hexadecimal)"
        case .web:
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: digest).publicKey.x963Representation
            let encode = { (bytes: [UInt8]) in JSONValue.string(Base64URL.encode(bytes)) }
            let subscription: JSONValue = [
                "endpoint": .string("https://push.example.com/\(hexadecimal)"),
                "keys": ["p256dh": encode(Array(key)), "auth": encode(Array(digest.prefix(16)))],
            ]
            text = subscription.text
        }
        try self.init(text, platform: platform)
    }
}

/// The error for a string that is not a device token.
public struct DeviceTokenError: Error, Hashable, CustomStringConvertible {
    public let platform: Platform
    /// The problem. Never holds the token itself.
    public let reason: String

    public var description: String { "not a device token for \(platform): \(reason)" }
}
