import Credentials
import TestSupport
import Testing

@Suite("Search results that a login needs from an LDAP server", .onOwnThreads)
struct LDAPSearchTests {
    let server: LDAPServer

    init() throws {
        server = try LDAPServer.shared()
    }

    private func directory(_ filter: String, _ changes: [String: String?] = [:]) throws -> LDAPDirectory {
        var all: [String: String?] = [
            "validationType": "searchPattern", "ldapSearchFilterPattern": filter, "ldapSearchBase": "dc=example,dc=com",
        ]
        all.merge(changes) { $1 }
        return try LDAPDirectory(server, all)
    }

    @Test("Only users whom the filter finds get in")
    func filter() async throws {
        let directory = try directory("(&(uid={username})(employeeType=sales))")
        #expect(try await directory.user(named: "bob", password: "builder-7") == DirectoryUser(name: "bob"))
        #expect(try await directory.user(named: "alice", password: "wonder-land-1") == nil)
    }

    @Test("The search does not replace the password")
    func wrongPassword() async throws {
        #expect(try await directory("(uid={username})").user(named: "bob", password: "wrong") == nil)
    }

    @Test("Characters that mean something in filters are a part of the name")
    func specialNames() async throws {
        let directory = try directory("(uid={username})")
        #expect(try await directory.user(named: "star*(x)", password: "star-word") != nil)
    }

    @Test(
        "A user whose name is a piece of a filter cannot change the filter",
        arguments: [("*", "asterisk-word"), ("bob)(uid=*", "bracket-word")])
    func injection(name: String, password: String) async throws {
        // Both can log in. Put into the filter as they are, they would find bob, who is in sales.
        #expect(try await LDAPDirectory(server).user(named: name, password: password) != nil)
        let sales = try directory("(&(uid={username})(employeeType=sales))")
        #expect(try await sales.user(named: name, password: password) == nil)
        let everybody = try directory("(&(uid={username})(objectClass=person))")
        #expect(try await everybody.user(named: name, password: password) != nil)
    }

    @Test("Requested attributes come with the user, and displayName is the display name")
    func attributes() async throws {
        let directory = try directory("(uid={username})", ["ldapAttributes": "displayName, mail,nonexistent"])
        let user = try await directory.user(named: "bob", password: "builder-7")
        #expect(user?.displayName == "Bob Builder")
        #expect(user?.attributes == ["displayName": "Bob Builder", "mail": "bob@example.com"])
    }

    @Test("Several matching entries let the user in, without attributes")
    func severalMatches() async throws {
        let directory = try directory("(cn=shared name)", ["ldapAttributes": "mail,uid"])
        let user = try await directory.user(named: "twin", password: "twin-word-1")
        #expect(user == DirectoryUser(name: "twin"))
    }

    @Test("The URL's base entry is appended to the search base")
    func baseInURL() async throws {
        let directory = try directory(
            "(uid={username})", ["ldapProviderUrl": server.url + "/dc=example,dc=com", "ldapSearchBase": "ou=people"])
        #expect(try await directory.user(named: "bob", password: "builder-7") != nil)
    }

    @Test("A search base that does not exist is an error that names it")
    func missingBase() async throws {
        let directory = try directory("(uid={username})", ["ldapSearchBase": "ou=nowhere,dc=example,dc=com"])
        let error = try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .configuration)
        #expect(error.message.contains("ldapSearchBase 'ou=nowhere,dc=example,dc=com'"))
    }

    @Test("A filter that the library cannot read is an error that names the parameter")
    func unreadableFilter() async throws {
        let directory = try directory("(&(uid={username})(=)(!))")
        let error = try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .configuration)
        #expect(error.message.contains("ldapSearchFilterPattern"))
    }

    @Test("A reference to another server is ignored, unless it is to be followed: with the user's own password")
    func referrals() async throws {
        let filter = "(description={username})"
        #expect(try await directory(filter).user(named: "bob", password: "builder-7") == nil)
        let following = try directory(filter, ["ldapReferral": "follow"])
        #expect(try await following.user(named: "bob", password: "builder-7") != nil)
        #expect(try await following.user(named: "alice", password: "wonder-land-1") == nil)
    }

    @Test("A referral to another server is an error with ldapReferral throw")
    func referralAsError() async throws {
        let error = try await #require(throws: DirectoryError.self) {
            try await directory("(uid={username})", ["ldapReferral": "throw"]).user(named: "bob", password: "builder-7")
        }
        #expect(error.kind == .backEnd)
    }
}
