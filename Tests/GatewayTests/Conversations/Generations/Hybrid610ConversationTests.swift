import PushModel
import Testing

@Suite("A hybrid client of 6.1", .timeLimit(.minutes(5)))
struct Hybrid610ConversationTests {
    @Test("It does the whole conversation", arguments: ["android", "iphone"])
    func whole(environment: String) async throws {
        try await RunningServer.converse(.form) { server in
            let client = ClientDouble(HybridDialect(release: .v610, environment: environment), at: server)
            let isApple = environment == "iphone"
            let token = isApple ? String(repeating: "0a1b2c3d", count: 8) : "stub-device-token-1"
            let conversation = PushConversation(client: client, server: server, token: token)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.push()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("What it sends to itself on coming to the foreground is answered by name")
    func composite() async throws {
        try await RunningServer.converse(.nobody) { server in
            let client = ClientDouble(HybridDialect(release: .v610, environment: "android"), at: server)
            try await client.connect()
            let reply = try await client.act(
                "composite", Field("requests", #"{"appversionaccess":{},"updates":{"skin":"default"}}"#))
            #expect(reply.status == 200)
            #expect(reply["appversionaccess"] == [:] && reply["updates"] == [:])
        }
    }
}
