import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("A native client of 7.1", .defaultTimeLimit)
struct Native710ConversationTests {
    private static let android = NativeDialect(release: .v710)
    private static let key = TestClient.first

    @Test("registers, connects, is notified, is authorized, calls adapters with its tokens, and logs out")
    func whole() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await client.register(with: Self.key)
            #expect(await client.cookies["JSESSIONID"]?.hasPrefix("0000") == true)

            let reply = try await client.connect(.wrong, .right)
            #expect(reply.status == 200)
            #expect(reply["userInfo"]?["PushAppRealm"]?["userId"] == "bjones")
            let cookies = await client.exchanges.flatMap { $0.answer["Set-Cookie"] }
            // Twice: both change at the login.
            let both: [Substring] = ["JSESSIONID", "WL_PERSISTENT_COOKIE"]
            #expect(cookies.map { $0.prefix { $0 != "=" } } == both + both)

            let conversation = PushConversation(client: client, server: server)
            try await conversation.callProcedures()
            try await conversation.push()

            let code = try #require(try await client.authorize("RegisteredClient PushAppRealm"))
            let tokens = try await client.token(for: code, with: Self.key)
            #expect(tokens["scope"] == "RegisteredClient PushAppRealm")
            let access = try #require(tokens["access_token"]?.string)
            let identity = try #require(tokens["id_token"]?.string)
            let bearer = [(name: "Authorization", value: "Bearer \(access) \(identity)")]
            let answer = try await client.send(
                "GET", .path("/adapters/demoAdapter/formSecret"), [Field("params", "[]")], headers: bearer)
            #expect(answer.answer.text == #"{"isSuccessful":true,"secret":43,"user":"bjones"}"#)

