package import Authentication
import Core
package import Foundation
import Logging
package import PushModel
import Synchronization
package import Tokens

/// The keys and the store of the OAuth layer of 7.0 and 7.1 (wire-protocol 8).
package struct AuthorizationServer: Sendable {
    /// The scope that every registered client has.
    package static let registeredScope = "RegisteredClient"
    /// The scope that the SDKs of 6.2 and later ask for when the application names none: the realms of the application's security
    /// test. Its meaning on the original server is documented nowhere.
    package static let defaultScope = "wl-default-scope"
    /// The client that tokens for trying out adapters are for.
    package static let testClientID = "test"
    /// The lifetime of a client's certificate, in seconds. No client checks it.
    private static let certificateLife = TimeInterval(20 * 365 * 24 * 3600)

    package let tokens: AccessTokenIssuer
    /// The ids in the cookies of clients.
    package let clientIDs: ClientIDs
    package let logins = TokenLogins()
    package let codes: AuthorizationCodes
    package let tokenLife: Duration
    /// The limit on registrations. It admits as many at once as a company's phones behind one address may need when all get a new version on the same
    /// morning, and one more every 2 s.
    package let registrations: NetworkRateLimiter
    private let authority: CertificateAuthority
    private let publicKey: RSAPublicKey
    private let clients: any OAuthClientStore
    private let mostClients: Int
    private let time: any TimeSource
    private let log: LogLimiter

    /// - Parameters:
    ///   - folder: where the server's key is kept; it is made on first use.
    ///   - mostClients: how many are remembered; beyond, those go that were not used for longest.
    /// - Throws: `KeyFileError`.
    init(
        folder: URL, clients: any OAuthClientStore, mostClients: Int, tokenLife: Duration, time: any TimeSource,
        log: LogLimiter
    ) throws {
        let key = try ServerKey(file: folder.appending(path: "server-key.pem").path)
        authority = CertificateAuthority(key: key)
        publicKey = key.publicKey
        clientIDs = try ClientIDs(key: key)
        tokens = AccessTokenIssuer(key: key, issuer: "lamplighter", lifetime: tokenLife) { time.now }
        codes = AuthorizationCodes { time.now }
        self.tokenLife = tokenLife
        self.clients = clients
        self.mostClients = mostClients
        registrations = NetworkRateLimiter(stock: 300, refill: .seconds(2), time: time)
        self.time = time
        self.log = log
    }

    /// Registers a client from its request, which its own key has signed.
    ///
    /// - Returns: its id, and the certificate in DER that contains the id.
    /// - Throws: `TokenError`, `CertificateIssuingError`, `ClientValueError`, `StoreError`.
    package func register(_ request: ClientRegistrationRequest) throws -> (clientID: String, certificate: Data) {
        let clientID = UUID().uuidString.lowercased()
        let certificate = try authority.issue(
            to: request.publicKey, clientId: clientID, validFrom: time.now.addingTimeInterval(-24 * 3600),
            until: time.now.addingTimeInterval(Self.certificateLife))
        let client = request.client
        var exponent = request.publicKey.exponent.bigEndian
        let record = try OAuthClientRecord(
            clientID: clientID, applicationID: client.applicationId, applicationVersion: client.applicationVersion,
            environment: client.environment, deviceID: client.deviceId, deviceModel: client.deviceModel,
            deviceOS: client.deviceOs,
            publicKey: OAuthClientRecord.PublicKey(
                modulus: Data(request.publicKey.modulus), exponent: Data(bytes: &exponent, count: 8)),
            certificate: certificate, registeredAt: time.now)
        _ = try clients.addOAuthClient(record)
        // A client that registers again with the same key did not get the response, or was refused as unknown.
        _ = try clients.removeOAuthClients(supersededBy: record)
        if try clients.purgeOAuthClients(keeping: mostClients) > 0 {
            log.reached("limits.oauthClients", by: nil, at: .notice, "removed the clients unused for longest")
        }
        return (clientID, certificate)
    }

    /// Returns a client without a registration or a key, as those of 6.2, for tokens in its name.
    package func unregisteredClient(_ id: String, _ description: ClientDescription) -> RegisteredClient {
        RegisteredClient(clientId: id, publicKey: publicKey, description: description)
    }

    /// Notes that a client uses its token, so that the store forgets others first.
    ///
    /// - Throws: `StoreError`.
    package func noteUse(of id: String) throws(StoreError) {
        try clients.touchOAuthClient(id, at: time.now)
    }

    /// A client that was registered; `nil` when there is none of that id.
    ///
    /// - Throws: `TokenError`, `StoreError`.
    package func client(_ id: String) throws -> RegisteredClient? {
        guard let record = try clients.oauthClient(id) else { return nil }
        try clients.touchOAuthClient(id, at: time.now)
        return RegisteredClient(
            clientId: record.clientID,
            publicKey: try RSAPublicKey(modulus: record.publicKey.modulus, exponent: record.publicKey.exponent),
            description: ClientDescription(
                deviceId: record.deviceID, deviceOs: record.deviceOS, deviceModel: record.deviceModel,
                applicationId: record.applicationID, applicationVersion: record.applicationVersion,
                environment: record.environment))
    }
}

/// The sessions of the logins that tokens stand for. A token ends with its login, and a login with its session at the latest.
///
/// In memory, as sessions are: after a restart users log in again.
package final class TokenLogins: Sendable {
    private struct Entry {
        weak var session: ServerSession?
        let realm: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// At so many entries those of ended sessions are removed.
        var nextPurge = 1000
    }

    private let state = Mutex(State())

    /// Remembers a login for which a token may be issued.
    package func note(_ login: RealmLogin, of session: ServerSession) {
        state.withLock { state in
            state.entries[login.id] = Entry(session: session, realm: login.realm)
            guard state.entries.count >= state.nextPurge else { return }
            state.entries = state.entries.filter { id, entry in entry.session?.hasLogin(id, to: entry.realm) ?? false }
            state.nextPurge = max(1000, state.entries.count * 2)
        }
    }

    /// The session in which a login was made, if that is still in memory. It may be over all the same.
    package func session(of login: String) -> ServerSession? {
        state.withLock { $0.entries[login]?.session }
    }
}
