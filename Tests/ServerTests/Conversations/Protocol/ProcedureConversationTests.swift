import Core
import TestSupport
import Testing

@testable import Installation

@Suite("Procedures in conversations", .defaultTimeLimit)
struct ProcedureConversationTests {
    private static let dialects: [any Dialect] = [
        HybridDialect(release: .v506, environment: "android"), NativeDialect(release: .v506),
        HybridDialect(release: .v710, environment: "iphone"), NativeDialect(release: .v710),
    ]

    @Test("Strings that look like the wrapping come back whole", arguments: 0..<4)
    func wrapping(index: Int) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.dialects[index], at: server)
            try await client.connect()
            let texts: JSONValue = [
                "a */ b", "/*-secure-", "}*/", "{", "line\nline\u{2028}\u{1F4A1}", "\\u0041 \"quoted\"", "",
            ]
            let reply = try await client.query("demoAdapter", "getDemoAccount", texts.text)
            #expect(reply["echo"] == texts)
        }
    }

    @Test("Numbers keep what JavaScript keeps of them")
    func numbers() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server)
            try await client.connect()
            let numbers = "[0,-1,0.1,1e21,9007199254740991,-1.5e-7,123456789.125]"
            let reply = try await client.query("demoAdapter", "getDemoAccount", numbers)
            #expect(reply["echo"]?.text == numbers.replacing("1e21", with: "1e+21"))
        }
    }

    @Test("No parameters, empty ones and an empty list are no arguments", arguments: [nil, "", "[]"])
    func noParameters(parameters: String?) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server)
            try await client.connect()
            let names = [Field("adapter", "demoAdapter"), Field("procedure", "getDemoAccount")]
            let reply = try await client.send(
                "POST", .action("query"), names + (parameters.map { [Field("parameters", $0)] } ?? []))
            #expect(reply["echo"] == [] && reply.isSuccess)
        }
    }

    @Test(
        "A call that is impossible is a failure of status 200 with errors",
        arguments: [("demoAdapter", "nowhere"), ("Nowhere", "run"), ("AuthAdapter", "onAuthRequired"), ("", "")])
    func failures(adapter: String, procedure: String) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.dialects[1], at: server)
            try await client.connect()
            let reply = try await client.query(adapter, procedure)
            #expect(reply.status == 200)
            #expect(reply["isSuccessful"] == false)
            #expect(reply["errors"]?.array?.first?.string?.hasPrefix("Runtime: ") == true)
            #expect(reply["warnings"] == [] && reply["info"] == [])
        }
    }

    @Test("A client at the context root of the server, without a path before it, is served and gets its cookies there")
    func topContext() async throws {
        try await RunningServer.converse(.form, change: { $0.contextRoot = "/" }) { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server, root: "")
            let reply = try await client.connect(.right)
            #expect(reply["userInfo"]?["PushAppRealm"]?["userId"] == "bjones")
            let cookies = try #require(await client.exchanges.first?.answer["Set-Cookie"])
            #expect(cookies.allSatisfy { $0.contains("; Path=/; HttpOnly") })
        }
    }

    @Test("A long procedure delays no other client")
    func slow() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let (one, other) = (ClientDouble(Self.dialects[0], at: server), ClientDouble(Self.dialects[1], at: server))
            try await one.connect()
            try await other.connect()
            async let slow = one.query("demoAdapter", "slow")
            #expect(try await other.query("demoAdapter", "count")["calls"] == 1)
            #expect(try await slow["done"] == true)
        }
    }
}
