import AdapterRuntime
import Core
import Logging
import TestSupport
import Testing

@testable import Authentication

@Suite("The authenticator of realms")
struct RealmAuthenticatorTests {
    private static let ldap = RealmTestProject.module("LdapLoginModule", ["ldapProviderUrl": "ldaps://x"])
    private static let form = RealmTestProject.realm("R", "FormBasedAuthenticator")
    private static let ann: JSONValue = [
        "userId": "ann", "displayName": "The ann", "attributes": ["mail": "ann@example.com"],
    ]

    private func basic(_ text: String) -> [String: String] { ["authorization": text] }

    @Test("A form is shown, accepts the right password, and is not shown again")
    func form() async throws {
        let test = try await TestGate(realms: Self.form, modules: Self.ldap)
        let session = test.begin()
        let visit = test.visit(session)
        #expect(await test.gate.challenge(for: ["R"], visit) == .page(LoginPage.standard.html()))
        #expect(session.pendingRealm == "R")
        #expect(await test.gate.submitForm(user: "ann", password: "right", visit) == .loggedIn)
        #expect(session.pendingRealm == nil)
        #expect(test.gate.identity(in: "R", of: session) == Self.ann)
        #expect(await test.gate.challenge(for: ["R"], visit) == nil)
    }

    @Test("A wrong password and an unknown user get the same page, and cost one question to the directory each")
    func wrong() async throws {
        let test = try await TestGate(realms: Self.form, modules: Self.ldap)
        let visit = test.visit(test.begin())
        let wrong = await test.gate.submitForm(user: "ann", password: "wrong", visit)
        #expect(test.directory.asked.value == 1)
        let unknown = await test.gate.submitForm(user: "nobody", password: "wrong", visit)
        #expect(test.directory.asked.value == 2)
        #expect(wrong == .page(LoginPage.standard.html(error: "The user name or the password is not right.")))
        #expect(unknown == wrong)
        #expect(visit.session.client.realms.isEmpty)
    }

    @Test("A user without a name is refused without a query")
    func noName() async throws {
        let test = try await TestGate(
            realms: Self.form, modules: Self.ldap, directory: TestDirectory(passwords: ["": ""]))
        let outcome = await test.gate.submitForm(user: "", password: "", test.visit(test.begin()))
        #expect(outcome != .loggedIn)
        #expect(test.directory.asked.value == 0)
    }

    @Test(
        "A user whose name has a control character is refused without a query",
        arguments: ["ann\n", "a\0nn", "ann\u{85}"])
    func controlCharacters(name: String) async throws {
        let test = try await TestGate(
            realms: Self.form, modules: Self.ldap, directory: TestDirectory(passwords: [name: "right"]))
        let outcome = await test.gate.submitForm(user: name, password: "right", test.visit(test.begin()))
        #expect(outcome != .loggedIn)
        #expect(test.directory.asked.value == 0)
    }

    @Test("A login ends when its time is over, and the form is shown again")
    func expiration() async throws {
        let modules = RealmTestProject.module(
            "LdapLoginModule", attributes: "expirationInSeconds=\"60\"", ["ldapProviderUrl": "ldaps://x"])
        let test = try await TestGate(realms: Self.form, modules: modules)
        let session = test.begin()
        #expect(await test.gate.submitForm(user: "ann", password: "right", test.visit(session)) == .loggedIn)
        test.time.advance(by: .seconds(59))
        #expect(test.gate.identity(in: "R", of: session) == Self.ann)
        test.time.advance(by: .seconds(1))
        #expect(test.gate.identity(in: "R", of: session) == nil)
        #expect(await test.gate.challenge(for: ["R"], test.visit(session)) != nil)
    }

    @Test("A login with expiration -1 holds as long as the session")
    func noExpiration() async throws {
        let modules = RealmTestProject.module(
            "LdapLoginModule", attributes: "expirationInSeconds=\"-1\"", ["ldapProviderUrl": "ldaps://x"])
        let test = try await TestGate(realms: Self.form, modules: modules)
        let session = test.begin()
        _ = await test.gate.submitForm(user: "ann", password: "right", test.visit(session))
        test.time.advance(by: .seconds(10_000_000))
        #expect(test.gate.identity(in: "R", of: session) == Self.ann)
    }

