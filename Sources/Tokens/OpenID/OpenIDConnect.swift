public import Foundation
public import HTTPTransfer

/// Verifies the bearer tokens of a foreign OpenID Connect provider: an extension of ours.
///
/// The keys are fetched when the first token comes. No redirect is followed, and no more than 1 MB is read.
public final class OpenIDConnect: Sendable {
    private let settings: OpenIDSettings
    private let client: TransferClient
    private let keys: ProviderKeys
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - settings: the provider, and the audience that tokens must have.
    ///   - transfers: how the provider is reached, as proxy and trusted certificates; redirects are never followed.
    ///   - timeout: how long one document of the provider may take.
    ///   - clock: returns the time.
    public init(
        settings: OpenIDSettings, transfers: TransferClient.Settings = .init(), timeout: Duration = .seconds(10),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        client = TransferClient(transfers)
        self.settings = settings
        self.clock = clock
        keys = ProviderKeys(
            settings: settings, fetcher: ProviderFetcher(client: client, timeout: timeout), clock: clock)
    }

    /// Closes the connections. Call it after the last token was verified.
    public func shutdown() { client.close() }

    /// Verifies a token: signature, issuer, audience, times, and that its type is not for another purpose, such as `logout+jwt`.
    ///
    /// It may be an access token or an id token. The claims that only the requester of an id token can check (`nonce`, `azp`, `at_hash`) are not
    /// checked.
    ///
    /// - Throws: ``TokenError`` when the token is invalid; ``ProviderError`` when that is unknown, since the provider's keys
    ///   cannot be fetched.
    public func verify(_ text: some StringProtocol & Sendable) async throws -> ForeignIdentity {
        let token = try CompactJWS(text, accepting: ProviderKey.algorithms)
        if let type = token.header.type, type != "jwt", type != "at+jwt" {
            throw TokenError.kind(found: type, expected: "JWT or at+jwt")
        }
        let claims: ForeignClaims = try token.decodePayload()
        try check(claims)
        let choice = try await keys.key(for: token.header)
        if !choice.key.verifies(token) {
            guard let newer = try await keys.newerKey(for: token.header, than: choice), newer.verifies(token) else {
                throw TokenError.signature
            }
        }
        return try ForeignIdentity(claims, userClaim: settings.userClaim, payload: Data(token.payload))
    }

    /// Comes before the keys, so that a token that would be refused anyway has none fetched.
    private func check(_ claims: ForeignClaims) throws(TokenError) {
        guard claims.issuer == settings.issuer else {
            throw .issuer(found: claims.issuer ?? "", expected: settings.issuer)
        }
        guard !Set(claims.audiences).isDisjoint(with: settings.audiences) else {
            throw .audience(found: claims.audiences, expected: settings.audiences)
        }
        guard let expires = claims.expires else { throw .missing("exp") }
        let now = clock()
        let skew = settings.clockSkew / .seconds(1)
        guard now < expires.addingTimeInterval(skew) else { throw .expired(expires) }
        if let start = claims.notBefore, now.addingTimeInterval(skew) < start { throw .notYetValid(start) }
    }
}

extension ProviderKey {
    fileprivate func verifies(_ token: CompactJWS) -> Bool {
        isValid(token.signature, of: token.signedBytes, algorithm: token.header.algorithm)
    }
}
