import Core
import HTTPServer
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks by registering clients of the OAuth layer", .defaultTimeLimit)
struct RegistrationAttackTests {
    @Test(
        "A client replaces its own registration; a request without its device's key replaces nothing"
    )
    func again() async throws {
        try await RunningServer.attacked { (server) async throws in
            let client = TokenClient(server)
            let first = try await client.clientID()
            let other = TokenClient(server, key: TokenClient.otherKey)
            let otherID = try await other.clientID(try other.sign(TokenClient.description()))
            let second = try await client.clientID()
            #expect(try await client.authorize(first) == nil)
            #expect(try await client.authorize(second) != nil)
            #expect(try await other.authorize(otherID) != nil)
        }
    }

    @Test("A client that registers endlessly is refused for a while, by its address")
    func rate() async throws {
        let time = ManualTime()
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(time: time, change: { $0.trustedProxies = proxies }) { (server) async throws in
            let client = TokenClient(server)
            client.wire.headers = [("X-Forwarded-For", "2001:db8::1")]
            // A malformed request counts too, since it costs work.
            for _ in 0..<300 { #expect(try await client.register("x").status == 400) }
            let refused = try await client.register()
            #expect(refused.status == 429 && refused["certificate"] == nil)
            #expect(refused.headers["Retry-After"] == ["2"])
            client.wire.headers = [("X-Forwarded-For", "2001:db8::2")]
            #expect(try await client.register().status == 429)
            client.wire.headers = [("X-Forwarded-For", "2001:db8:0:1::1")]
            #expect(try await client.register().status == 200)
            time.advance(by: .seconds(2))
            client.wire.headers = [("X-Forwarded-For", "2001:db8::1")]
            #expect(try await client.register().status == 200)
            #expect(try await client.register().status == 429)
        }
    }

    @Test("The number of clients stays at its limit; the one unused for longest is removed")
    func ceiling() async throws {
        let time = ManualTime()
        try await RunningServer.attacked(time: time, change: { $0.mostOAuthClients = 3 }) { (server) async throws in
            let client = TokenClient(server)
            var ids: [String] = []
            for number in 0..<3 {
                ids.append(
                    try await client.clientID(try client.sign(TokenClient.description(device: "phone-\(number)"))))
                time.advance(by: .seconds(100_000))
            }
            #expect(try await client.authorize(ids[0]) != nil)
            ids.append(try await client.clientID(try client.sign(TokenClient.description(device: "phone-3"))))
            #expect(try await client.authorize(ids[1]) == nil)
            for id in [ids[0], ids[2], ids[3]] { #expect(try await client.authorize(id) != nil) }
        }
    }
}
