/// This server's identity at push services: its key, and the contact address for reports of harm (RFC 8292, section 2.1).
public struct WebPushCredentials: Sendable, CustomStringConvertible {
    public let key: VAPIDKey
    /// `mailto:` or `https:`. Without one, Apple's service refuses every message.
    public let contact: String

    /// - Throws: ``WebPushCredentialError`` when `contact` is not an address that a person of a push service could use.
    public init(key: VAPIDKey, contact: String) throws(WebPushCredentialError) {
        guard Self.isContact(contact) else {
            throw WebPushCredentialError(
                source: "the contact of Web Push",
                reason: "is '\(contact.prefix(100))'; expected an address that push services can write to, "
                    + "like mailto:push@example.com or https://example.com/push")
        }
        self.key = key
        self.contact = contact
    }

    public var description: String { "key \(key), contact \(contact)" }

    /// A mail address at a host, or a page at one. Apple refuses `localhost`.
    private static func isContact(_ text: String) -> Bool {
        guard text.utf8.count <= 256,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"<>"\"#.utf8.contains($0) })
        else { return false }
        let host: Substring
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return false }
            host = parts[1]
        } else if text.hasPrefix("https://") {
            host = text.dropFirst(8).prefix { !"/?#:".contains($0) }
        } else {
            return false
        }
        return host.contains(".") && !host.hasPrefix(".") && !host.hasSuffix(".") && !host.hasSuffix(".localhost")
    }
}

/// The reason why Web Push has no usable credentials.
public struct WebPushCredentialError: Error, Hashable, CustomStringConvertible {
    /// The file or the setting.
    public let source: String
    /// The problem, the expected value, and a remedy.
    public let reason: String

    public init(source: String, reason: String) {
        self.source = source
        self.reason = reason
    }

    public var description: String { "\(source) \(reason)" }
}
