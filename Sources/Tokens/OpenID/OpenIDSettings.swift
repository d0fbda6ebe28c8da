public import Foundation

/// Which provider's tokens are accepted, and for whom they must be meant. An extension of ours: MobileFirst had nothing like
/// it.
public struct OpenIDSettings: Sendable, Hashable {
    /// `iss` of the tokens, byte for byte.
    public let issuer: String
    /// A token must be meant for one of these (`aud`).
    public let audiences: [String]
    /// The address of the provider's keys, if it is not the one in the discovery document.
    public let jwksURL: URL?
    /// The claim that names the user; a string.
    public let userClaim: String
    /// The largest difference between the provider's clock and ours.
    public let clockSkew: Duration

    /// - Throws: ``OpenIDSettingsError``.
    public init(
        issuer: String, audiences: [String], jwksURL: String? = nil, userClaim: String = "sub",
        clockSkew: Duration = .seconds(60)
    ) throws(OpenIDSettingsError) {
        guard let issuerURL = URL(string: issuer), issuerURL.isSafe, issuerURL.query == nil,
            issuerURL.fragment == nil
        else { throw .init(setting: "issuer", value: issuer, expected: Self.urlAdvice + ", without '?' and '#'") }
        guard !audiences.isEmpty, audiences.allSatisfy({ !$0.isEmpty }) else {
            throw .init(setting: "audience", value: audiences.joined(separator: ", "), expected: "one or more names")
        }
        guard !userClaim.isEmpty else {
            throw .init(setting: "userClaim", value: userClaim, expected: "the name of a claim, as 'sub'")
        }
        guard clockSkew >= .zero, clockSkew <= .seconds(600) else {
            throw .init(setting: "clockSkew", value: "\(clockSkew)", expected: "0 to 600 seconds")
        }
        if let jwksURL {
            guard let url = URL(string: jwksURL), url.isSafe else {
                throw .init(setting: "jwksURL", value: jwksURL, expected: Self.urlAdvice)
            }
            self.jwksURL = url
        } else {
            self.jwksURL = nil
        }
        self.issuer = issuer
        self.audiences = audiences
        self.userClaim = userClaim
        self.clockSkew = clockSkew
    }

    private static let urlAdvice = "an https URL (http only for this machine itself: localhost, 127.0.0.1 or [::1])"

    /// OpenID Connect Discovery 1.0, section 4.
    var discoveryURL: URL? {
        URL(string: (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration")
    }
}

/// An invalid setting.
public struct OpenIDSettingsError: Error, Equatable, CustomStringConvertible {
    public let setting: String
    public let value: String
    public let expected: String

    public var description: String { "'\(setting)' is \(value.debugDescription); expected: \(expected)" }
}

extension URL {
    /// True if content from this address comes from the named host: by https, or from this very machine.
    var isSafe: Bool {
        guard let host = host(percentEncoded: false), !host.isEmpty, user == nil, password == nil else { return false }
        switch scheme?.lowercased() {
        case "https": return true
        case "http": return isLoopback
        default: return false
        }
    }

    /// True if the host is this machine, by its name.
    var isLoopback: Bool {
        let host = host(percentEncoded: false)?.lowercased() ?? ""
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
