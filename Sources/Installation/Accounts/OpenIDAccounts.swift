import Core
import Foundation
package import Tokens

/// The OpenID Connect provider for logins to the management API, and the claims that determine the roles.
public struct OpenIDAccountSettings: Sendable, Hashable {
    public var issuer: String
    public var clientID = ""
    /// `nil` for a public client.
    public var clientSecret: String?
    /// The claim that names the account.
    public var userClaim = "preferred_username"
    /// The claim with the user's groups: a string or an array of strings.
    public var roleClaim = "groups"
    /// The value of the claim that grants each role.
    public var roles: [ManagementRole: String] = [:]
    /// The timeout for a response from the provider.
    public var timeout = Duration.seconds(10)

    public init(issuer: String) {
        self.issuer = issuer
    }
}

/// Accounts of an OpenID Connect provider. An account has the highest role whose value its claim contains.
package struct OpenIDAccounts: Sendable {
    /// Below the address of the console.
    package static let callbackPath = "/management/v1/login/openid/callback"

    private let settings: OpenIDAccountSettings
    package let login: OpenIDLogin

    /// - Parameter url: the address by which browsers reach the console's port.
    /// - Throws: `OpenIDSettingsError`.
    init(_ settings: OpenIDAccountSettings, url: String, time: any TimeSource) throws(OpenIDSettingsError) {
        self.settings = settings
        login = try OpenIDLogin(
            issuer: settings.issuer, clientID: settings.clientID, clientSecret: settings.clientSecret,
            redirectURI: url + Self.callbackPath, userClaim: settings.userClaim, timeout: settings.timeout,
            clock: { time.now })
    }

    /// Returns the account's name and role; the role is `nil` when no value of the claim grants one.
    ///
    /// - Throws: `TokenError`, `ProviderError`.
    package func account(code: String, _ secrets: OpenIDLogin.Secrets) async throws -> (
        name: String, role: ManagementRole?
    ) {
        let identity = try await login.identity(code: code, secrets)
        let claims = try JSONValue(parsing: String(decoding: identity.payload, as: UTF8.self))
        let claim = claims[settings.roleClaim]
        let values = claim?.array?.compactMap(\.string) ?? (claim?.string).map { [$0] } ?? []
        let role = ManagementRole.allCases.sorted(by: >).first { role in
            settings.roles[role].map(values.contains) ?? false
        }
        return (identity.user, role)
    }
}
