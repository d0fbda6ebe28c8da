/// The grant that an authorization code represents.
public struct AuthorizationGrant: Sendable, Hashable {
    public let clientId: String
    /// The URI of the authorize step, byte for byte.
    public let redirectURI: String
    /// The scopes that the token will grant.
    public let scopes: [GrantedScope]
    /// The user who had logged in.
    public let user: UserIdentity?
    /// The scope in the token endpoint's response; `nil` for the names of ``scopes``.
    public let scopeText: String?

    public init(
        clientId: String, redirectURI: String, scopes: [GrantedScope], user: UserIdentity? = nil,
        scopeText: String? = nil
    ) {
        self.clientId = clientId
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.user = user
        self.scopeText = scopeText
    }
}

/// The reason why there is no authorization code, or no token for one.
public enum AuthorizationCodeError: Error, Equatable, CustomStringConvertible {
    /// The code was never made here, was used before, or has expired.
    case unknown
    /// The code was made for another client.
    case client
    /// The code was made for another redirect URI.
    case redirectURI
    /// The limit of unredeemed codes is reached. Some of them expire within a minute.
    case tooMany

    public var description: String {
        switch self {
        case .unknown: "the authorization code is unknown, used, or expired"
        case .client: "the authorization code belongs to another client"
        case .redirectURI: "the authorization code belongs to another redirect_uri"
        case .tooMany: "too many authorization codes wait to be redeemed; try again in a minute"
        }
    }
}
