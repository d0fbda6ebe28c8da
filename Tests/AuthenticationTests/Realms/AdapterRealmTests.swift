import AdapterRuntime
import Core
import TestSupport
import Testing

@testable import Authentication

@Suite("Realms of adapters")
struct AdapterRealmTests {
    private static let script = """
        function ask(headers, message) {
            return { authRequired: true, errorMessage: message, host: headers ? headers.Mark : null };
        }
        function leave() { WL.Server.setActiveUser('R', null); return ask() }
        function open(user) { WL.Server.setActiveUser('R', { userId: user }); return {} }
        """

    private func gate(expiration: String = "60", logout: String? = "A.leave") async throws -> TestGate {
        var parameters = ["login-function": "A.ask"]
        parameters["logout-function"] = logout
        return try await TestGate(
            realms: RealmTestProject.realm("R", "AdapterAuthenticator", parameters),
            modules: RealmTestProject.module(
                "NonValidatingLoginModule", attributes: "expirationInSeconds=\"\(expiration)\""),
            script: Self.script)
    }

    @Test("The login function returns the login data from the headers, without a message")
    func ask() async throws {
        let test = try await gate()
        let visit = test.visit(test.begin(), headers: ["Mark": "m"])
        guard case .object(let result)? = await test.gate.challenge(for: ["R"], visit) else {
            Issue.record("expected an object")
            return
        }
        let shown = try JSONValue(parsing: result.json)
        #expect(shown["authRequired"] == true)
        #expect(shown["errorMessage"] == .null)
        #expect(shown["host"] == "m")
    }

    @Test("A login by setActiveUser counts from when it was noted, and ends like others")
    func expiration() async throws {
        let test = try await gate()
        let session = test.begin()
        try session.client.setIdentity(["userId": "ann"], in: "R")
        test.time.advance(by: .seconds(100))
        #expect(test.gate.noteLogins(of: session, in: Set(session.client.realms)))
        test.time.advance(by: .seconds(59))
        #expect(!test.gate.noteLogins(of: session, in: Set(session.client.realms)))
        #expect(test.gate.identity(in: "R", of: session)?["userId"] == "ann")
        test.time.advance(by: .seconds(1))
        #expect(test.gate.identity(in: "R", of: session) == nil)
    }

    @Test("A login with expiration -1 holds as long as the session")
    func noExpiration() async throws {
        let test = try await gate(expiration: "-1")
        let session = test.begin()
        try session.client.setIdentity(["userId": "ann"], in: "R")
        #expect(test.gate.noteLogins(of: session, in: Set(session.client.realms)))
        test.time.advance(by: .seconds(10_000_000))
        #expect(test.gate.identity(in: "R", of: session)?["userId"] == "ann")
    }

    @Test("A login to a realm that is not defined holds as long as the session")
    func undefined() async throws {
        let test = try await gate()
        let session = test.begin()
        try session.client.setIdentity(["userId": "ann"], in: "Nowhere")
        #expect(test.gate.noteLogins(of: session, in: Set(session.client.realms)))
        test.time.advance(by: .seconds(10_000))
        #expect(test.gate.identity(in: "Nowhere", of: session) != nil)
    }

    @Test("Logging out ends the login, with or without a function for it", arguments: ["A.leave", nil, "A.nowhere"])
    func logOut(function: String?) async throws {
        let test = try await gate(logout: function)
        let session = test.begin()
        try session.client.setIdentity(["userId": "ann"], in: "R")
        await test.gate.logOut(of: "R", test.visit(session))
        #expect(test.gate.identity(in: "R", of: session) == nil)
    }

    @Test("A logout function that logs a user in leaves none logged in")
    func evilLogOut() async throws {
        let test = try await gate(logout: "A.open")
        let session = test.begin()
        try session.client.setIdentity(["userId": "ann"], in: "R")
        await test.gate.logOut(of: "R", test.visit(session))
        #expect(session.client.realms.isEmpty)
    }

    @Test("A form does not log in to an adapter's realm")
    func noForm() async throws {
        let test = try await gate()
        let visit = test.visit(test.begin())
        _ = await test.gate.challenge(for: ["R"], visit)
        #expect(await test.gate.submitForm(user: "ann", password: "right", visit) != .loggedIn)
        visit.session.pendingRealm = "R"
        #expect(await test.gate.submitForm(user: "ann", password: "right", visit) != .loggedIn)
        #expect(visit.session.client.realms.isEmpty)
    }
}
