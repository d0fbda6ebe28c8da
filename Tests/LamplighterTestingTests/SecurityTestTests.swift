import LamplighterTesting
import Testing

@Suite("Security tests of procedures in a harness")
struct SecurityTestTests {
    private func harness() async throws -> AdapterHarness {
        try await AdapterHarness(files: [
            "adapters/A/A.xml": """
            <wl:adapter name="A" xmlns:wl="http://www.worklight.com/integration"><procedure name="secret" securityTest="User"/></wl:adapter>
            """,
            "adapters/A/A-impl.js": "function secret() { return WL.Server.getActiveUser('Shop').userId; }",
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
              <realms><realm name="Shop" loginModule="M">
                <className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>
              <loginModules><loginModule name="M">
                <className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
              <securityTests><customSecurityTest name="User"><test realm="Shop" isInternalUserID="true"/></customSecurityTest></securityTests>
            </tns:loginConfiguration>
            """,
        ])
    }

    @Test(
        "a client's call throws until it has logged in to the realm of the security test, and after it has logged out")
    func login() async throws {
        let harness = try await harness()
        let client = harness.client()
        let failure = try await #require(throws: SecurityTestError.self) { try await client.call("secret") }
        #expect(failure.securityTest == "User" && failure.procedure == "secret" && failure.realms == ["Shop"])
        #expect(
            failure.message
                == "the security test 'User' of the procedure 'secret' is not passed: log in first with client.login('Shop', identity)"
        )
        try client.login("Shop", "ann")
        #expect(try await client.call("secret") == "ann")
        client.logout()
        await #expect(throws: SecurityTestError.self) { try await client.reply("secret") }
        try client.login("Shop", ["userId": "bob"])
        #expect(try await client.call("secret") == "bob")
    }

    @Test("a user of the harness is logged in to every realm")
    func user() async throws {
        #expect(try await harness().user("ann").call("secret") == "ann")
    }
}