    @Test("The directory is queried after a pause after two refused passwords, for that user only")
    func pause() async throws {
        let test = try await TestGate(realms: Self.form, modules: Self.ldap)
        let visit = test.visit(test.begin())
        for _ in 0..<2 { _ = await test.gate.submitForm(user: "ann", password: "x", visit) }
        let gate = test.gate
        async let third = gate.submitForm(user: "ann", password: "right", visit)
        try await test.time.waitForSleeper(.seconds(1))
        #expect(await test.gate.submitForm(user: "bob", password: "right", test.visit(test.begin())) == .loggedIn)
        #expect(test.directory.asked.value == 3)
        test.time.advance(by: .seconds(1))
        #expect(await third == .loggedIn)
    }

    @Test("An unreachable directory does not count as a wrong password, and the log has the reason")
    func unavailable() async throws {
        var directory = TestDirectory(passwords: ["ann": "right"])
        directory.isBroken = true
        let test = try await TestGate(realms: Self.form, modules: Self.ldap, directory: directory)
        let visit = test.visit(test.begin())
        for _ in 0..<10 {
            let outcome = await test.gate.submitForm(user: "ann", password: "right", visit)
            #expect(outcome == .page(LoginPage.standard.html(error: "Logging in is not possible at the moment.")))
        }
        #expect(test.directory.asked.value == 10)
        #expect(test.log.messages(at: .error).contains { $0.contains("the directory is away") })
    }

    @Test("a login counts for the form that was shown last, and for no realm without a shown form")
    func severalForms() async throws {
        let test = try await TestGate(
            realms: Self.form + RealmTestProject.realm("S", "FormBasedAuthenticator"), modules: Self.ldap)
        let visit = test.visit(test.begin())
        let unasked = await test.gate.submitForm(user: "ann", password: "right", visit)
        #expect(unasked == .page(LoginPage.standard.html(error: "Nobody was asked to log in. Start again.")))
        for realm in ["S", "R"] { _ = await test.gate.challenge(for: [realm], visit) }
        #expect(await test.gate.submitForm(user: "ann", password: "right", visit) == .loggedIn)
        #expect(visit.session.client.realms == ["R"])
    }

    @Test("The only form counts, even in a session that was not shown it")
    func onlyForm() async throws {
        let test = try await TestGate(
            realms: Self.form + RealmTestProject.realm("B", "BasicAuthenticator"), modules: Self.ldap)
        #expect(await test.gate.submitForm(user: "ann", password: "right", test.visit(test.begin())) == .loggedIn)
    }

    @Test("Realms are challenged in their order, one after the other")
    func order() async throws {
        let test = try await TestGate(
            realms: Self.form + RealmTestProject.realm("B", "BasicAuthenticator"), modules: Self.ldap)
        let visit = test.visit(test.begin())
        #expect(await test.gate.challenge(for: ["B", "R"], visit) == .basic(realm: "B"))
        #expect(await test.gate.challenge(for: ["R", "B"], visit) == .page(LoginPage.standard.html()))
        _ = await test.gate.submitForm(user: "ann", password: "right", visit)
        #expect(await test.gate.challenge(for: ["R", "B"], visit) == .basic(realm: "B"))
        #expect(await test.gate.challenge(for: [], visit) == nil)
    }

