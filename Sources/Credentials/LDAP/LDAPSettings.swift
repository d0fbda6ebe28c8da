import CLDAP
import Foundation
import Logging

/// The settings of an `LdapLoginModule`.
struct LDAPSettings: Sendable {
    /// `validationType`: the check that must succeed besides the bind.
    enum Validation: Sendable {
        /// Nothing.
        case exists
        /// At least one entry below `base` matches `filter`.
        case searchPattern(base: String, filter: String)
    }

    /// `ldapReferral`: the reaction to a server that names another one.
    enum Referral: String, Sendable, CaseIterable {
        case ignore, follow
        case refuse = "throw"
    }

    static let module = "com.worklight.core.auth.ext.LdapLoginModule"
    static let placeholder = "{username}"

    private enum Name {
        static let url = "ldapProviderUrl"
        static let timeout = "ldapTimeoutMs"
        static let authentication = "ldapSecurityAuthentication"
        static let validation = "validationType"
        static let principal = "ldapSecurityPrincipalPattern"
        static let filter = "ldapSearchFilterPattern"
        static let base = "ldapSearchBase"
        static let referral = "ldapReferral"
        static let attributes = "ldapAttributes"
        static let certificates = "ldapTrustedCertificates"
        static let all = [
            url, timeout, authentication, validation, principal, filter, base, referral, attributes, certificates,
        ]
    }

    /// The servers, asked in this order until one responds.
    let servers: [LDAPServerURL]
    /// For connecting and logging in to one server, and again for the search.
    let timeout: Duration
    let principalPattern: String
    let principalIsDistinguishedName: Bool
    let validation: Validation
    let referral: Referral
    let attributes: [String]
    let trustedCertificates: String?

    init(_ list: [(name: String, value: String)], logger: Logger) throws(DirectoryConfigurationError) {
        let parameters = try DirectoryParameters(list, module: Self.module, known: Name.all, logger: logger)
        servers = try Self.servers(parameters)
        timeout = try Self.timeout(parameters)
        try Self.checkAuthentication(parameters)
        principalPattern = try parameters.required(
            Name.principal, "the name to log in with, such as uid={username},ou=users,dc=example,dc=com")
        guard principalPattern.contains(Self.placeholder) else {
            throw parameters.wrong(
                Name.principal,
                "'\(principalPattern)' does not contain \(Self.placeholder), so everybody would be the same entry"
            )
        }
        principalIsDistinguishedName = Self.isDistinguishedName(
            principalPattern.replacing(Self.placeholder, with: "x"))
        validation = try Self.validation(parameters, base: servers.first?.base ?? "")
        referral = try Self.choice(parameters, Name.referral, standard: .ignore)
        attributes = (parameters.optional(Name.attributes) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        trustedCertificates = parameters.optional(Name.certificates)
    }

    /// The name to bind with.
    func principal(of user: String) -> String {
        principalPattern.replacing(
            Self.placeholder,
            with: principalIsDistinguishedName ? LDAPEscaping.distinguishedNameValue(user) : user)
    }

    static func isDistinguishedName(_ text: String) -> Bool {
        var name: LDAPDN?
        guard ldap_str2dn(text, &name, UInt32(LDAP_DN_FORMAT_LDAPV3)) == LDAP_SUCCESS else { return false }
        ldap_dnfree(name)
        return true
    }
}

extension LDAPSettings {
    private static func servers(_ parameters: DirectoryParameters) throws(DirectoryConfigurationError)
        -> [LDAPServerURL]
    {
        let expected = "ldap://host:389 or ldaps://host:636"
        let text = try parameters.required(Name.url, expected)
        var servers: [LDAPServerURL] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            guard let server = LDAPServerURL(String(part)) else {
                throw parameters.wrong(Name.url, "'\(part)' is not an address of an LDAP server, expected \(expected)")
            }
            servers.append(server)
        }
        guard Set(servers.map(\.base)).count == 1 else {
            throw parameters.wrong(
                Name.url, "the addresses in '\(text)' have different base entries, expected the same")
        }
        return servers
    }

