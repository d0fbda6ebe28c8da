import Credentials
import Foundation
import Logging
import TestSupport

extension LDAPDirectory {
    /// Parameters that work, but for those given.
    static func parameters(
        _ server: LDAPServer? = nil, _ changes: [String: String?] = [:]
    ) -> [(name: String, value: String)] {
        var values: [String: String?] = [
            "ldapProviderUrl": server?.url ?? "ldap://127.0.0.1", "ldapTimeoutMs": "600000",
            "ldapSecurityAuthentication": "simple", "validationType": "exists",
            "ldapSecurityPrincipalPattern": "uid={username},ou=people,dc=example,dc=com",
        ]
        values.merge(changes) { $1 }
        return values.compactMap { name, value in value.map { (name, $0) } }
    }

    convenience init(
        _ server: LDAPServer, _ changes: [String: String?] = [:], logger: Logger = Logger(label: "test")
    ) throws {
        try self.init(parameters: Self.parameters(server, changes), logger: logger)
    }
}
