import Core
import NIOHTTP1
import TestSupport
import Testing

@Suite("Attacks on subscriptions")
struct SubscriptionAttackTests {
    private static let open = [("adapter", "A"), ("eventSource", "Open")]
    private static let guarded = [("adapter", "A"), ("eventSource", "Guarded")]

    /// A phone that has sent its token.
    private func phone(_ server: RunningServer, _ device: String, token: String) async throws -> WireClient {
        let client = WireClient(server, device: device)
        #expect(try await client.act("init").status == 200)
        #expect(try await client.act("notifications", [("updateToken", token)]).status == 200)
        return client
    }

    private func logInAnn(_ client: WireClient) async throws {
        try await client.act("notifications", [("subscribe", "{}")] + Self.guarded)
        #expect(try await client.logIn("ann", "right-ann-secret").text == "/*-secure-\n{}*/")
    }

    @Test(
        "a client cannot end another device's subscription by naming its user, device or token",
        arguments: WireProtocol.any)
    func foreignUnsubscribe(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await phone(server, "phone-1", token: "token-1")
            #expect(try await victim.act("notifications", [("subscribe", "{}")] + Self.open).status == 200)
            let thief = try await phone(server, "phone-2", token: "token-2")
            let names = [
                ("userId", victim.cookies["WL_PERSISTENT_COOKIE"] ?? ""), ("deviceId", "phone-1"), ("token", "token-1"),
            ]
            _ = try await thief.act("notifications", [("unsubscribe", "")] + Self.open + names)
            let left = try await server.manage(.GET, "subscriptions").body
            #expect(left.contains(#""device":"phone-1""#))
        }
    }

    @Test(
        "another user on the same device cannot end a user's subscription",
        arguments: WireProtocol.any)
    func otherUser(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await phone(server, "phone-1", token: "token-1")
            try await logInAnn(victim)
            #expect(try await victim.act("notifications", [("subscribe", "{}")] + Self.guarded).status == 200)
            let thief = try await phone(server, "phone-1", token: "token-1")
            try await thief.act("notifications", [("subscribe", "{}")] + Self.guarded)
            try await thief.logIn("bob", "right-bob-secret")
            _ = try await thief.act("notifications", [("unsubscribe", "")] + Self.guarded)
            #expect(try await server.manage(.GET, "subscriptions?user=ann").body.contains("phone-1"))
        }
    }

    @Test("requires a login to subscribe as a user", arguments: WireProtocol.any)
    func namedUser(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = try await phone(server, "phone-1", token: "token-1")
            let fields = [("subscribe", #"{"userId":"ann"}"#), ("userId", "ann"), ("j_username", "ann")] + Self.guarded
            let answer = try await client.act("notifications", fields)
            #expect(answer.text.contains("j_security_check"))
            #expect(try await server.items("subscriptions").isEmpty)
        }
    }

    @Test("a client cannot change another device's token or tags by naming the device", arguments: WireProtocol.any)
    func foreignToken(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await phone(server, "phone-1", token: "token-1")
            #expect(try await victim.act("notifications", [("subscribe", "{}")] + Self.open).status == 200)
            #expect(try await victim.act("notifications", [("subscribe", ""), ("tag", "news")]).status == 200)
            let thief = try await phone(server, "phone-2", token: "token-2")
            try await thief.act("notifications", [("updateToken", "token-3"), ("deviceId", "phone-1")])
            try await thief.act("notifications", [("unsubscribe", ""), ("tag", "news"), ("deviceId", "phone-1")])
            let state = try await victim.act("init")["notificationSubscriptionState"]
            #expect(state?["token"] == "token-1")
            #expect(state?["tags"]?.array?.contains("news") == true)
            #expect(state?["eventSources"]?.array?.count == 1)
        }
    }

    @Test("a client cannot become another device in the middle of a session", arguments: WireProtocol.any)
    func otherDevice(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            _ = try await phone(server, "phone-1", token: "token-1")
            let first = WireClient(server, device: "phone-2")
            let challenge = try await first.sendOnce(.POST, first.root + "init")
            let challenges = challenge["challenges"]
            first.instanceID = challenges?["wl_antiXSRFRealm"]?["WL-Instance-Id"]?.string
            let token = challenges?["wl_deviceNoProvisioningRealm"]?["token"]?.string ?? ""
            for (device, status) in [("phone-2", 200), ("phone-1", 403), ("phone-2", 200)] {
                let answer = try await first.sendOnce(
                    .POST, first.root + "init",
                    headers: [("Authorization", first.deviceAnswer(token: token, device: device))])
                #expect(answer.status == status)
            }
        }
    }

    @Test("refuses to identify a device with another session's token", arguments: WireProtocol.any)
    func foreignDeviceToken(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let (victim, thief) = (WireClient(server, device: "phone-1"), WireClient(server, device: "phone-2"))
            let token = try await victim.sendOnce(.POST, victim.root + "init")["challenges"]?[
                "wl_deviceNoProvisioningRealm"]?["token"]?.string
            _ = try await thief.sendOnce(.POST, thief.root + "init")
            // The client is asked again, but not any number of times.
            for status in Array(repeating: 401, count: 10) + [403, 403] {
                let answer = try await thief.sendOnce(
                    .POST, thief.root + "init", headers: [("Authorization", thief.deviceAnswer(token: token ?? ""))])
                #expect(answer.status == status)
                #expect(answer["userInfo"] == nil)
            }
        }
    }

    @Test("A browser, which has no device, changes no subscriptions", arguments: WireProtocol.any)
    func browser(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            let answer = try await client.act("notifications", [("updateToken", "token-1"), ("deviceId", "phone-1")])
            #expect(answer.status == 400)
        }
    }
}