    private static func timeout(_ parameters: DirectoryParameters) throws(DirectoryConfigurationError) -> Duration {
        let expected = "a number of milliseconds up to 600000, such as 2000"
        let text = try parameters.required(Name.timeout, expected)
        guard let milliseconds = Int(text), milliseconds <= 600_000 else {
            throw parameters.wrong(Name.timeout, "'\(text)' is not \(expected)")
        }
        // JNDI then waits without a limit.
        return milliseconds > 0 ? .milliseconds(milliseconds) : .seconds(60)
    }

    private static func checkAuthentication(_ parameters: DirectoryParameters) throws(DirectoryConfigurationError) {
        let text = try parameters.required(Name.authentication, "simple")
        guard text != "none" else {
            throw parameters.wrong(
                Name.authentication, "'none' would let everybody in with any password; expected simple")
        }
        guard text == "simple" else {
            throw parameters.wrong(
                Name.authentication,
                "'\(text)' is not supported, expected simple; use ldaps:// in \(Name.url) to protect passwords"
            )
        }
    }

    private static func validation(
        _ parameters: DirectoryParameters, base: String
    ) throws(DirectoryConfigurationError) -> Validation {
        let type = try parameters.required(Name.validation, "exists or searchPattern")
        switch type {
        case "exists": return .exists
        case "custom":
            throw parameters.wrong(
                Name.validation, "'custom' calls a Java class, and none runs here; use exists or searchPattern")
        case "searchPattern": break
        default: throw parameters.wrong(Name.validation, "'\(type)' is not one of exists, searchPattern, custom")
        }
        let filter = try parameters.required(
            Name.filter, "a filter, such as (uid={username}), because \(Name.validation) is searchPattern")
        guard isFilter(filter) else {
            throw parameters.wrong(
                Name.filter,
                "'\(filter)' is not a filter, expected one such as (&(objectClass=person)(uid={username}))")
        }
        let own = try parameters.required(
            Name.base, "the base of the search, such as dc=example,dc=com, because \(Name.validation) is searchPattern"
        )
        guard isDistinguishedName(own) else {
            throw parameters.wrong(
                Name.base, "'\(own)' is not a distinguished name, expected one such as dc=example,dc=com")
        }
        return .searchPattern(base: base.isEmpty ? own : "\(own),\(base)", filter: filter)
    }

    /// Returns true if the parentheses are right; libldap checks the rest at the first search.
    private static func isFilter(_ text: String) -> Bool {
        var depth = 0
        for (index, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            // One filter, which ends at the end of the string.
            if depth < 0 || (depth == 0 && text.utf8.first == UInt8(ascii: "(") && index < text.utf8.count - 1) {
                return false
            }
        }
        return depth == 0 && text.contains("=") && !text.hasPrefix("((")
    }

    private static func choice(
        _ parameters: DirectoryParameters, _ name: String, standard: Referral
    ) throws(DirectoryConfigurationError) -> Referral {
        guard let text = parameters.optional(name) else { return standard }
        if let choice = Referral(rawValue: text) { return choice }
        throw parameters.wrong(
            name, "'\(text)' is not one of \(Referral.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

/// One server of `ldapProviderUrl`: `ldap[s]://host[:port][/base]`.
struct LDAPServerURL: Sendable, Hashable {
    let isEncrypted: Bool
    let host: String
    let port: Int
    /// The entry that the search base is below; empty for the root.
    let base: String

    /// Reads an address. A missing host means this machine, as in JNDI.
    init?(_ text: String) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            scheme == "ldap" || scheme == "ldaps", components.user == nil, components.query == nil,
            components.fragment == nil
        else { return nil }
        isEncrypted = scheme == "ldaps"
        let host = components.host ?? ""
        self.host = host.isEmpty ? "localhost" : host
        port = components.port ?? (isEncrypted ? 636 : 389)
        guard (1...65535).contains(port), !self.host.contains("\0") else { return nil }
        base = String(components.path.drop { $0 == "/" })
    }

    /// For libldap and for messages.
    var text: String {
        let isBare = host.contains(":") && !host.hasPrefix("[")
        return "\(isEncrypted ? "ldaps" : "ldap")://\(isBare ? "[\(host)]" : host):\(port)"
    }

    /// True if passwords may be sent there in the clear: no other machine can read them.
    var isLoopback: Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
    }
}
