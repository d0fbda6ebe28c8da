import AdapterTestRunner
import TestSupport
import Testing

@Suite("Security tests of procedures in tests")
struct GuardedProcedureTests {
    private static let authentication = """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
          <realms>
            <realm name="Shop" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm>
            <realm name="Till" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm>
          </realms>
          <loginModules>
            <loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>
          </loginModules>
          <securityTests>
            <customSecurityTest name="User">
              <test realm="wl_antiXSRFRealm" step="1"/><test realm="Shop" isInternalUserID="true" step="1"/>
            </customSecurityTest>
            <customSecurityTest name="Both"><test realm="Till"/><test realm="Shop"/></customSecurityTest>
            <customSecurityTest name="Device">
              <test realm="wl_antiXSRFRealm"/><test realm="wl_anonymousUserRealm" isInternalUserID="true"/>
              <test realm="wl_deviceNoProvisioningRealm" isInternalDeviceID="true"/>
            </customSecurityTest>
          </securityTests>
        </tns:loginConfiguration>
        """

    private static let script = """
        function secret() {
            var user = WL.Server.getActiveUser("Shop");
            return { user: user && user.userId, name: user && user.displayName, shop: user && user.attributes && user.attributes.shop };
        }
        function both() { return 1; }
        function device() { return 1; }
        function open() { return 1; }
        function plain() { return 1; }
        function unknown() { return 1; }
        function submit(name) { WL.Server.setActiveUser("Shop", { userId: name, displayName: name }); return { authRequired: false }; }
        function leave() { WL.Server.setActiveUser("Shop", null); }
        """

    private static let guards = [
        "secret": "User", "both": "Both", "device": "Device", "open": "wl_unprotected", "unknown": "Nowhere",
    ]

    private func runGuarded(_ tests: String) async throws -> FileOutcome {
        let xml = Self.guards.reduce(
            adapterXML("A", procedures: ["secret", "both", "device", "open", "plain", "unknown", "submit", "leave"])
        ) { xml, guarded in
            xml.replacing(
                #"<procedure name="\#(guarded.key)"/>"#,
                with: #"<procedure name="\#(guarded.key)" securityTest="\#(guarded.value)"/>"#)
        }
        return try await run(
            tests, adapter: Self.script,
            files: ["adapters/A/A.xml": xml, "server/conf/authenticationConfig.xml": Self.authentication])
    }

    @Test(
        "a client's call is refused until it has logged in to the realm of the security test, and after it has logged out"
    )
    func login() async throws {
        let outcome = try await runGuarded(
            """
            const refusal = "the security test 'User' of the procedure 'secret' is not passed: log in first with client.login('Shop', identity)";
            it("call", () => {
                const client = harness.client();
                expect(() => client.call("secret")).toThrow(refusal);
                expect(() => client.reply("A/secret")).toThrow(refusal);
                client.login("Shop", "ann");
                expect(client.call("secret")).toMatchObject({ user: "ann", name: "ann" });
                expect(client.identity("Shop").userId).toBe("ann");
                client.logout();
                expect(() => client.call("secret")).toThrow(refusal);
                client.login("Shop", { userId: "bob", displayName: "Bob", attributes: { shop: 7 } });
                expect(client.withRequest({ path: "/x" }).call("secret")).toMatchObject({ user: "bob", name: "Bob", shop: 7 });
                client.logout("Till");
                expect(client.call("secret").user).toBe("bob");
                client.logout("Shop");
                expect(() => client.call("secret")).toThrow(refusal);
            });
            it("chained", () => expect(harness.client().login("Shop", "ann").call("secret").user).toBe("ann"));
            """)
        #expect(outcome.messages == [])
    }

    @Test("a test of several realms needs each, and names the missing ones")
    func severalRealms() async throws {
        let outcome = try await runGuarded(
            """
            it("x", () => {
                const client = harness.client();
                expect(() => client.call("both")).toThrow("client.login('Till', identity) and client.login('Shop', identity)");
                client.login("Till", "ann");
                expect(() => client.call("both")).toThrow("log in first with client.login('Shop', identity)");
                client.login("Shop", "ann");
                expect(client.call("both")).toBe(1);
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("realms that every server has, no test and wl_unprotected let every client through")
    func openToAll() async throws {
        let outcome = try await runGuarded(
            """
            it.each(["device", "open", "plain"])("%s", name => expect(harness.client().call(name)).toBe(1));
            """)
        #expect(outcome.messages == [])
    }

    @Test("a user of the harness passes every test, and so does a call without a session")
    func others() async throws {
        let outcome = try await runGuarded(
            """
            it("user", () => { expect(harness.user("ann").call("secret").user).toBe("ann"); harness.user("ann").call("both"); });
            it("call", () => expect(harness.call("both")).toBe(1));
            """)
        #expect(outcome.messages == [])
    }

    @Test("a login by the adapter itself counts, and so does its logout")
    func adapterLogin() async throws {
        let outcome = try await runGuarded(
            """
            it("x", () => {
                const client = harness.client();
                client.call("submit", "ann");
                expect(client.call("secret").user).toBe("ann");
                client.call("leave");
                expect(() => client.call("secret")).toThrow("is not passed");
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("a security test that is not defined lets no client through, as on the server")
    func undefinedTest() async throws {
        let outcome = try await runGuarded(
            """
            it("x", () => expect(() => harness.user("ann").call("unknown"))
                .toThrow("'Nowhere' of the procedure 'unknown' is not passed: the security test 'Nowhere' is not defined in server/conf"));
            """)
        #expect(outcome.messages == [])
    }

    @Test(
        "refuses an invalid login with the reason",
        arguments: [
            ("client.login('Shopp', 'ann')", "the project has no realm 'Shopp'; there are: Shop, Till"),
            ("client.login('Shop', { name: 'ann' })", "expected a user's id, or an object with 'userId'"),
            ("client.login('Shop')", "expected a user's id, or an object with 'userId', got null"),
            ("client.login('Shop', 'ann').login('Shop', 'bob')", "'ann' is logged in to 'Shop'; log out first"),
            ("client.logout(5)", "expected a realm's name, or nothing for all realms, got 5"),
            ("client.end(); client.login('Shop', 'ann')", "this session has ended"),
        ])
    func wrongLogins(_ code: String, message: String) async throws {
        let outcome = try await runGuarded("it('x', () => { const client = harness.client(); \(code); });")
        #expect(try #require(outcome.messages.first).contains(message), "\(outcome.messages)")
    }
}
