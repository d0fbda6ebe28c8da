import Foundation
import Gateway

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
            Setting(key: "console.host", expected: "a host name or address to listen on") { settings, text in
                settings.installation.consoleHost = text
                return !text.isEmpty
            },
            Setting(key: "console.port", expected: "a port from 0 to 65535, 0 for any that is free, or off") {
                settings, text in
                guard text != "off", text != "false" else {
                    settings.consolePort = .off
                    return true
                }
                guard let port = Int(text), (0...65535).contains(port) else { return false }
                settings.consolePort = .number(port)
                return true
            },
            Setting(key: "console.url", expected: "the http:// or https:// address by which browsers reach the console")
            {
                settings, text in
                settings.installation.consoleURL = text
                return ["http", "https"].contains(URLComponents(string: text)?.scheme ?? "")
            },
            Setting(key: "metrics.open", expected: "true or false") { settings, text in
                settings.installation.areMetricsOpen = text == "true"
                return ["true", "false"].contains(text)
            },
            .ldap("console.ldap.url", "ldaps://host, or ldap://host") { $0.url = $1 },
            .ldap("console.ldap.principal", "the name to bind with, such as uid={username},ou=people,dc=example,dc=com")
            {
                $0.principal = $1
            },
            .ldap("console.ldap.base", "where the filters search, such as dc=example,dc=com") { $0.base = $1 },
            .ldap("console.ldap.trustedCertificates", "a file in PEM") { $0.trustedCertificates = $1 },
            .openID("console.openID.issuer", "the provider's https:// address") { $0.issuer = $1 },
            .openID("console.openID.clientID", "the client's id at the provider") { $0.clientID = $1 },
            .openID("console.openID.clientSecret", "the client's secret at the provider", isSecret: true) {
                $0.clientSecret = $1
            },
            .openID("console.openID.userClaim", "the claim that names the account") { $0.userClaim = $1 },
            .openID("console.openID.roleClaim", "the claim with the groups") { $0.roleClaim = $1 },
        ] + roles

    /// For each role, which accounts have it.
    private static let roles = ManagementRole.allCases.flatMap { role -> [Setting] in
        [
            .ldap("console.ldap.filters.\(role.rawValue)", "an LDAP filter with {username}") {
                $0.filters[role] = $1
            },
            .openID("console.openID.roles.\(role.rawValue)", "a value of the claim console.openID.roleClaim") {
                $0.roles[role] = $1
            },
        ]
    }

    private static func ldap(
        _ key: String, _ expected: String, _ set: @escaping @Sendable (inout LDAPAccountSettings, String) -> Void
    ) -> Setting {
        Setting(key: key, expected: expected) { settings, text in
            var accounts = settings.installation.ldapAccounts ?? LDAPAccountSettings(url: "")
            set(&accounts, text)
            settings.installation.ldapAccounts = accounts
            return !text.isEmpty
        }
    }

    private static func openID(
        _ key: String, _ expected: String, isSecret: Bool = false,
        _ set: @escaping @Sendable (inout OpenIDAccountSettings, String) -> Void
    ) -> Setting {
        Setting(key: key, expected: expected, isSecret: isSecret) { settings, text in
            var accounts = settings.installation.openIDAccounts ?? OpenIDAccountSettings(issuer: "")
            set(&accounts, text)
            settings.installation.openIDAccounts = accounts
            return !text.isEmpty
        }
    }
}
