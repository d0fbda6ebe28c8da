import Credentials
import Foundation
import Logging
import Push

/// The LDAP directory with the accounts of the management API, and the filters that determine their roles.
public struct LDAPAccountSettings: Sendable, Hashable {
    /// `ldaps://host` or `ldap://host`, with other servers separated by spaces.
    public var url: String
    /// The name to bind with, with `{username}` in it.
    public var principal = ""
    /// The base of the filters' searches.
    public var base = ""
    /// A PEM file of the authorities that sign the servers' certificates; `nil` for those of the system.
    public var trustedCertificates: String?
    /// For each role a filter, with `{username}` in it, that finds the accounts with this role.
    public var filters: [ManagementRole: String] = [:]
    /// The timeout for a response from each of its servers.
    public var timeout = Duration.seconds(10)

    public init(url: String) {
        self.url = url
    }
}

/// Accounts in an LDAP directory. An account has the highest role whose filter finds it.
struct LDAPAccounts: Sendable {
    /// Checks the password only. Asked first, so that a wrong password is one failed login for the directory.
    private let logins: LDAPDirectory
    /// Highest role first.
    private let roles: [(role: ManagementRole, directory: LDAPDirectory)]

    /// - Throws: `DirectoryConfigurationError` for a wrong setting.
    init(_ settings: LDAPAccountSettings, folder: URL, logger: Logger) throws(DirectoryConfigurationError) {
        func directory(_ more: [(name: String, value: String)]) throws(DirectoryConfigurationError) -> LDAPDirectory {
            var parameters = [
                (name: "ldapProviderUrl", value: settings.url),
                ("ldapTimeoutMs", "\(Int(settings.timeout / .milliseconds(1)))"),
                ("ldapSecurityAuthentication", "simple"), ("ldapSecurityPrincipalPattern", settings.principal),
            ]
            if let file = settings.trustedCertificates {
                parameters.append(("ldapTrustedCertificates", folder.path(ofFile: file)))
            }
            return try LDAPDirectory(parameters: parameters + more, logger: logger)
        }
        logins = try directory([("validationType", "exists")])
        var roles: [(ManagementRole, LDAPDirectory)] = []
        for role in ManagementRole.allCases.sorted(by: >) {
            guard let filter = settings.filters[role] else { continue }
            let search = [
                (name: "validationType", value: "searchPattern"), ("ldapSearchBase", settings.base),
                ("ldapSearchFilterPattern", filter),
            ]
            roles.append((role, try directory(search)))
        }
        self.roles = roles
    }

    /// Returns the role of an account with this password; `nil` for a wrong name or password, and for an account without a role.
    ///
    /// - Throws: `DirectoryError` when the directory does not respond.
    func role(of name: String, password: String) async throws(DirectoryError) -> ManagementRole? {
        guard try await logins.user(named: name, password: password) != nil else { return nil }
        for (role, directory) in roles where try await directory.user(named: name, password: password) != nil {
            return role
        }
        return nil
    }
}
