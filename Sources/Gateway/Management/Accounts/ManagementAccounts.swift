import Authentication
import Credentials
import Foundation
import Logging
import PushModel
import Transport

/// Logs accounts in to the management API: those of the accounts file, and all others at the LDAP directory if there is one.
final class ManagementAccounts: Sendable {
    let file: AccountsFile
    let sessions: ManagementSessions
    /// `nil` without `console.openID`.
    let openID: OpenIDAccounts?
    private let ldap: LDAPAccounts?
    private let throttle: LoginThrottle
    private let hasher = PasswordHasher.shared
    private let logger: Logger

    /// - Throws: `DirectoryConfigurationError`, `OpenIDSettingsError`.
    init(_ settings: InstallationSettings, time: any TimeSource, logger: Logger) throws {
        file = AccountsFile(folder: settings.dataFolder)
        sessions = ManagementSessions(time: time)
        throttle = LoginThrottle(time: time, refusals: settings.loginsPerAddress)
        ldap = try settings.ldapAccounts.map { try LDAPAccounts($0, folder: settings.project, logger: logger) }
        openID = try settings.openIDAccounts.map {
            try OpenIDAccounts($0, url: settings.consoleAddress, time: time)
        }
        self.logger = logger
    }

    /// Checks a password and begins a session.
    ///
    /// - Parameter address: the client's. Refused passwords slow further logins from its network.
    /// - Returns: the session's token and the account's role; `nil` for a wrong name or password.
    /// - Throws: ``ManagementProblem`` with status 429 or 503.
    func logIn(
        _ name: String, password: String, from address: String
    ) async throws -> (token: String, role: ManagementRole)? {
        let network = IPAddress(address).map { ClientNetwork($0).description } ?? address
        let result: Result<ManagementRole?, any Error>
        do {
            result = try await throttle.attempt(realm: "management API", user: name, network: network) {
                [self] () -> (Result<ManagementRole?, any Error>, LoginThrottle.Outcome) in
                do {
                    let role = try await role(of: name, password: password)
                    return (.success(role), role == nil ? .refused : .accepted)
                } catch {
                    return (.failure(error), .undecided)
                }
            }
        } catch {
            throw ManagementProblem(.tooManyRequests, "\(error)")
        }
        do {
            guard let role = try result.get() else { return nil }
            return (sessions.begin(account: name, role: role), role)
        } catch {
            logger.error("login to the management API: \(error)")
            throw ManagementProblem(.unavailable, "the accounts cannot be read; the server's log has the reason")
        }
    }

    /// The role of an account with this password; `nil` for a wrong name or password.
    private func role(of name: String, password: String) async throws -> ManagementRole? {
        let accounts = try await offLoop { [file] in try file.accounts() }
        if let ldap, !accounts.contains(where: { $0.name == name }) {
            return try await ldap.role(of: name, password: password)
        }
        let hashes = Dictionary(accounts.map { ($0.name, $0.hash) }) { first, _ in first }
        guard try await hasher.admits(name, password: password, in: PasswordList(hashes)) else { return nil }
        return accounts.first { $0.name == name }?.role
    }

    /// Hashes a new password.
    func hash(_ password: String) async throws -> PasswordHash { try await hasher.hash(password) }
}
