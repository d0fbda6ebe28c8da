import Core
import TestSupport
import Testing

@Suite("A hybrid client of 7.1 on iOS", .defaultTimeLimit)
struct HybridIOS710ConversationTests {
    private static let iPhone = HybridDialect(release: .v710, environment: "iphone")
    private static let token = String(repeating: "0a1b2c3d", count: 8)

    private static func conversation(_ server: RunningServer) -> PushConversation {
        // The members that 7.1 mixes into the options are left out.
        PushConversation(
            client: ClientDouble(iPhone, at: server), server: server, token: token,
            options: #"{"alert":true,"badge":false,"sound":true,"requestHeaders":{},"timeout":3,"customParam":"x"}"#,
            seenOptions: ["alert": true, "badge": false, "sound": true, "customParam": "x"])
    }

    @Test(
        "connects, logs in by the adapter, is notified, and logs out by the authorization endpoint")
    func whole() async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
            let conversation = Self.conversation(server)
            let client = conversation.client
            try await conversation.connectByAdapter()
            let invoke = try #require(await client.exchanges.first { $0.kind == .invoke })
            #expect(invoke.headers.contains { $0.name == "WL-Instance-Id" })
            try await conversation.callProcedures()
            try await conversation.push()

            #expect(try await client.query("demoAdapter", "secret").isSuccess)
            let out = try await client.send(
                "GET", .authorization("authorization"),
                [Field("client_id", "stubclientid0001"), Field("scope", "-AdapterRealm")])
            #expect(out.status == 200)
            #expect(out.answer.text == "{}")
            try await conversation.checkLoggedOut("AdapterRealm", procedure: "secret")
        }
    }

    @Test("logs in by the form, too")
    func form() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let conversation = Self.conversation(server)
            try await conversation.connectByForm()
            try await conversation.push()
        }
    }

    @Test("A token with the brackets and blanks of iOS is taken as the same token")
    func token() async throws {
        try await RunningServer.converse(.form, as: Self.iPhone) { (_, client) async throws in
            try await client.connect(.right)
            let words = (0..<8).map { _ in "0A1B2C3D" }.joined(separator: " ")
            #expect(try await client.updateToken("<\(words)>").isSuccess)
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["token"] == .string(Self.token))
        }
    }

    @Test("Identities name the device to clients of 7.1 that send their version")
    func deviceID() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let reply = try await ClientDouble(NativeDialect(release: .v710), at: server).connect(.right)
            #expect(
                reply["userInfo"]?["wl_deviceNoProvisioningRealm"]?["deviceId"]
                    == "2c74e844-882e-4e73-9bfe-2c19517f7356")
            #expect(reply["userInfo"]?["wl_authenticityRealm"]?["deviceId"] == .null)
        }
    }

    @Test("The login function's other results reach the client; the identity's attributes are in userInfo")
    func attributes() async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
            let reply = try await ClientDouble(Self.iPhone, at: server).connect(.right)
            #expect(reply["userInfo"]?["AdapterRealm"]?["attributes"] == ["city": "Köln"])
            #expect(reply["userInfo"]?["myserver"]?["userId"] == "bjones")
        }
    }
}
