import Foundation

/// One server of `ldapProviderUrl`: `ldap[s]://host[:port][/base]`.
struct LDAPServerURL: Sendable, Hashable {
    let isEncrypted: Bool
    let host: String
    let port: Int
    /// The entry that the search base is below; empty for the root.
    let base: String

    /// - Parameter text: a missing host means this machine, as in JNDI.
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

    /// Whether passwords may go there in the clear: nobody else hears them.
    var isLoopback: Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
    }
}
