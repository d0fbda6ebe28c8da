import Authentication
import Core
import TestSupport
import Testing

@testable import Installation

@Suite("A client that keeps no cookies", .defaultTimeLimit)
struct CookielessConversationTests {
    @Test(
        "is refused after ten repetitions, and starts no more sessions",
        arguments: [
            HybridDialect(release: .v506, environment: "android"),
            HybridDialect(release: .v600, environment: "mobilewebapp"),
            HybridDialect(release: .v610, environment: "iphone"), HybridDialect(release: .v710, environment: "android"),
        ])
    func hybrid(dialect: HybridDialect) async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, as: dialect, time: time) { (server, client) async throws in
            await client.dropCookies()
            let reply = try await client.connect()
            #expect(reply.status == 403)
            #expect(reply["errorCode"] == "DISABLED_COOKIES")
            #expect(reply["errorMsg"]?.string?.contains("JSESSIONID") == true)
            // With this member it would search for a realm's handler, and call nobody.
            #expect(reply["WL-Authentication-Failure"] == nil)
            #expect(reply.answer["Set-Cookie"].isEmpty)
            #expect(await client.exchanges.map(\.answer.status) == Array(repeating: 401, count: 11) + [403])
            #expect(server.installation.security.sessions.count == 11)
            // The refusal is temporary: its user may have allowed cookies since.
            #expect(try await client.connect().status == 403)
            time.advance(by: .seconds(60))
            await client.keepCookies()
            #expect(try await client.connect().status == 200)
        }
    }

    @Test("An app that is repeatedly killed right after its first 401 connects at its next start")
    func killed() async throws {
        try await RunningServer.converse(.nobody, time: ManualTime()) { (server) async throws in
            var instanceID: String?
            for _ in 0..<5 {
                let app = ClientDouble(NativeDialect(release: .v710), at: server, instanceID: instanceID)
                #expect(try await app.once("POST", .action("init")).status == 401)
                instanceID = await app.exchanges.last?.answer.text.firstMatch(of: /"WL-Instance-Id":"([^"]+)"/)
                    .map { String($0.1) }
            }
            let app = ClientDouble(NativeDialect(release: .v710), at: server, instanceID: instanceID)
            #expect(try await app.connect().status == 200)
        }
    }

    @Test(
        "A native client is refused with a code that it knows", arguments: [NativeDialect.Release.v506, .v620, .v710])
    func native(release: NativeDialect.Release) async throws {
        try await RunningServer.converse(.nobody, time: ManualTime()) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: release), at: server)
            await client.dropCookies()
            let reply = try await client.connect()
            #expect(reply.status == 403 && reply["errorCode"] == "UNEXPECTED_ERROR")
            #expect(server.installation.security.sessions.count == 11)
        }
    }

    @Test("An instance id that is kept from an earlier session, or of one that has shown its cookie, is challenged")
    func staleInstanceID() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let phone = NativeDialect(release: .v710)
            let first = ClientDouble(phone, at: server)
            try await first.connect()
            for instanceID in [await first.instanceID, "74db073034ccb91dec68a6b788"] {
                let next = ClientDouble(phone, at: server, instanceID: instanceID)
                #expect(try await next.connect().status == 200)
                #expect(await next.exchanges.first?.answer.status == 401)
            }
        }
    }

    @Test("A session of another client does not pass for the client's own")
    func otherSession() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let phone = HybridDialect(release: .v610, environment: "android")
            let challenge = try await server.rawAnswer("POST", "/wl/apps/services/api/MyApp/android/init")
            let told = try #require(challenge.text.firstMatch(of: /"WL-Instance-Id":"([^"]+)"/)).1
            let stranger = ClientDouble(phone, at: server, instanceID: String(told))
            #expect(try await stranger.once("POST", .action("init")).status == 401)
            #expect(await stranger.exchanges.last?.answer.text.contains(told) == false)
            // The client that received the cookie goes on.
            let cookie = try #require(challenge["Set-Cookie"].first?.prefix { $0 != ";" })
            let answer = try await server.rawAnswer(
                "POST", "/wl/apps/services/api/MyApp/android/heartbeat",
                ["Cookie: \(cookie)", "WL-Instance-Id: \(told)"])
            #expect(answer.status == 401 && !answer.text.contains("wl_antiXSRFRealm"))
        }
    }
}
