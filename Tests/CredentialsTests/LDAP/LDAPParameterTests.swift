import TestSupport
import Testing

@testable import Credentials

@Suite("The parameters of an LDAP login module", .onOwnThreads)
struct LDAPParameterTests {
    private func problem(_ changes: [String: String?]) throws -> DirectoryConfigurationError {
        try #require(throws: DirectoryConfigurationError.self) {
            try LDAPDirectory(parameters: LDAPDirectory.parameters(nil, changes))
        }
    }

    @Test(
        "A missing or empty parameter is named",
        arguments: [
            "ldapProviderUrl", "ldapTimeoutMs", "ldapSecurityAuthentication", "validationType",
            "ldapSecurityPrincipalPattern",
        ], [nil, "", "  "])
    func missing(name: String, value: String?) throws {
        let problem = try problem([name: value])
        #expect(problem.parameter == name)
        #expect(
            problem.description.contains("parameter '\(name)' of com.worklight.core.auth.ext.LdapLoginModule: it is "))
    }

    @Test(
        "A wrong value is reported, with the parameter's name and the expected value",
        arguments: [
            ("ldapProviderUrl", "http://host", "ldap://host:389"),
            ("ldapProviderUrl", "ldap://h:99999", "ldap://host:389"),
            ("ldapProviderUrl", "ldap://a/dc=a ldap://b/dc=b", "the same"),
            ("ldapTimeoutMs", "soon", "milliseconds"), ("ldapTimeoutMs", "9999999", "600000"),
            ("ldapSecurityAuthentication", "none", "expected simple"),
            ("ldapSecurityAuthentication", "DIGEST-MD5", "expected simple"),
            ("validationType", "Exists", "exists, searchPattern, custom"), ("validationType", "custom", "Java"),
            ("ldapSecurityPrincipalPattern", "cn=admin,dc=example", "{username}"),
            ("ldapReferral", "chase", "ignore, follow, throw"),
        ])
    func wrong(name: String, value: String, expected: String) throws {
        let problem = try problem([name: value])
        #expect(problem.parameter == name)
        #expect(problem.problem.contains(expected))
    }

    @Test(
        "searchPattern needs a filter and a base",
        arguments: [
            ("ldapSearchFilterPattern", nil), ("ldapSearchFilterPattern", "((uid={username})"),
            ("ldapSearchFilterPattern", "(uid={username}))"), ("ldapSearchFilterPattern", "uid"),
            ("ldapSearchFilterPattern", "((a=b)(uid={username}))"),
            ("ldapSearchFilterPattern", "(uid={username})(a=b)"),
            ("ldapSearchBase", nil), ("ldapSearchBase", "example.com"),
        ])
    func search(name: String, value: String?) throws {
        var changes: [String: String?] = [
            "validationType": "searchPattern", "ldapSearchFilterPattern": "(uid={username})", "ldapSearchBase": "dc=a",
        ]
        changes[name] = .some(value)
        #expect(try problem(changes).parameter == name)
    }

    @Test("A name in another spelling is pointed out")
    func spelling() throws {
        let problem = try problem(["ldapProviderUrl": nil, "ldapProviderURL": "ldap://host"])
        #expect(problem.problem.contains("'ldapProviderURL' is spelt differently"))
    }

    @Test("a parameter set twice to one value counts once")
    func same() throws {
        let parameters = LDAPDirectory.parameters()
        let first = try #require(parameters.first)
        _ = try LDAPDirectory(parameters: parameters + [first])
    }

    @Test("a parameter set twice to two values is refused")
    func twice() throws {
        let parameters = LDAPDirectory.parameters() + [(name: "ldapTimeoutMs", value: "1")]
        let problem = try #require(throws: DirectoryConfigurationError.self) {
            try LDAPDirectory(parameters: parameters)
        }
        #expect(problem.parameter == "ldapTimeoutMs")
    }

    @Test("An unknown parameter is logged")
    func unknown() throws {
        let lines = LogRecorder()
        _ = try LDAPDirectory(parameters: LDAPDirectory.parameters(nil, ["colour": "red"]), logger: lines.logger)
        #expect(lines.text.contains("colour"))
    }

    @Test(
        "Passwords that would go unencrypted to another machine are logged as a warning",
        arguments: [
            ("ldap://directory.example", true), ("ldaps://directory.example", false), ("ldap://127.0.0.1", false),
        ])
    func unencrypted(url: String, isTold: Bool) throws {
        let lines = LogRecorder()
        _ = try LDAPDirectory(parameters: LDAPDirectory.parameters(nil, ["ldapProviderUrl": url]), logger: lines.logger)
        #expect(lines.text.contains("unencrypted") == isTold)
    }

    @Test(
        "Addresses have standard ports, and no host means this machine",
        arguments: [
            ("ldap://", "ldap://localhost:389"), ("ldaps://a.b", "ldaps://a.b:636"),
            ("LDAP://a:1389/", "ldap://a:1389"),
            ("ldap://[::1]:390", "ldap://[::1]:390"),
        ])
    func addresses(text: String, expected: String) {
        #expect(LDAPServerURL(text)?.text == expected)
    }

    @Test(
        "A name is escaped where the pattern is a distinguished name, and only there",
        arguments: [
            ("cn={username},dc=a", #"cn=x\,y,dc=a"#), ("{username}@example.com", "x,y@example.com"),
            (#"DOMAIN\{username}"#, #"DOMAIN\x,y"#), ("{username}", "x,y"),
        ])
    func principal(pattern: String, expected: String) throws {
        let settings = try LDAPSettings(
            LDAPDirectory.parameters(nil, ["ldapSecurityPrincipalPattern": pattern]), logger: LogRecorder().logger)
        #expect(settings.principal(of: "x,y") == expected)
    }
}
