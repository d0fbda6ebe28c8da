import Authentication
import Core
package import Credentials
import Foundation
import HTTPServer
import Logging

/// Logs accounts in to the management API: those of the accounts file, and all others at the LDAP directory if there is one.
package final class ManagementAccounts: Sendable {
    package let file: AccountsFile
    package let sessions: ManagementSessions
    /// `nil` without `console.openID`.
    package let openID: OpenIDAccounts?
    private let ldap: LDAPAccounts?
    private let throttle: LoginThrottle
    private let providerLimit: NetworkRateLimiter
    private let refusals: LogLimiter
    /// Not the one of apps' logins, which must not wait for these.
    private let hasher = PasswordHasher(atOnce: 1, queueLimit: 16)

    /// - Throws: `DirectoryConfigurationError`, `OpenIDSettingsError`.
    init(_ settings: InstallationSettings, time: any TimeSource, logger: Logger, guards: GuardCounters) throws {
        file = AccountsFile(folder: settings.dataFolder)
        sessions = ManagementSessions(time: time)
        throttle = LoginThrottle(time: time, refusals: settings.loginsPerAddress)
        ldap = try settings.ldapAccounts.map { try LDAPAccounts($0, folder: settings.project, logger: logger) }
        openID = try settings.openIDAccounts.map {
            try OpenIDAccounts($0, url: settings.consoleAddress, time: time)
        }
        providerLimit = NetworkRateLimiter(stock: 20, refill: .seconds(3), time: time)
        refusals = LogLimiter(logger: logger, time: time, guards: guards)
    }

    /// Checks a password and begins a session.
    ///
    /// - Parameter address: the client's. Refused passwords slow further logins from its network.
    /// - Returns: the account with the session's token and its role; `nil` for a wrong name or password.
    /// - Throws: ``AccountLoginError``.
    package func logIn(
        _ name: String, password: String, from address: String
    ) async throws -> (account: String, token: String, role: ManagementRole)? {
        let (network, ends) = (network(address), sessions.ends)
        let result: Result<AuthenticatedAccount?, any Error>
        do {
            result = try await throttle.attempt(realm: "management API", user: name, network: network) {
                [self] () -> (Result<AuthenticatedAccount?, any Error>, LoginThrottle.Outcome) in
                do {
                    let found = try await account(name, password: password)
                    return (.success(found), found == nil ? .refused : .accepted)
                } catch {
                    return (.failure(error), .undecided)
                }
            }
        } catch {
            refusals.guards.acted("limits.loginsPerAddress")
            throw AccountLoginError.tooManyRefusals("\(error)")
        }
        do {
            guard let found = try result.get() else {
                noteRefusal(of: name, from: address)
                return nil
            }
            guard let token = sessions.begin(account: found.account, role: found.role, ends: ends) else {
                throw AccountLoginError.undecided("accounts were changed during the login; log in again")
            }
            return (found.account, token, found.role)
        } catch let problem as AccountLoginError {
            throw problem
        } catch {
            noteFailure(error)
            throw AccountLoginError.undecided("the accounts cannot be read; the server's log has the reason")
        }
    }

    /// Logs why a login could not be decided.
    package func noteFailure(_ error: any Error) {
        refusals.log("failure", at: .error, "login to the management API: \(error)")
    }

    /// Logs a refused login.
    package func noteRefusal(of name: String, from address: String) {
        refusals.log(
            "\(network(address))", at: .warning,
            "management API: a login as '\(name.prefix(100))' from \(address) is refused")
    }

    /// Returns true if a client may ask the OpenID Connect provider: 20 times at once, then every three seconds.
    package func mayAskProvider(from address: String) -> Bool { providerLimit.take(for: network(address)) == nil }

    private func network(_ address: String) -> String {
        IPAddress(address).map { ClientNetwork($0).description } ?? address
    }

    /// An account with a right password. Accounts of a directory have a prefix that no name in the file has.
    private struct AuthenticatedAccount: Sendable {
        let account: String
        let role: ManagementRole
    }

    /// The account with this password; `nil` for a wrong name or password.
    private func account(_ name: String, password: String) async throws -> AuthenticatedAccount? {
        let accounts = try await runBlocking { [file] in try file.accounts() }
        if let ldap, !accounts.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            return try await ldap.role(of: name, password: password).map {
                AuthenticatedAccount(account: "ldap:\(name)", role: $0)
            }
        }
        let hashes = Dictionary(accounts.map { ($0.name, $0.hash) }) { first, _ in first }
        guard try await hasher.admits(name, password: password, in: PasswordList(hashes)) else { return nil }
        return accounts.first { $0.name == name }.map { AuthenticatedAccount(account: name, role: $0.role) }
    }

    /// Hashes a new password.
    package func hash(_ password: String) async throws -> PasswordHash { try await hasher.hash(password) }
}

/// The reason why a login to the management API was not decided.
package enum AccountLoginError: Error, CustomStringConvertible {
    /// Too many passwords were refused.
    case tooManyRefusals(String)
    /// The accounts cannot be read, or were changed meanwhile.
    case undecided(String)

    package var description: String {
        switch self {
        case .tooManyRefusals(let text), .undecided(let text): text
        }
    }
}
