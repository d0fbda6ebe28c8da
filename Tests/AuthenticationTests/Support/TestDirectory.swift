import Authentication
import Credentials
import TestSupport
import Tokens
import WorklightProject

/// Knows some users, and counts how often it is asked. The real ones are tested where they are made.
struct TestDirectory: PasswordDirectory {
    let passwords: [String: String]
    let asked = AwaitableValue(0)
    /// True if each lookup fails.
    var isBroken = false

    func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser? {
        asked.update { $0 += 1 }
        if isBroken { throw DirectoryError(.unreachable, "the directory is away") }
        guard passwords[name] == password else { return nil }
        return DirectoryUser(name: name, displayName: "The \(name)", attributes: ["mail": "\(name)@example.com"])
    }
}

extension LoginServices {
    /// The directory for every kind of module that has one.
    static func using(_ directory: TestDirectory) -> LoginServices {
        LoginServices(
            ldap: { parameters in
                guard parameters.contains(where: { $0.name == "ldapProviderUrl" }) else {
                    throw DirectoryConfigurationError(
                        module: "LdapLoginModule", parameter: "ldapProviderUrl", problem: "it is missing")
                }
                return directory
            }, rdbms: { _ in directory }, passwordFile: { _ in directory },
            openID: { parameters in
                OpenIDConnect(
                    settings: try OpenIDSettings(
                        issuer: parameters.first { $0.name == "issuer" }?.value ?? "", audiences: ["App"]))
            })
    }
}
