import Core
import Foundation
import TestSupport
import Testing

@testable import Installation

@Suite("The tokens of a native client of 7.1", .defaultTimeLimit)
struct Native710TokenTests {
    private static let key = TestClient.first
    private static let open = "/adapters/demoAdapter/count"
    private static let guarded = "/adapters/demoAdapter/formSecret"

    /// Runs `body` with a client that has registered, against a server whose sessions last longer than tokens.
    private static func run(
        time: any TimeSource = SystemTime(),
        _ body: @Sendable (RunningServer, ClientDouble) async throws -> Void
    ) async throws {
        try await RunningServer.converse(.nobody, time: time, change: { $0.sessionTimeout = .seconds(36_000) }) {
            let client = ClientDouble(NativeDialect(release: .v710), at: $0)
            try await client.register(with: key)
            try await body($0, client)
        }
    }

    private static func tokensIssued(to client: ClientDouble) async -> Int {
        await client.exchanges.count(where: { $0.kind == .authorization("token") })
    }

    @Test("One that has expired is replaced by one request for another")
    func expiry() async throws {
        let time = ManualTime()
        try await Self.run(time: time) { (_, client) async throws in
            #expect(try await client.resource(Self.open, with: Self.key).isSuccess)
            time.advance(by: .seconds(3601))
            #expect(try await client.resource(Self.open, with: Self.key).isSuccess)
            #expect(await Self.tokensIssued(to: client) == 2)
        }
    }

    @Test("A token without the procedure's scope is replaced, after the login")
    func missingScope() async throws {
        try await Self.run { (_, client) async throws in
            #expect(try await client.resource(Self.open, with: Self.key).isSuccess)
            let reply = try await client.resource(Self.guarded, with: Self.key, .wrong, .right)
            #expect(reply["secret"] == 43 && reply["user"] == "bjones")
            #expect(await Self.tokensIssued(to: client) == 2)
        }
    }

    @Test(
        "A scope that does not exist is refused, and no other is granted instead",
        arguments: ["Nowhere", "RegisteredClient Nowhere", "-PushAppRealm RegisteredClient"])
    func unknownScope(scope: String) async throws {
        try await Self.run { (_, client) async throws in
            let reply = try await client.send(
                "GET", .authorization("authorization"),
                [
                    Field("response_type", "code"), Field("client_id", await client.clientID),
                    Field("redirect_uri", "http://mfpredirecturi"), Field("scope", scope),
                ])
            #expect(reply.status == 400)
            #expect(reply["error"] == "invalid_scope")
            #expect(reply["errorCode"] == "UNEXPECTED_ERROR" && reply["errorMsg"]?.string?.isEmpty == false)
        }
    }

