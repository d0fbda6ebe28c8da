public import Foundation

/// Creates the tokens of the 7.x OAuth layer, and verifies those that clients send (wire-protocol 8).
///
/// Nothing is stored: a token is valid until it expires, unless the caller keeps a list of revoked ids.
public struct AccessTokenIssuer: Sendable {
    /// The tokens in a response of the token endpoint.
    public struct IssuedTokens: Sendable, Hashable {
        public let accessToken: String
        public let idToken: String
        /// The granted scopes, with spaces between.
        public let scope: String
        /// The access token's `jti`.
        public let id: String
        public let expires: Date
    }

    private static let accessType = "at+jwt"
    private static let identityType = "jwt"

    private let key: ServerKey
    private let issuer: String
    private let lifetime: Duration
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - key: signs the tokens; servers that accept each other's have the same.
    ///   - issuer: `iss`. Tokens of another issuer are refused, even those of the same key.
    ///   - lifetime: how long both tokens hold, in whole seconds; MobileFirst's default is an hour.
    ///   - clock: returns the current time.
    public init(
        key: ServerKey, issuer: String, lifetime: Duration = .seconds(3600),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.key = key
        self.issuer = issuer
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Creates both tokens.
    ///
    /// - Parameter scopes: the scopes granted to the client. The access token expires with the first of the mandatory ones, if that is
    ///   earlier than its lifetime.
    /// - Throws: ``TokenError/tooLong(_:limit:)`` when the scopes make the token too long to be verified.
    public func issue(
        to client: RegisteredClient, user: UserIdentity? = nil, scopes: [GrantedScope]
    ) throws -> IssuedTokens {
        let now = Int(clock().timeIntervalSince1970)
        let end = now + Int(lifetime.components.seconds)
        let id = UUID().uuidString.lowercased()
        let names = scopes.map(\.name).joined(separator: " ")
        let access = AccessClaims(
            iss: issuer, prn: client.clientId, sub: client.clientId, aud: client.description.applicationId, jti: id,
            iat: now, exp: scopes.filter(\.isMandatory).map { $0.seconds }.reduce(end, min), scope: names,
            imfScope: Dictionary(
                scopes.map { ($0.name, .init(exp: $0.seconds, mandatory: $0.isMandatory, login: $0.login)) },
                uniquingKeysWith: { first, _ in first }), application: .init(client.description),
            device: client.description.deviceId.isEmpty ? nil : client.description.deviceId)
        let identity = IdentityClaims(
            iss: issuer, sub: client.clientId, aud: client.description.applicationId, iat: now, exp: end, user: user,
            device: .init(client.description), application: .init(client.description))
        let issued = IssuedTokens(
            accessToken: try key.token(access, type: Self.accessType),
            idToken: try key.token(identity, type: Self.identityType), scope: names, id: id,
            expires: Date(timeIntervalSince1970: Double(access.exp)))
        for token in [issued.accessToken, issued.idToken] where token.utf8.count > CompactJWS.sizeLimit {
            throw TokenError.tooLong("token", limit: CompactJWS.sizeLimit)
        }
        return issued
    }

    /// - Throws: ``TokenError`` when the token has another issuer, was changed, has expired, or is not an access token.
    public func verifyAccess(_ text: some StringProtocol) throws(TokenError) -> AccessToken {
        let claims: AccessClaims = try verify(text, type: Self.accessType)
        try check(issuer: claims.iss, expires: claims.exp)
        return AccessToken(claims)
    }

    /// - Throws: ``TokenError``, as ``verifyAccess(_:)``.
    public func verifyIdentity(_ text: some StringProtocol) throws(TokenError) -> IdentityToken {
        let claims: IdentityClaims = try verify(text, type: Self.identityType)
        try check(issuer: claims.iss, expires: claims.exp)
        return IdentityToken(claims)
    }

    /// Verifies the access token and, if there is one, the id token, which must be the same client's.
    ///
    /// - Throws: ``TokenError``.
    public func verify(
        _ tokens: BearerTokens
    ) throws(TokenError) -> (access: AccessToken, identity: IdentityToken?) {
        let access = try verifyAccess(tokens.access)
        guard let text = tokens.identity else { return (access, nil) }
        let identity = try verifyIdentity(text)
        guard identity.clientId == access.clientId else {
            throw .mismatch("the access token and the id token are of different clients")
        }
        return (access, identity)
    }

    private func verify<Claims: Decodable>(
        _ text: some StringProtocol, type: String
    ) throws(TokenError) -> Claims {
        let token = try CompactJWS(text)
        try key.publicKey.verify(token)
        let found = token.header.type ?? ""
        guard found == type else { throw .kind(found: found, expected: type) }
        return try token.decodePayload()
    }

    private func check(issuer found: String, expires: Int) throws(TokenError) {
        guard found == issuer else { throw .issuer(found: found, expected: issuer) }
        let end = Date(timeIntervalSince1970: Double(expires))
        guard clock() < end else { throw .expired(end) }
    }
}

extension GrantedScope {
    /// The expiry, in seconds since 1970.
    fileprivate var seconds: Int { Int(expires.timeIntervalSince1970) }
}

extension AccessToken.Application {
    fileprivate init(_ client: ClientDescription) {
        self.init(id: client.applicationId, version: client.applicationVersion, environment: client.environment)
    }
}

extension IdentityToken.Device {
    fileprivate init(_ client: ClientDescription) {
        self.init(
            id: client.deviceId, platform: client.environment, model: client.deviceModel, osVersion: client.deviceOs)
    }
}

extension IdentityToken.Application {
    fileprivate init(_ client: ClientDescription) {
        self.init(id: client.applicationId, version: client.applicationVersion)
    }
}
