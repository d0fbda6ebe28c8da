import Core
import Crypto
public import Foundation
public import HTTPTransfer
import Synchronization

/// Logs users in at an OpenID Connect provider, by authorization code with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636).
///
/// It keeps nothing between the two steps: the browser brings ``Secrets`` back in a cookie.
public final class OpenIDLogin: Sendable {
    /// The random values that a login must return.
    public struct Secrets: Sendable, Hashable {
        public let state: String
        let nonce: String
        let verifier: String

        /// New ones, of 256 random bits each.
        public init() {
            (state, nonce, verifier) = (Self.random(), Self.random(), Self.random())
        }

        /// Reads a cookie's value.
        public init?(cookie: String) {
            let parts = cookie.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts.allSatisfy({ $0.count == 43 }) else { return nil }
            (state, nonce, verifier) = (parts[0], parts[1], parts[2])
        }

        /// The value for a cookie.
        public var cookie: String { "\(state).\(nonce).\(verifier)" }

        private static func random() -> String {
            var generator = SystemRandomNumberGenerator()
            return Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    private let clientID: String
    private let clientSecret: String?
    private let redirectURI: String
    private let settings: OpenIDSettings
    private let tokens: OpenIDConnect
    private let client: TransferClient
    private let fetcher: ProviderFetcher
    private let timeout: Duration
    private let clock: @Sendable () -> Date
    /// The provider's endpoints, for five minutes.
    private let known = Mutex<(endpoints: Endpoints, until: Date)?>(nil)

    private struct Endpoints: Sendable {
        let authorization: URL
        let token: URL
    }

    /// - Parameters:
    ///   - clientID: the name by which the provider knows this server.
    ///   - clientSecret: `nil` for a public client.
    ///   - redirectURI: where the provider sends browsers back, as registered there.
    ///   - userClaim: the claim of the identity token that names the account.
    ///   - timeout: the timeout of a response from the provider.
    /// - Throws: ``OpenIDSettingsError``.
    public init(
        issuer: String, clientID: String, clientSecret: String?, redirectURI: String, userClaim: String,
        transfers: TransferClient.Settings = .init(), timeout: Duration = .seconds(10),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(OpenIDSettingsError) {
        settings = try OpenIDSettings(issuer: issuer, audiences: [clientID], userClaim: userClaim)
        (self.clientID, self.clientSecret, self.redirectURI) = (clientID, clientSecret, redirectURI)
        tokens = OpenIDConnect(settings: settings, transfers: transfers, timeout: timeout, clock: clock)
        client = TransferClient(transfers)
        (self.timeout, self.clock) = (timeout, clock)
        fetcher = ProviderFetcher(client: client, timeout: timeout)
    }

    /// Closes the connections.
    public func shutdown() {
        tokens.shutdown()
        client.close()
    }

    /// The address at which the provider asks the person to log in.
    ///
    /// - Throws: ``ProviderError``.
    public func address(_ secrets: Secrets) async throws(ProviderError) -> String {
        let provider = try await endpoints()
        let challenge = Base64URL.encode(SHA256.hash(data: Data(secrets.verifier.utf8)))
        let query = FormFields.encode([
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", "openid profile email"), ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ])
        let address = provider.authorization.absoluteString
        return address + (address.contains("?") ? "&" : "?") + query
    }

    /// Redeems the code that the provider sent, and returns the user's identity.
    ///
    /// - Throws: ``TokenError`` for an invalid identity token, ``ProviderError`` when the provider refuses the code or does not respond.
    public func identity(code: String, _ secrets: Secrets) async throws -> ForeignIdentity {
        let provider = try await endpoints()
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", secrets.verifier),
        ]
        var headers = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        if let clientSecret {
            let pair = "\(FormFields.encode(clientID)):\(FormFields.encode(clientSecret))"
            headers.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
        } else {
            fields.append(("client_id", clientID))
        }
        let request = TransferRequest(
            "POST", url: provider.token.absoluteString, headers: headers, body: Array(FormFields.encode(fields).utf8),
            timeout: timeout, maximumSize: ProviderFetcher.sizeLimit)
        let answer: TransferAnswer
        do {
            answer = try await client.send(request)
        } catch {
            throw ProviderError.unreachable("\(provider.token): \(error.text)")
        }
        let json = try? JSONValue(parsing: answer.text)
        guard answer.status == 200, let token = json?["id_token"]?.string else {
            let error = json?["error"]?.string ?? "status \(answer.status)"
            throw ProviderError.answer("\(provider.token) refuses the code: \(error.prefix(100))")
        }
        let identity = try await tokens.verify(token)
        let claims = try? JSONValue(parsing: String(decoding: identity.payload, as: UTF8.self))
        guard claims?["nonce"]?.string == secrets.nonce else {
            throw TokenError.malformed("the token has another nonce")
        }
        if let party = claims?["azp"]?.string, party != clientID {
            throw TokenError.malformed("the token is for another client (azp)")
        }
        return identity
    }

    private func endpoints() async throws(ProviderError) -> Endpoints {
        let now = clock()
        if let known = known.withLock({ $0 }), known.until > now { return known.endpoints }
        let found = try await discoverEndpoints()
        known.withLock { $0 = (found, now.addingTimeInterval(300)) }
        return found
    }

    private func discoverEndpoints() async throws(ProviderError) -> Endpoints {
        guard let address = settings.discoveryURL else { throw .answer("the issuer has no discovery address") }
        let document = try await fetcher.fetch(address)
        _ = try DiscoveryDocument(json: document.body, from: address, issuer: settings.issuer)
        let json = try? JSONValue(parsing: String(decoding: document.body, as: UTF8.self))
        func url(_ key: String) throws(ProviderError) -> URL {
            guard let url = json?[key]?.string.flatMap({ URL(string: $0) }), url.isSafe,
                !url.isLoopback || address.isLoopback
            else { throw .answer("the '\(key)' of \(address) is not an https URL of another machine") }
            return url
        }
        return Endpoints(authorization: try url("authorization_endpoint"), token: try url("token_endpoint"))
    }
}