    @Test("A login by an adapter after the session's end challenges the instance id before the user")
    func adapterLoginAfterSession() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, time: time) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v710), at: server)
            try await client.register(with: Self.key)
            let path = "/adapters/demoAdapter/secret"
            #expect(try await client.resource(path, with: Self.key, .right)["user"] == "bjones")
            time.advance(by: .seconds(3 * 3600))
            #expect(try await client.resource(path, with: Self.key, .right)["user"] == "bjones")
            // The SDK never repeats this request.
            let logins = await client.exchanges.filter { $0.kind == .invoke }
            #expect(logins.map(\.answer.status) == [200, 200])
        }
    }

    @Test(
        "Every scope that exists is granted as requested",
        arguments: [
            "wl_anonymousUserRealm", "RegisteredClient wl_antiXSRFRealm wl_deviceNoProvisioningRealm", "",
            "wl-default-scope",
        ])
    func grantedScope(scope: String) async throws {
        try await Self.run { (_, client) async throws in
            let code = try #require(try await client.authorize(scope))
            let tokens = try await client.token(for: code, with: Self.key)
            #expect(tokens["scope"] == .string(scope.isEmpty ? "RegisteredClient" : scope))
        }
    }

    @Test("A login's token is refused after a logout, and the user must log in again")
    func logout() async throws {
        try await Self.run { (_, client) async throws in
            #expect(try await client.resource(Self.guarded, with: Self.key, .right).isSuccess)
            #expect(try await client.authorize("-PushAppRealm") == nil)
            let bearer = await client.bearer ?? ""
            let reply = try await client.send(
                "GET", .path(Self.guarded), headers: [(name: "Authorization", value: bearer)])
            #expect(reply.status == 401)
            #expect(reply.answer["WWW-Authenticate"].first?.contains(#"error="invalid_token", scope="#) == true)
            // It still opens procedures that need no login.
            let count = try await client.send(
                "GET", .path(Self.open), headers: [(name: "Authorization", value: bearer)])
            #expect(count.isSuccess)
            #expect(try await client.resource(Self.guarded, with: Self.key, .right)["user"] == "bjones")
        }
    }

    @Test("One of a login is refused once another user has logged in to the same realm")
    func otherUser() async throws {
        try await Self.run { (_, client) async throws in
            #expect(try await client.resource(Self.guarded, with: Self.key, .right).isSuccess)
            let bearer = await client.bearer ?? ""
            try await client.act("logout", Field("realm", "PushAppRealm"))
            _ = try await client.query("demoAdapter", "formSecret", "[]", .init(user: "ann", password: "secret"))
            let old = try await client.send(
                "GET", .path(Self.guarded), headers: [(name: "Authorization", value: bearer)])
            #expect(old.status == 401)
            #expect(try await client.resource(Self.guarded, with: Self.key)["user"] == "ann")
        }
    }

    @Test("One of a login that an adapter has made ends with it, too")
    func adapterLogin() async throws {
        try await Self.run { (_, client) async throws in
            let path = "/adapters/demoAdapter/secret"
            #expect(try await client.resource(path, with: Self.key, .right)["secret"] == 42)
            let bearer = await client.bearer ?? ""
            try await client.act("logout", Field("realm", "AdapterRealm"))
            let reply = try await client.send("GET", .path(path), headers: [(name: "Authorization", value: bearer)])
            #expect(reply.status == 401)
        }
    }

    @Test("A token issued late in a login ends with the login, and has that expiry")
    func loginExpiry() async throws {
        let time = ManualTime()
        try await Self.run(time: time) { (_, client) async throws in
            _ = try await client.query("demoAdapter", "formSecret", "[]", .right)
            time.advance(by: .seconds(3000))
            let code = try #require(try await client.authorize("RegisteredClient PushAppRealm"))
            let tokens = try await client.token(for: code, with: Self.key)
            #expect(tokens["expires_in"] == 600)
            await client.setBearer("Bearer \(tokens["access_token"]?.string ?? "")")
            #expect(try await client.resource(Self.guarded, with: Self.key)["user"] == "bjones")
            time.advance(by: .seconds(601))
            // The user must log in again: without that there is no code.
            await #expect(throws: ClientDoubleError.self) { try await client.resource(Self.guarded, with: Self.key) }
            #expect(try await client.resource(Self.guarded, with: Self.key, .right)["user"] == "bjones")
        }
    }

    @Test("A code is invalid once the user has logged out")
    func logoutBeforeToken() async throws {
        try await Self.run { (_, client) async throws in
            _ = try await client.query("demoAdapter", "formSecret", "[]", .right)
            let code = try #require(try await client.authorize("RegisteredClient PushAppRealm"))
            try await client.act("logout", Field("realm", "PushAppRealm"))
            let tokens = try await client.token(for: code, with: Self.key)
            #expect(tokens.status == 400 && tokens["error"] == "invalid_grant")
        }
    }

    @Test("A login's session lasts while its token is used, with or without the cookie")
    func usedSession() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v710), at: server)
            try await client.register(with: Self.key)
            #expect(try await client.resource(Self.guarded, with: Self.key, .right).isSuccess)
            let other = ClientDouble(NativeDialect(release: .v710), at: server)
            await other.setBearer(await client.bearer)
            for _ in 0..<3 {
                time.advance(by: .seconds(500))
                #expect(try await other.resource(Self.guarded, with: Self.key)["user"] == "bjones")
            }
            #expect(await Self.tokensIssued(to: client) == 1)
            time.advance(by: .seconds(601))
            await #expect(throws: ClientDoubleError.self) { try await other.resource(Self.guarded, with: Self.key) }
        }
    }

    @Test("A login's token is refused after a server restart, and works again after another login")
    func restart() async throws {
        let folder = try ConversationProject.make(.nobody)
        try await RunningServer.run(project: folder, change: { $0.contextRoot = "/wl" }) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v710), at: server)
            try await client.register(with: Self.key)
            #expect(try await client.resource(Self.guarded, with: Self.key, .right).isSuccess)
            try folder.write("\(await client.clientID ?? "")\n\(await client.bearer ?? "")", to: "kept")
        }
        let kept = try String(contentsOf: folder.url.appending(path: "kept"), encoding: .utf8).split(separator: "\n")
            .map(String.init)
        try await RunningServer.run(project: folder, change: { $0.contextRoot = "/wl" }) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v710), at: server)
            await client.setClient(id: kept[0], signed: "")
            await client.setBearer(kept[1])
            #expect(try await client.resource(Self.open, with: Self.key).isSuccess)
            #expect(await Self.tokensIssued(to: client) == 0)
            #expect(try await client.resource(Self.guarded, with: Self.key, .right)["user"] == "bjones")
        }
    }
}
