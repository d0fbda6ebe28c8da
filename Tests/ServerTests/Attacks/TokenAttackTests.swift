import Core
import Foundation
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@testable import Tokens

@Suite("Attacks on the OAuth layer of 7.0")
struct TokenAttackTests {
    @Test("refuses a code that was redeemed before", arguments: WireProtocol.any)
    func replay(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = TokenClient(server)
            let id = try await client.clientID()
            let code = try #require(try await client.authorize(id))
            #expect(try await client.redeem(code, id)["access_token"] != nil)
            let again = try await client.redeem(code, id)
            #expect(again.status == 400)
            #expect(again["error"] == "invalid_grant")
        }
    }

    @Test("refuses a code that another client received", arguments: WireProtocol.any)
    func foreignCode(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let (victim, thief) = (TokenClient(server), TokenClient(server, key: TokenClient.otherKey))
            let (id, thiefID) = (try await victim.clientID(), try await thief.clientID())
            let code = try #require(try await victim.authorize(id))
            #expect(try await thief.redeem(code, thiefID)["error"] == "invalid_grant")
            // In the victim's name, with the own key.
            #expect(try await thief.redeem(code, id)["error"] == "invalid_client")
        }
    }

    @Test("another site's page cannot request a code or log a user out", arguments: WireProtocol.any)
    func forgedAuthorization(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let thief = TokenClient(server, key: TokenClient.otherKey)
            let id = try await thief.clientID()
            let victim = WireClient(server)
            try await victim.act("login", [("realm", "Forms")])
            try await victim.logIn("ann", "right-ann-secret")
            // The browser adds the cookies, but not the header.
            let instanceID = victim.instanceID
            victim.instanceID = nil
            for scope in ["Forms", "-Forms"] {
                let query = "client_id=\(id)&redirect_uri=http%3A%2F%2Fmfpredirecturi&scope=\(scope)"
                let answer = try await victim.sendOnce(.GET, "/authorization/v1/authorization?\(query)")
                #expect(answer.status == 401)
                #expect(answer.headers["Location"] == [])
            }
            victim.instanceID = instanceID
            #expect(try await victim.call("ofForms")["user"] == "ann")
        }
    }

    @Test("refuses a code after one minute", arguments: WireProtocol.any)
    func oldCode(version: WireProtocol) async throws {
        let time = ManualTime()
        try await RunningServer.attacked(over: version, time: time) { (server) async throws in
            let client = TokenClient(server)
            let id = try await client.clientID()
            let code = try #require(try await client.authorize(id))
            time.advance(by: .seconds(61))
            #expect(try await client.redeem(code, id)["error"] == "invalid_grant")
        }
    }

    @Test("refuses a registration with a key that did not sign the request", arguments: WireProtocol.any)
    func forgedRequest(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = TokenClient(server)
            let forged = try client.sign(TokenClient.description(), jpk: TokenClient.otherKey.publicKey)
            let answer = try await client.register(forged)
            #expect(answer.status == 400)
            #expect(answer["certificate"] == nil)
        }
    }

    @Test("refuses an unsigned registration", arguments: WireProtocol.allCases)
    func unsignedRequest(version: WireProtocol) async throws {
        let cases: [String] = ["none", "HS256", ""]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for algorithm in version.some(of: cases) {
                let client = TokenClient(server)
                let answer = try await client.register(try client.sign(TokenClient.description(), algorithm: algorithm))
                #expect(answer.status == 400, "\(algorithm)")
                #expect(answer["certificate"] == nil, "\(algorithm)")
            }
        }
    }

    @Test("refuses a registration for an unknown application", arguments: WireProtocol.any)
    func unknownApplication(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = TokenClient(server)
            let answer = try await client.register(try client.sign(TokenClient.description(application: "Other")))
            #expect(answer.status == 400)
        }
    }

    @Test(
        "refuses a redirect to another address, and sends no code",
        arguments: WireProtocol.allCases)
    func redirect(version: WireProtocol) async throws {
        let cases: [String] = ["http://evil.example", "http://mfpredirecturi.evil.example"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for target in version.some(of: cases) {
                let client = TokenClient(server)
                let id = try await client.clientID()
                let answer = try await client.wire.sendOnce(
                    .GET,
                    "/authorization/v1/authorization?response_type=code&client_id=\(id)&scope=RegisteredClient&redirect_uri="
                        + PercentEncoding.encode(target))
                #expect(answer.status == 400, "\(target)")
                #expect(answer.headers["Location"].isEmpty, "\(target)")
            }
        }
    }

    @Test("A valid token works", arguments: WireProtocol.any)
    func right(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            #expect(try await server.adapter("echo", token: token.bearer).status == 200)
        }
    }

    @Test("refuses a missing token, a forged one and an id token", arguments: WireProtocol.any)
    func badTokens(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            let parts = token.access.split(separator: ".").map(String.init)
            let identity = token.bearer.split(separator: " ").last.map(String.init) ?? ""
            let unsigned = Base64URL.encode(#"{"alg":"none","typ":"at+jwt"}"#.utf8)
            let tokens = [
                "Bearer", "Bearer x", "Bearer \(parts[0]).\(parts[1]).", "Bearer \(unsigned).\(parts[1]).",
                "Bearer \(unsigned).\(parts[1]).\(parts[2])", "Bearer \(identity)", "Basic \(token.access)",
                "Bearer \(parts[0]).\(Base64URL.encode(#"{"iss":"lamplighter","exp":9999999999}"#.utf8)).\(parts[2])",
            ]
            for bad in tokens {
                let answer = try await server.adapter("echo", token: bad)
                #expect(answer.status == 401)
                #expect(answer["got"] == nil)
            }
        }
    }

    @Test("refuses a token signed with another server's key", arguments: WireProtocol.any)
    func foreignKey(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = RegisteredClient(
                clientId: "x", publicKey: TokenClient.key.publicKey,
                description: ClientDescription(
                    deviceId: "d", deviceOs: "", deviceModel: "", applicationId: "App", applicationVersion: "1.0",
                    environment: "android"))
            let issued = try AccessTokenIssuer(key: TokenClient.otherKey, issuer: "lamplighter").issue(
                to: client, scopes: [GrantedScope("RegisteredClient", expires: .distantFuture)])
            #expect(try await server.adapter("echo", token: "Bearer \(issued.accessToken)").status == 401)
        }
    }

    @Test("refuses an expired token", arguments: WireProtocol.any)
    func expired(version: WireProtocol) async throws {
        let time = ManualTime()
        try await RunningServer.attacked(over: version, time: time) { (server) async throws in
            let token = try await TokenClient(server).token()
            #expect(try await server.adapter("echo", token: token.bearer).status == 200)
            time.advance(by: .seconds(3601))
            let answer = try await server.adapter("echo", token: token.bearer)
            #expect(answer.status == 401)
            #expect(answer.headers["WWW-Authenticate"].first?.contains("invalid_token") == true)
        }
    }

    @Test(
        "refuses a disabled version's token even if the store does not have the client", arguments: WireProtocol.any)
    func disabledAndForgotten(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            // Registering again with the same key removes the first registration.
            _ = try await TokenClient(server).clientID()
            try server.setRule(application: "App", environment: "android", access: .disabled, message: "no")
            #expect(try await server.adapter("echo", token: token.bearer).status == 403)
        }
    }

    @Test("refuses a procedure that the token's scope does not grant", arguments: WireProtocol.any)
    func scope(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            let answer = try await server.adapter("ofForms", token: token.bearer)
            #expect(answer.status == 403)
            #expect(answer.headers["WWW-Authenticate"].first?.contains("insufficient_scope") == true)
        }
    }

    @Test(
        "returns the login page and no code for a realm's scope without a login",
        arguments: WireProtocol.any)
    func scopeWithoutLogin(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = TokenClient(server)
            #expect(try await client.authorize(try await client.clientID(), scope: "RegisteredClient Forms") == nil)
        }
    }

    @Test("refuses a procedure whose security test is not defined, even with a token", arguments: WireProtocol.any)
    func obstacle(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            #expect(try await server.adapter("ofNobody", token: token.bearer).status == 403)
        }
    }
}
