import Foundation

/// The setting `console.port`.
enum ConsolePort: Sendable {
    /// The number after the server's port; any free port when that is 0.
    case next
    case off
    case number(Int)
}

/// The settings of the console's port and of the accounts of the management API.
extension Setting {
    static let console: [Setting] =
        [
            Setting(
                key: "console.host", expected: "a host name or address to listen on",
                show: { $0.installation.consoleHost }
            ) { settings, text in
                settings.installation.consoleHost = text
                return !text.isEmpty
            },
            Setting(
                key: "console.port", expected: "a port from 0 to 65535, 0 for any that is free, or off",
                show: { settings in settings.consolePortNumber.map { "\($0)" } ?? "off" }
            ) { settings, text in
                guard text != "off", text != "false" else {
                    settings.consolePort = .off
                    return true
                }
                guard let port = Int(text), (0...65535).contains(port) else { return false }
                settings.consolePort = .number(port)
                return true
            },
            .text(
                "console.url", "the http:// or https:// address by which browsers reach the console",
                of: \.installation.consoleURL, unset: "console.host and console.port"
            ) { text in
                guard let url = URLComponents(string: text), url.user == nil, url.password == nil else { return false }
                return ["http", "https"].contains(url.scheme ?? "")
            },
            .flag("metrics.open", of: \.installation.areMetricsOpen),
            .ldap("console.ldap.url", "ldaps://host, or ldap://host", of: \.url),
            .ldap(
                "console.ldap.principal", "the name to bind with, such as uid={username},ou=users,dc=example,dc=com",
                of: \.principal),
            .ldap("console.ldap.base", "the base of the searches, such as dc=example,dc=com", of: \.base),
            .ldap("console.ldap.trustedCertificates", "a file in PEM", of: \.trustedCertificates.orEmpty),
            .openID("console.openID.issuer", "the provider's https:// address", of: \.issuer),
            .openID("console.openID.clientID", "the client's id at the provider", of: \.clientID),
            .openID(
                "console.openID.clientSecret", "the client's secret at the provider", isSecret: true,
                of: \.clientSecret.orEmpty),
            .openID("console.openID.userClaim", "the claim that names the account", of: \.userClaim),
            .openID("console.openID.roleClaim", "the claim with the groups", of: \.roleClaim),
        ] + roles

    /// For each role, which accounts have it.
    private static let roles = ManagementRole.allCases.flatMap { role -> [Setting] in
        [
            .ldap(
                "console.ldap.filters.\(role.rawValue)", "an LDAP filter with {username}", of: \.filters[role].orEmpty),
            .openID(
                "console.openID.roles.\(role.rawValue)", "a value of the claim console.openID.roleClaim",
                of: \.roles[role].orEmpty),
        ]
    }

    /// A setting of the directory. It has no value while no directory is set.
    private static func ldap(
        _ key: String, _ expected: String, of path: SettingPath<LDAPAccountSettings, String>
    ) -> Setting {
        Setting(
            key: key, expected: expected, show: { $0.installation.ldapAccounts?[keyPath: path].unlessEmpty }
        ) { settings, text in
            var accounts = settings.installation.ldapAccounts ?? LDAPAccountSettings(url: "")
            accounts[keyPath: path] = text
            settings.installation.ldapAccounts = accounts
            return !text.isEmpty
        }
    }

    /// A setting of the provider. It has no value while no provider is set.
    private static func openID(
        _ key: String, _ expected: String, isSecret: Bool = false, of path: SettingPath<OpenIDAccountSettings, String>
    ) -> Setting {
        Setting(
            key: key, expected: expected, isSecret: isSecret,
            show: { $0.installation.openIDAccounts?[keyPath: path].unlessEmpty }
        ) { settings, text in
            var accounts = settings.installation.openIDAccounts ?? OpenIDAccountSettings(issuer: "")
            accounts[keyPath: path] = text
            settings.installation.openIDAccounts = accounts
            return !text.isEmpty
        }
    }
}

extension String? {
    /// The string; empty for `nil`.
    fileprivate var orEmpty: String {
        get { self ?? "" }
        set { self = newValue.unlessEmpty }
    }
}

extension String {
    fileprivate var unlessEmpty: String? { isEmpty ? nil : self }
}
