import Credentials
import TestSupport
import Testing

@Suite("Logins at an LDAP server", .onOwnThreads)
struct LDAPBindTests {
    let server: LDAPServer

    init() throws {
        server = try LDAPServer.shared()
    }

    @Test("The right password returns the user, with the name as typed")
    func right() async throws {
        let user = try await LDAPDirectory(server).user(named: "Bob", password: "builder-7")
        #expect(user == DirectoryUser(name: "Bob"))
    }

    @Test(
        "A wrong password, an unknown user and one without a password are refused",
        arguments: [("bob", "builder-8"), ("nobody", "builder-7"), ("nopassword", "x"), ("bob", "builder-7\0")])
    func wrong(name: String, password: String) async throws {
        #expect(try await LDAPDirectory(server).user(named: name, password: password) == nil)
    }

    @Test("An empty password is refused though the server would let it in")
    func emptyPassword() async throws {
        #expect(try await LDAPDirectory(server).user(named: "bob", password: "") == nil)
    }

    @Test("A name of spaces alone is refused though the server would accept it", arguments: ["", " ", "\t\n"])
    func emptyName(name: String) async throws {
        let directory = try LDAPDirectory(server, ["ldapSecurityPrincipalPattern": "{username}"])
        #expect(try await directory.user(named: name, password: "anything") == nil)
    }

    @Test("Names with characters that mean something in distinguished names reach the right entry")
    func specialNames() async throws {
        let directory = try LDAPDirectory(server)
        #expect(try await directory.user(named: "a,b+c", password: "comma-word") != nil)
        #expect(try await directory.user(named: "star*(x)", password: "star-word") != nil)
    }

    @Test(
        "A name cannot lead to another entry",
        arguments: [
            "bob,ou=people,dc=example,dc=com", "bob\0", "bob\\00", "bob+cn=bob", "*", "bob ou=people", "b\\6fb",
        ])
    func injection(name: String) async throws {
        #expect(try await LDAPDirectory(server).user(named: name, password: "builder-7") == nil)
    }

    @Test("A name cannot add levels to the pattern")
    func levels() async throws {
        let directory = try LDAPDirectory(server, ["ldapSecurityPrincipalPattern": "uid={username},dc=example,dc=com"])
        #expect(try await directory.user(named: "bob,ou=people", password: "builder-7") == nil)
    }

    @Test("A pattern that is not a distinguished name is filled in unchanged")
    func plainPattern() async throws {
        let directory = try LDAPDirectory(server, ["ldapSecurityPrincipalPattern": "{username}"])
        let name = "uid=bob,ou=people,dc=example,dc=com"
        #expect(try await directory.user(named: name, password: "builder-7")?.name == name)
        #expect(try await directory.user(named: name + "\0", password: "builder-7") == nil)
    }

    @Test("Many logins at once all get their own result")
    func concurrency() async throws {
        let directory = try LDAPDirectory(server)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let user = try await directory.user(
                        named: "bob", password: index % 2 == 0 ? "builder-7" : "no-\(index)")
                    return (user != nil) == (index % 2 == 0)
                }
            }
            for try await isAsExpected in group { #expect(isAsExpected) }
        }
    }
}
