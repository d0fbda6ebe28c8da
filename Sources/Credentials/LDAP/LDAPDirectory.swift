import CLDAP
public import Logging

/// `com.worklight.core.auth.ext.LdapLoginModule`: a password is right when one can log in to an LDAP server with it.
///
/// Parameters of the original: `ldapProviderUrl`, `ldapTimeoutMs`, `ldapSecurityAuthentication` (only `simple`),
/// `ldapSecurityPrincipalPattern`, `validationType`, `ldapSearchFilterPattern`, `ldapSearchBase` and `ldapReferral`.
/// Ours:
/// - `ldapAttributes`: names of attributes that the user gets from the entry found, when `searchPattern` finds exactly
///   one; `displayName` among them becomes the display name.
/// - `ldapTrustedCertificates`: a PEM file of the authorities that sign the certificates of `ldaps://` servers; without
///   it, those of the system.
public final class LDAPDirectory: PasswordDirectory {
    private let settings: LDAPSettings
    private let threads: LoginThreads
    private let logger: Logger

    /// - Parameters:
    ///   - parameters: the login module's.
    /// - Throws: with the name of a parameter that is missing or wrong.
    public init(
        parameters: [(name: String, value: String)], logger: Logger = Logger(label: "ldap")
    ) throws(DirectoryConfigurationError) {
        settings = try LDAPSettings(parameters, logger: logger)
        self.logger = logger
        threads = LoginThreads(name: "LDAP server \(settings.servers[0].text)", threads: 8, queueLimit: 100)
        for server in settings.servers where !server.isEncrypted && !server.isLoopback {
            logger.warning(
                "passwords go to the LDAP server unencrypted; use ldaps:// in ldapProviderUrl",
                metadata: ["server": "\(server.text)"])
        }
    }

    public func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser? {
        // Servers take an empty password as "I am nobody" and say yes (RFC 4513, 5.1.2).
        guard !password.isEmpty else { return nil }
        // A name of spaces is the empty distinguished name, which is nobody too.
        guard !name.allSatisfy(\.isWhitespace) else { return nil }
        // C strings end there: the server would see another name than the one that is let in.
        guard settings.principalIsDistinguishedName || !name.contains("\0") else { return nil }
        let limit = settings.timeout * (settings.servers.count + 1) + .milliseconds(250)
        return try await threads.run(within: limit) { [settings, logger] () throws(DirectoryError) in
            try LDAPLogin(settings: settings, name: name, password: password, logger: logger).user()
        }
    }
}