    @Test("Basic accepts the header, and challenges again when it is wrong")
    func basic() async throws {
        let test = try await TestGate(realms: RealmTestProject.realm("R", "BasicAuthenticator"), modules: Self.ldap)
        let session = test.begin()
        // ann:wrong and ann:right
        for header in [[:], basic("Basic YW5uOndyb25n"), basic("Bearer x"), basic("Basic x")] {
            #expect(
                await test.gate.challenge(for: ["R"], test.visit(session, headers: header)) == .basic(realm: "R"))
        }
        let visit = test.visit(session, headers: basic("Basic YW5uOnJpZ2h0"))
        #expect(await test.gate.challenge(for: ["R"], visit) == nil)
        #expect(test.gate.identity(in: "R", of: session) == Self.ann)
    }

    @Test("The session's user is replaced when the proxy names another")
    func anotherUserInHeader() async throws {
        let test = try await TestGate(
            realms: RealmTestProject.realm("R", "HeaderAuthenticator"),
            modules: RealmTestProject.module("HeaderLoginModule", ["user-name-header": "X-User"]))
        let session = test.begin()
        for user in ["ann", "bob"] {
            let visit = test.visit(session, headers: ["X-User": user], isProxied: true)
            #expect(await test.gate.challenge(for: ["R"], visit) == nil)
            #expect(test.gate.identity(in: "R", of: session)?["userId"]?.string == user)
        }
    }

    @Test("A proxy's header is believed from a trusted proxy only")
    func header() async throws {
        let test = try await TestGate(
            realms: RealmTestProject.realm("R", "HeaderAuthenticator"),
            modules: RealmTestProject.module(
                "HeaderLoginModule", ["user-name-header": "X-User", "display-name-header": "X-Name"]))
        let session = test.begin()
        let headers = ["x-user": "ann", "X-NAME": "Ann"]
        for visit in [
            test.visit(session, headers: headers), test.visit(session, isProxied: true),
            test.visit(session, headers: ["X-User": ""], isProxied: true),
            test.visit(session, headers: ["X-User": "ann\u{85}"], isProxied: true),
        ] {
            guard case .refused(realm: "R", _)? = await test.gate.challenge(for: ["R"], visit) else {
                Issue.record("expected a refusal")
                continue
            }
        }
        let visit = test.visit(session, headers: headers, isProxied: true)
        #expect(await test.gate.challenge(for: ["R"], visit) == nil)
        #expect(test.gate.identity(in: "R", of: session)?["userId"] == "ann")
        #expect(test.gate.identity(in: "R", of: session)?["displayName"] == "Ann")
    }

    @Test("A cookie's realms identify the client by its own id", arguments: ["R", "wl_anonymousUserRealm"])
    func cookie(realm: String) async throws {
        let test = try await TestGate(
            realms: RealmTestProject.realm("R", "PersistentCookieAuthenticator"),
            modules: RealmTestProject.module("NonValidatingLoginModule"))
        let session = test.begin("client-1")
        #expect(await test.gate.challenge(for: [realm], test.visit(session)) == nil)
        #expect(test.gate.identity(in: realm, of: session)?["userId"] == "client-1")
    }

    @Test("An undefined or unsupported realm lets nobody pass")
    func refused() async throws {
        let test = try await TestGate(
            realms: RealmTestProject.realm("R", "MyAuthenticator"),
            modules: RealmTestProject.module("NonValidatingLoginModule"))
        let visit = test.visit(test.begin())
        #expect(
            await test.gate.challenge(for: ["Nowhere"], visit)
                == .refused(realm: "Nowhere", reason: "the realm 'Nowhere' is not defined"))
        #expect(
            await test.gate.challenge(for: ["R"], visit)
                == .refused(realm: "R", reason: "users cannot log in to 'R' on this server"))
    }

    @Test("A login module that refuses all users does so", arguments: ["RejectingLoginModule", "MyLoginModule"])
    func rejecting(name: String) async throws {
        let test = try await TestGate(realms: Self.form, modules: RealmTestProject.module(name))
        let visit = test.visit(test.begin())
        #expect(await test.gate.submitForm(user: "ann", password: "right", visit) != .loggedIn)
        #expect(visit.session.client.realms.isEmpty)
    }

    @Test("The one user of a project gets in with the one password")
    func singleIdentity() async throws {
        let modules = RealmTestProject.module("SingleIdentityLoginModule", ["username": "ann", "password": "pw"])
        let test = try await TestGate(realms: Self.form, modules: modules)
        let visit = test.visit(test.begin())
        for (user, password) in [("ann", "p"), ("Ann", "pw"), ("bob", "pw"), ("", "pw")] {
            let outcome = await test.gate.submitForm(user: user, password: password, visit)
            #expect(outcome != .loggedIn, "\(user) \(password) \(outcome)")
        }
        let other = test.visit(test.begin(), address: "192.0.2.2")
        #expect(await test.gate.submitForm(user: "ann", password: "", other) != .loggedIn)
        #expect(await test.gate.submitForm(user: "ann", password: "pw", other) == .loggedIn)
    }

    @Test("A missing token and an invalid one are distinguished")
    func bearer() async throws {
        let test = try await TestGate(
            realms: RealmTestProject.realm("R", "BearerAuthenticator", package: "lamplighter."),
            modules: RealmTestProject.module(
                "OpenIDConnectLoginModule", package: "lamplighter.", ["issuer": "https://example.com"]))
        let session = test.begin()
        #expect(await test.gate.challenge(for: ["R"], test.visit(session)) == .bearer(error: nil))
        let visit = test.visit(session, headers: ["Authorization": "Bearer a.b.c"])
        #expect(await test.gate.challenge(for: ["R"], visit) == .bearer(error: "invalid_token"))
    }
}