            #expect(try await client.authorize("-PushAppRealm") == nil)
            try await conversation.checkLoggedOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("Parameters of /adapters keep their types, by GET and by POST", arguments: ["GET", "POST"])
    func parameters(method: String) async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let bearer = try await Self.tokens(client)
            let reply = try await client.send(
                method, .path("/adapters/demoAdapter/getDemoAccount"), [Field("params", PushConversation.parameters)],
                headers: bearer)
            #expect(reply["echo"] == (try JSONValue(parsing: PushConversation.parameters)))
            #expect(reply.answer.text.hasPrefix("{"))
        }
    }

    private static func tokens(_ client: ClientDouble) async throws -> [(name: String, value: String)] {
        try await client.register(with: key)
        let code = try #require(try await client.authorize("RegisteredClient"))
        let tokens = try await client.token(for: code, with: key)
        #expect(tokens["scope"] == "RegisteredClient")
        return [
            (
                name: "Authorization",
                value: "Bearer \(tokens["access_token"]?.string ?? "") \(tokens["id_token"]?.string ?? "")"
            )
        ]
    }

    @Test("A resource refuses a request without a token, and names the required scope")
    func noToken() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.register(with: Self.key)
            let reply = try await client.send("GET", .path("/adapters/demoAdapter/formSecret"))
            #expect(reply.status == 401)
            #expect(
                reply.answer["WWW-Authenticate"] == [
                    #"Bearer realm="imfAuthentication", scope="RegisteredClient PushAppRealm""#
                ])
            #expect(reply["errorCode"] == "UNEXPECTED_ERROR" && reply["errorMsg"]?.string?.isEmpty == false)
        }
    }

    @Test("refuses a token whose scope lacks the procedure's realm")
    func narrowToken() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let bearer = try await Self.tokens(client)
            let reply = try await client.send("GET", .path("/adapters/demoAdapter/formSecret"), headers: bearer)
            #expect(reply.status == 403)
            #expect(
                reply.answer["WWW-Authenticate"] == [
                    #"Bearer realm="imfAuthentication", error="insufficient_scope", scope="RegisteredClient PushAppRealm""#
                ])
        }
    }

    @Test("A scope that is a realm challenges for the login during the authorization")
    func loginWithin() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.register(with: Self.key)
            try await client.connect()
            let code = try await client.authorize("RegisteredClient PushAppRealm", .wrong, .right)
            #expect(code != nil)
        }
    }

    @Test("An unknown client gets the error on which it registers again")
    func unknown() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            await client.setClient(id: "5f563cd2-4615-4589-860b-20822211f203", signed: "")
            let reply = try await client.send(
                "GET", .authorization("authorization"),
                [
                    Field("response_type", "code"), Field("client_id", "5f563cd2-4615-4589-860b-20822211f203"),
                    Field("redirect_uri", "http://mfpredirecturi"), Field("scope", "RegisteredClient"),
                ])
            #expect(reply.status == 400)
            #expect(
                reply.answer.text == #"{"error":"unauthorized_client","error_description":"Unknown client"}"#)
        }
    }

    @Test("A code is good for one token")
    func codeOnce() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.register(with: Self.key)
            let code = try #require(try await client.authorize("RegisteredClient"))
            #expect(try await client.token(for: code, with: Self.key).status == 200)
            let again = try await client.token(for: code, with: Self.key)
            #expect(again.status == 400 && again["error"] == "invalid_grant")
        }
    }

    @Test("A registration that another key signed is refused")
    func forgedRequest() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let csr = Self.key.sign(
                #"{"deviceId":"d","applicationId":"MyNative","applicationVersion":"1.0","environment":"Androidnative"}"#
            )
            let forged = String(csr.dropLast(8)) + "AAAAAA=="
            let reply = try await client.send(
                "POST", .authorization("clients/instance"), [Field("CSR", forged)])
            #expect(reply.status == 400 && reply["error"] == "invalid_request")
        }
    }

    @Test("A version that the operator disables is stopped at its tokens, too, and gets no new ones")
    func disabled() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            let bearer = try await Self.tokens(client)
            let path = RequestKind.path("/adapters/demoAdapter/count")
            #expect(try await client.send("GET", path, headers: bearer).isSuccess)
            try server.setRule(
                application: "MyNative", environment: "androidNATIVE", access: .disabled,
                message: "This version is blocked")
            let refused = try await client.send("GET", path, headers: bearer)
            #expect(refused.status == 403)
            #expect(
                refused["WL-Authentication-Failure"]?["wl_remoteDisableRealm"]?["message"] == "This version is blocked")
            await #expect(throws: ClientDoubleError.self) { try await client.authorize("RegisteredClient") }
            #expect(try await client.connect().status == 403)
        }
    }

    @Test("A device that an operator blocks is stopped at its tokens, too, and gets no new ones")
    func blockedDevice() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            let bearer = try await Self.tokens(client)
            let path = RequestKind.path("/adapters/demoAdapter/count")
            #expect(try await client.send("GET", path, headers: bearer).isSuccess)
            try server.installation.security.blocks.block(
                BlockedDevice(applicationID: "MyNative", deviceID: Self.android.device.id, blockedAt: .now))
            let refused = try await client.send("GET", path, headers: bearer)
            #expect(refused.status == 403)
            #expect(
                refused["WL-Authentication-Failure"]?["wl_remoteDisableRealm"]?["message"]
                    == .string(DeviceBlocks.message))
            await #expect(throws: ClientDoubleError.self) { try await client.authorize("RegisteredClient") }
        }
    }

    @Test("A procedure called by GET at the context root gets the same response as by POST")
    func cacheable() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.send(
                "GET", .invoke,
                [
                    Field("adapter", "demoAdapter"), Field("procedure", "getDemoAccount"),
                    Field("parameters", PushConversation.parameters),
                ])
            #expect(reply["echo"] == (try JSONValue(parsing: PushConversation.parameters)))
            #expect(reply.answer.text.hasPrefix("/*-secure-\n"))
        }
    }
}
