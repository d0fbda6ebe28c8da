import Core
import TestSupport
import Testing

@testable import Installation

@Suite("The original's PushBackendEmulator", .defaultTimeLimit)
struct PushBackEndEmulatorConversationTests {
    /// Sends the request line as the program does, brackets, quotes and all, and takes the result out of the page as it
    /// does: from the first brace after `<textarea` to its end.
    private static func submit(
        _ parameters: [UInt8], procedure: String = "submitNotification", at server: RunningServer
    ) async throws -> (answer: RawAnswer, result: String?) {
        let start = "GET /wl/dev/invoke?adapter=PushAdapter&procedure=\(procedure)&parameters="
        let rest = [" HTTP/1.1", "User-Agent: Java/1.6.0", "Host: localhost:\(server.port)"].joined(separator: "\r\n")
        let answer = try await RawAnswer(
            to: Array(start.utf8) + parameters + Array((rest + "\r\n\r\n").utf8), port: server.port)
        guard let area = answer.text.firstRange(of: "<textarea"),
            let end = answer.text[area.upperBound...].firstRange(of: "</textarea>"),
            let brace = answer.text[area.upperBound..<end.lowerBound].firstIndex(of: "{")
        else { return (answer, nil) }
        return (answer, String(answer.text[brace..<end.lowerBound]))
    }

    @Test("notifies a user whose phone is subscribed, in any language")
    func whole() async throws {
        try await RunningServer.converse(.form, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: .v506), at: server)
            try await client.connect(.right)
            try await client.updateToken("jvm-gcm-token-0001")
            try await client.subscribe()
            let (answer, result) = try await Self.submit(
                Array("['bjones','grüß%20Gott%201/2%20☃']".utf8), at: server)
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == ["text/html; charset=UTF-8"])
            #expect(answer["Set-Cookie"] == [])
            #expect(
                result == """
                    {
                       "isSuccessful": true,
                       "result": "Notification sent to user :: bjones"
                    }
                    """)
            let delivery = try await server.delivery { $0["user"] == "bjones" }
            #expect(delivery["requests"]?.array?[0]["body"]?["message"]?["data"]?["alert"] == "grüß Gott 1/2 ☃")
        }
    }

    @Test("A user without a phone is reported in the page")
    func nobody() async throws {
        try await RunningServer.converse(.form, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let (answer, result) = try await Self.submit(Array("['JohnMissing','x']".utf8), at: server)
            #expect(answer.status == 200)
            #expect(result?.contains(#""result": "No subscription found for user :: JohnMissing""#) == true)
        }
    }

    @Test(
        "Quotes of both kinds, escapes and JSON are read",
        arguments: [
            #"['Jo\'s','x']"#, #"["Jo's","x"]"#, #"[%20'Jo\'s'%20,%20'x'%20]"#, "%5B%22Jo's%22%2C%22x%22%5D",
        ])
    func spellings(parameters: String) async throws {
        try await RunningServer.converse(.form, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let (_, result) = try await Self.submit(Array(parameters.utf8), at: server)
            #expect(result?.contains("No subscription found for user :: Jo's") == true)
        }
    }

    @Test("A failure has status 200 and is shown in the page")
    func failure() async throws {
        try await RunningServer.converse(.form, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let (answer, result) = try await Self.submit(Array("[]".utf8), procedure: "nowhere", at: server)
            #expect(answer.status == 200)
            #expect(result?.contains(#""isSuccessful": false"#) == true)
        }
    }

    @Test("Bytes of another encoding than UTF-8 do no harm")
    func otherEncoding() async throws {
        try await RunningServer.converse(.form, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let (answer, _) = try await Self.submit(Array("['J".utf8) + [0xF6] + Array("rg','x']".utf8), at: server)
            #expect(answer.status == 200 || answer.status == 400)
            let (_, result) = try await Self.submit(Array("['JohnMissing','x']".utf8), at: server)
            #expect(result != nil)
        }
    }
}
