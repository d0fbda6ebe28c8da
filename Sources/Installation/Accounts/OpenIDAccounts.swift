import Core
import Foundation
package import Tokens

/// The OpenID Connect provider at which people log in to the management API, and which role each has.
public struct OpenIDAccountSettings: Sendable, Hashable {
    public var issuer: String
    public var clientID = ""
    /// `nil` for a public client.
    public var clientSecret: String?
    /// The claim that names the account.
    public var userClaim = "preferred_username"
    /// The claim with the person's groups: a text or an array of texts.
    public var roleClaim = "groups"
    /// For each role the value of the claim that gives it.
    public var roles: [ManagementRole: String] = [:]
    /// How long the provider may take for an answer.
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

    /// The account's name and role; the role is `nil` when no value of the claim gives one.
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
