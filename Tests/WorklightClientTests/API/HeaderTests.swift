import TestSupport
import Testing
import WorklightClient

@Suite("2.2.11, 2.2.13, 2.2.14: activities and headers", .defaultTimeLimit)
struct HeaderTests {
    @Test("2.2.11 logActivity reports the user's activity to the server")
    func activity() async throws {
        try await TestServer.connected { (server, client) async throws in
            client.client.logActivity("bought a lamp")
            try await server.log.lines.wait { $0.contains { $0.message == "activity 'bought a lamp'" } }
        }
    }

    @Test("2.2.13 A global header is on every request from then on; 2.2.14 and no longer when it is removed")
    func headers() async throws {
        let server = try LoopbackServer {
            $0.number == 0
                ? .challenge(#"{"wl_antiXSRFRealm":{"WL-Instance-Id":"abc"}}"#) : .json(#"{"isSuccessful":true}"#)
        }
        let client = try server.client()
        client.client.addGlobalHeader("X-Tenant", headerValue: "first")
        client.client.addGlobalHeader("x-tenant", headerValue: "lamps")
        try await client.connect()
        _ = try await client.invoke("p").response()
        client.client.removeGlobalHeader("X-TENANT")
        _ = try await client.invoke("p").response()
        #expect(server.requests.value.map { $0.header("x-tenant") } == ["lamps", "lamps", "lamps", nil])
    }

    @Test("A header that cannot be sent fails the request")
    func broken() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let client = try server.client()
        client.client.addGlobalHeader("X-Bad", headerValue: "a\r\nX-Injected: b")
        let failure = try await client.failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnexpectedError)
        #expect(server.requests.value.isEmpty)
    }
}
