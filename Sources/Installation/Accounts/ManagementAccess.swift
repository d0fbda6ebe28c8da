import Authentication
package import Core
import Crypto
package import Foundation
package import PushModel

/// Authenticates callers of the management API: by the key in `server.json`, which has the role admin, by an API
/// token, or by the token of a session.
package struct ManagementAccess: Sendable {
    /// The first characters of every token, by which operators and secret scanners recognise it.
    private static let prefix = "lamplighter_"

    /// The `managementKey` of `server.json`.
    let key: String
    let store: any Store
    let sessions: ManagementSessions
    let time: any TimeSource
    private let isStoreFailing: @Sendable () -> Bool

    /// - Parameters:
    ///   - key: the `managementKey` of `server.json`.
    ///   - isStoreFailing: returns true if the last health check found that the store fails; then nobody waits for it.
    package init(
        key: String, store: any Store, sessions: ManagementSessions, time: any TimeSource,
        isStoreFailing: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.key, self.store, self.sessions, self.time) = (key, store, sessions, time)
        self.isStoreFailing = isStoreFailing
    }

    /// - Parameters:
    ///   - authorization: the header `Authorization`.
    ///   - user: the header ``ManagementPrincipal/userHeader``.
    ///   - address: the client's.
    /// - Returns: `nil` for an unknown or expired key. While the store fails, a token that it has confirmed in the last ten minutes has the role
    ///   monitor.
    /// - Throws: `StoreError`.
    package func principal(
        _ authorization: String?, user: String? = nil, address: String
    ) async throws -> ManagementPrincipal? {
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return nil }
        let secret = String(authorization.dropFirst(7))
        if secret.isSame(as: key) {
            guard let user, ManagementPrincipal.isUserName(user) else {
                return Self.noted(ManagementPrincipal(account: "server.json", role: .admin, address: address))
            }
            return Self.noted(ManagementPrincipal(unixUser: user, address: address))
        }
        guard secret.hasPrefix(Self.prefix), secret.utf8.count < 200 else { return nil }
        if let principal = principal(session: secret, address: address) { return principal }
        let hash = Self.hash(secret)
        func recent() -> ManagementPrincipal? {
            sessions.recentTokens.name(of: hash).map {
                Self.noted(ManagementPrincipal(account: "token:\($0)", role: .monitor, address: address))
            }
        }
        if isStoreFailing(), let principal = recent() { return principal }
        let found: APIToken?
        do {
            found = try await runBlocking { [store] in try store.apiToken(hash: hash) }
        } catch {
            // Monitoring must not fail together with the store.
            guard let principal = recent() else { throw error }
            return principal
        }
        guard let token = found, token.expiresAt.map({ $0 > time.now }) ?? true,
            let role = ManagementRole(rawValue: token.role)
        else {
            sessions.recentTokens.forget(hash)
            return nil
        }
        sessions.recentTokens.confirm(hash, name: token.name, expires: token.expiresAt)
        return Self.noted(ManagementPrincipal(account: "token:\(token.name)", role: role, address: address))
    }

    /// The account of a session, by the session's token; `nil` when the session has ended.
    package func principal(session token: String, address: String) -> ManagementPrincipal? {
        let hash = Self.hash(token)
        return sessions.account(hash: hash).map {
            Self.noted(ManagementPrincipal(account: $0.name, role: $0.role, address: address, session: hash))
        }
    }

    /// Notes the account for the access log.
    private static func noted(_ principal: ManagementPrincipal) -> ManagementPrincipal {
        RequestRecord.current?.note(account: principal.account)
        return principal
    }

    /// A new token of 256 random bits.
    package static func newToken() -> String { prefix + RandomBytes.hexadecimal(32) }

    /// Returns the hash of a token for the store. A random token of 256 bits needs no slow hash.
    package static func hash(_ token: String) -> String { hash(Data(token.utf8)) }

    /// The SHA-256 hash in hexadecimal.
    package static func hash(_ data: Data) -> String {
        SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
