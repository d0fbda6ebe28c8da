import Core
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("Clients of 6.2", .defaultTimeLimit)
struct Version620ConversationTests {
    private static let web = HybridDialect(release: .v620, environment: "mobilewebapp")
    private static let native = NativeDialect(release: .v620)

    @Test("A web page does the whole conversation, and sends its log in between")
    func wholeWeb() async throws {
        try await RunningServer.converse(.form, as: Self.web) { (server, client) async throws in
            await client.setCookie("testcookie", "oreo")
            let conversation = PushConversation(client: client, server: server)
            try await conversation.connectByForm()

            let profile = try await client.post(Array("{}".utf8), toService: "configprofile")
            #expect(profile.status == 204 && profile.answer.body == [])
            let log = #"""
                {"__logdata":"{\"pkg\":\"\",\"timestamp\":\"21-11-2026 04:35:14:35s\",\"level\":\"WARN\",\"msg\":\"old\",\"metadata\":{\"$src\":\"js\"}}, {\"pkg\":\"wl\",\"timestamp\":\"21-11-2026 04:35:14:35s\",\"level\":\"DEBUG\",\"msg\":\"héllo\",\"metadata\":{}}"}
                """#
            let upload = try await client.post(Array(log.utf8), toService: "loguploader")
            #expect(upload.status == 201)
            let kept = try server.installation.telemetry.clientLog.clientLog(matching: ClientLogFilter(), limit: 10)
            #expect(kept.map(\.entry.message) == ["héllo", "old"])

            try await conversation.callProcedures()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("A web page gets its log profile by GET, too")
    func profileByGet() async throws {
        try await RunningServer.converse(.nobody, as: Self.web) { (_, client) async throws in
            let profile = try await client.send("GET", .service("configprofile"))
            #expect(profile.status == 204 && profile.answer.body == [])
        }
    }

    @Test("The profile contains the log level that the operator has set")
    func profile() async throws {
        try await RunningServer.converse(.nobody, change: { $0.clientLogLevel = "WARN" }) { (server) async throws in
            let profile = try await ClientDouble(Self.web, at: server).send("GET", .service("configprofile"))
            #expect(profile.status == 200)
            #expect(profile["wllogger"] == ["capture": true, "level": "WARN", "filters": [:]])
        }
    }

    @Test("A native client does the whole conversation")
    func wholeNative() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let conversation = PushConversation(client: ClientDouble(Self.native, at: server), server: server)
            try await conversation.connectByForm()
            // After each connection it asks what to log.
            let profile = try await conversation.client.send("POST", .service("configprofile"))
            #expect(profile.status == 204 && profile.answer.body == [])
            try await conversation.callProcedures()
            try await conversation.push()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("A native client sends its login form with WL-Instance-Id, and it is taken")
    func form() async throws {
        try await RunningServer.converse(.form, as: Self.native) { (_, client) async throws in
            try await client.connect(.right)
            let form = try #require(await client.exchanges.first { $0.kind == .form })
            #expect(form.headers.contains { $0.name == "WL-Instance-Id" })
            #expect(form.body == "isAjaxRequest=true&j_username=bjones&j_password=password")
        }
    }

    @Test("A native client's compressed log gets 201, on which it deletes its own")
    func gzip() async throws {
        try await RunningServer.converse(.nobody, as: Self.native) { (server, client) async throws in
            let log = #"""
                {"__logdata":"{\"timestamp\":\"21-11-2026 05:41:18:18\",\"level\":\"ERROR\",\"pkg\":\"p\",\"msg\":\"boom\",\"threadid\":1,\"metadata\":{}},","isAjaxRequest":"true","x":"0.5"}
                """#
            let packed = try #require(Zlib.gzip(Array(log.utf8)))
            let reply = try await client.post(packed, toService: "loguploader")
            #expect(reply.status == 201)
            let kept = try server.installation.telemetry.clientLog.clientLog(matching: ClientLogFilter(), limit: 10)
            #expect(kept.map(\.entry.message) == ["boom"])
        }
    }

    @Test("A long response is compressed when the client asks for it")
    func compression() async throws {
        try await RunningServer.converse(.nobody, as: Self.native) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.act(
                "query", Field("adapter", "demoAdapter"), Field("compressResponse", "true"), Field("procedure", "big"))
            #expect(reply.answer["Content-Encoding"] == ["gzip"])
            #expect(reply["text"]?.string?.hasPrefix("lamplighter ") == true && reply.isSuccess)
            let plain = try await client.query("demoAdapter", "big")
            #expect(plain.answer["Content-Encoding"] == [] && plain.isSuccess)
        }
    }
}
