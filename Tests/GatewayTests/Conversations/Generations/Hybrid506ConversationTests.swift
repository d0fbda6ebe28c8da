import PushModel
import Testing

@testable import Gateway

@Suite("A hybrid client of 5.0.6 on Android", .timeLimit(.minutes(5)))
struct Hybrid506ConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")

    @Test("It connects, logs in by the form, calls procedures, is notified, and logs out")
    func whole() async throws {
        try await RunningServer.converse(.form) { server in
            let conversation = PushConversation(client: ClientDouble(Self.android, at: server), server: server)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.push()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("It connects when its checksum has been set, and shows the update dialog for another")
    func checksum() async throws {
        try await RunningServer.converse(.nobody) { server in
            var phone = Self.android
            phone.checksum = 4242
            await #expect(throws: ClientTrouble.self) { try await ClientDouble(phone, at: server).connect() }
            try server.setRule(environment: "android", access: .active, checksum: 4242)
            try await ClientDouble(phone, at: server).connect()
            phone.checksum = 4243
            await #expect(throws: ClientTrouble.self) { try await ClientDouble(phone, at: server).connect() }
        }
    }

    @Test("Its login form carries no WL-Instance-Id and no random number, and is taken")
    func form() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            let form = try #require(await client.exchanges.first { $0.kind == .form })
            #expect(form.body == "j_username=bjones&j_password=password")
            #expect(!form.headers.contains { $0.name == "WL-Instance-Id" })
            #expect(form.answer.status == 200)
        }
    }

    @Test("An adapter logs it in too, through /invoke")
    func adapter() async throws {
        try await RunningServer.converse(.adapter) { server in
            let conversation = PushConversation(client: ClientDouble(Self.android, at: server), server: server)
            try await conversation.connectByAdapter()
            try await conversation.push()
            try await conversation.logOut("AdapterRealm", procedure: "secret")
        }
    }

    @Test("A procedure with a test of its own asks for the login then, and is called after it")
    func later() async throws {
        try await RunningServer.converse(.nobody) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            let reply = try await client.query("demoAdapter", "formSecret", "[]", .wrong, .right)
            #expect(reply["secret"] == 43 && reply["user"] == "bjones")
        }
    }

    @Test("logout without a realm logs out of the application's own")
    func logoutWithoutRealm() async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            #expect(try await client.logOut(nil).isSuccess)
            #expect(try await client.act("getuserinfo")["PushAppRealm"]?["userId"] == .null)
        }
    }
}
