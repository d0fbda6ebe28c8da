import Core
import Foundation
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

private let openSource = [("adapter", "A"), ("eventSource", "Open")]
private let guardedSource = [("adapter", "A"), ("eventSource", "Guarded")]

extension WireClient {
    fileprivate func logInByForm(_ user: String, _ password: String) async throws {
        #expect(try await act("login", [("realm", "Forms")]).text.contains("j_security_check"))
        #expect(try await logIn(user, password).text == "/*-secure-\n{}*/")
    }

    fileprivate func subscribeToBoth() async throws {
        for source in [openSource, guardedSource] {
            #expect(try await act("notifications", [("subscribe", "{}")] + source).status == 200)
        }
    }
}

/// A device's id is not a secret: apps send it with every log, adapters see it, and some systems assign the same to many phones.
@Suite("Attacks by naming somebody else's device", .defaultTimeLimit)
struct DeviceAttackTests {
    /// Ann's phone: she is logged in and has subscribed to both event sources and to a tag, and has a preference.
    private func victim(_ server: RunningServer) async throws -> WireClient {
        let client = WireClient(server, device: "phone-1")
        try await logIn(client, "ann", "right-ann-secret")
        #expect(try await client.act("notifications", [("updateToken", "token-1")]).status == 200)
        try await client.subscribeToBoth()
        #expect(try await client.act("notifications", [("subscribe", "{}"), ("tag", "news")]).status == 200)
        #expect(try await client.act("setup", [("userprefs", #"{"colour":"red"}"#)]).status == 200)
        return client
    }

    private func logIn(_ client: WireClient, _ user: String, _ password: String) async throws {
        #expect(try await client.act("init").status == 200)
        try await client.logInByForm(user, password)
    }

    /// Makes a client of somebody else's that responds to the challenge with the victim's device id.
    private func thief(_ server: RunningServer) async throws -> WireClient {
        let client = WireClient(server, device: "phone-1")
        #expect(try await client.act("init").status == 200)
        return client
    }

    private func subscriptions(
        _ server: RunningServer, device: String = "phone-1"
    ) throws -> [DeviceSubscription] {
        try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter(deviceID: device))
    }

    private func expectUnharmed(_ server: RunningServer, _ victim: WireClient) async throws {
        let store = server.installation.store
        let kept = try subscriptions(server)
        #expect(kept.map(\.eventSource.name) == ["Guarded", "Open"])
        #expect(kept.allSatisfy { $0.userID == "ann" && $0.token.value == "token-1" })
        let registration = try store.registration(applicationID: "App", deviceID: "phone-1")
        #expect(registration?.token.value == "token-1" && registration?.userID == "ann")
        let state = try await victim.act("init")
        #expect(state["notificationSubscriptionState"]?["token"] == "token-1")
        #expect(state["notificationSubscriptionState"]?["eventSources"]?.array?.count == 2)
        #expect(state["notificationSubscriptionState"]?["tags"] == ["Push.ALL", "news"])
        #expect(state["userPrefs"] == ["colour": "red"])
    }

    @Test(
        "Sending a token for it makes another device, whether a user is logged in or not",
        arguments: WireProtocol.any)
    func token(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await victim(server)
            for (user, token) in [(nil, "stolen-1"), ("bob", "stolen-2")] {
                let thief = try await thief(server)
                if let user { try await logIn(thief, user, "right-bob-secret") }
                #expect(try await thief.act("notifications", [("updateToken", token)]).status == 200)
                // The rights that the thief's own device grants do not help either.
                #expect(try await thief.act("notifications", [("updateToken", token + "b")]).status == 200)
                try await expectUnharmed(server, victim)
            }
            let registered = try server.installation.store.devices(matching: DeviceFilter(), after: nil, limit: 9).items
            #expect(registered.map(\.token.value).sorted() == ["stolen-1b", "stolen-2b", "token-1"])
        }
    }

    @Test("The device's subscriptions, token and tags are not shown", arguments: WireProtocol.any)
    func state(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            _ = try await victim(server)
            let answer = try await thief(server).act("init")
            let state = try #require(answer["notificationSubscriptionState"])
            #expect(state["token"] == nil)
            #expect(state["eventSources"] == [] && state["tags"] == [])
            #expect(answer["userPrefs"] == [:])
        }
    }

    @Test("Subscribing as another user does not end the owner's subscription", arguments: WireProtocol.any)
    func subscribe(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await victim(server)
            let thief = try await thief(server)
            try await logIn(thief, "bob", "right-bob-secret")
            #expect(try await thief.act("notifications", [("subscribe", "{}")] + guardedSource).status == 400)
            try await thief.act("notifications", [("updateToken", "token-2")])
            try await thief.subscribeToBoth()
            try await expectUnharmed(server, victim)
            let bobs = try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "bob"))
            #expect(bobs.count == 2 && bobs.allSatisfy { $0.token.value == "token-2" && $0.deviceID != "phone-1" })
        }
    }

    @Test("The device's tags and subscriptions are neither added to nor ended", arguments: WireProtocol.any)
    func tags(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await victim(server)
            let thief = try await thief(server)
            let changes = [
                [("unsubscribe", ""), ("tag", "news")], [("unsubscribe", ""), ("tag", "Push.ALL")],
                [("subscribe", ""), ("tag", "news")], [("unsubscribe", "")] + openSource,
            ]
            for change in changes { try await thief.act("notifications", change) }
            try await expectUnharmed(server, victim)
            try await thief.act("notifications", [("updateToken", "token-2")])
            for change in changes { try await thief.act("notifications", change) }
            try await expectUnharmed(server, victim)
        }
    }

    /// Logs in to a realm that no security test uses and whose login module believes any name.
    private func believe(_ client: WireClient, _ user: String) async throws {
        let credentials = Data("\(user):anything".utf8).base64EncodedString()
        let answer = try await client.sendOnce(
            .POST, client.root + "login", [("realm", "Unused")], headers: [("Authorization", "Basic \(credentials)")])
        #expect(answer["Unused"]?["userId"]?.string == user)
    }

    @Test(
        "A user of the same name in an unchecked realm gets no data of the user",
        arguments: WireProtocol.any)
    func believedUser(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = try await victim(server)
            let thief = try await thief(server)
            try await believe(thief, "ann")
            let answer = try await thief.act("init")
            let state = try #require(answer["notificationSubscriptionState"])
            #expect(state["token"] == nil && state["eventSources"] == [] && state["tags"] == [])
            #expect(answer["userPrefs"] == [:])
            try await thief.act("setup", [("userprefs", #"{"colour":"blue"}"#)])
            #expect(try await thief.act("notifications", [("updateToken", "token-2")]).status == 200)
            #expect(try await thief.act("notifications", [("subscribe", "{}")] + openSource).status == 200)
            try await thief.act("notifications", [("unsubscribe", "")] + openSource)
            try await expectUnharmed(server, victim)
        }
    }

    @Test("A believed user is not subscribed under the name of one who was checked")
    func believedSubscriber() async throws {
        try await RunningServer.attacked { (server) async throws in
            let thief = WireClient(server, device: "phone-2")
            try await thief.act("init")
            try await believe(thief, "ann")
            try await thief.act("notifications", [("updateToken", "token-2")])
            #expect(try await thief.act("notifications", [("subscribe", "{}")] + openSource).status == 200)
            #expect(
                try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).isEmpty)
        }
    }

    @Test(
        "A cookie that was planted with the client grants nothing after the client's login",
        arguments: WireProtocol.any)
    func plantedCookie(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let planter = try await thief(server)
            let planted = try #require(planter.cookies["WL_PERSISTENT_COOKIE"])
            let victim = WireClient(server, device: "phone-1")
            victim.cookies = planter.cookies
            #expect(try await victim.act("init").status == 200)
            try await victim.act("notifications", [("updateToken", "token-1")])
            try await logIn(victim, "ann", "right-ann-secret")
            try await victim.subscribeToBoth()
            try await victim.act("notifications", [("subscribe", "{}"), ("tag", "news")])
            try await victim.act("setup", [("userprefs", #"{"colour":"red"}"#)])
            #expect(victim.cookies["WL_PERSISTENT_COOKIE"] != planted)
            let thief = WireClient(server, device: "phone-1")
            thief.cookies["WL_PERSISTENT_COOKIE"] = planted
            let state = try await thief.act("init")["notificationSubscriptionState"]
            #expect(state?["token"] == nil && state?["eventSources"] == [] && state?["tags"] == [])
            thief.cookies["WL_PERSISTENT_COOKIE"] = planted
            #expect(try await thief.act("notifications", [("updateToken", "token-2")]).status == 200)
            try await expectUnharmed(server, victim)
        }
    }

    @Test("A thief who sends a token with a planted cookie before the login gets none of the user's messages")
    func plantedToken() async throws {
        try await RunningServer.attacked { (server) async throws in
            let planter = try await thief(server)
            let victim = WireClient(server, device: "phone-1")
            victim.cookies["WL_PERSISTENT_COOKIE"] = planter.cookies["WL_PERSISTENT_COOKIE"]
            #expect(try await victim.act("init").status == 200)
            try await victim.act("notifications", [("updateToken", "token-1")])
            // Just before the login; the client has no reason to send its own again.
            try await planter.act("notifications", [("updateToken", "token-2")])
            try await victim.logInByForm("ann", "right-ann-secret")
            #expect(try await victim.act("notifications", [("subscribe", "{}")] + openSource).status == 400)
            #expect(
                try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).isEmpty)
        }
    }

    @Test("Preferences without a user belong to the client, not to another that names the device")
    func preferences() async throws {
        try await RunningServer.attacked { (server) async throws in
            let owner = try await thief(server)
            try await owner.act("setup", [("userprefs", #"{"pin":"1234"}"#)])
            let thief = try await thief(server)
            #expect(try await thief.act("init")["userPrefs"] == [:])
            try await thief.act("setup", [("userprefs", #"{"pin":"0000"}"#)])
            try await thief.act("deleteup", [("userprefkey", "pin")])
            #expect(try await owner.act("init")["userPrefs"] == ["pin": "1234"])
        }
    }

    /// OpenID providers use such ids for users.
    private static let userID = "5b0c2f0e-6f0c-4c55-9c0a-0d3f3a4f1c11"

    @Test("Naming a user's id as the client's own does not log in as that user", arguments: WireProtocol.any)
    func userAsClient(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let store = server.installation.store
            let victim = WireClient(server, device: "phone-1")
            try await victim.act("init")
            let login = try await victim.call("submit", #"["\#(Self.userID)","adapter-secret"]"#)
            #expect(login["authRequired"] == false)
            try await victim.act("notifications", [("updateToken", "token-1")])
            #expect(try await victim.act("notifications", [("subscribe", "{}")] + openSource).status == 200)
            let before = try store.deviceSubscriptions(matching: SubscriptionFilter(userID: Self.userID))
            #expect(before.count == 1)
            for device in ["phone-1", "phone-2"] {
                let thief = WireClient(server, device: device)
                thief.cookies["WL_PERSISTENT_COOKIE"] = Self.userID
                let state = try await thief.act("init")["notificationSubscriptionState"]
                #expect(state?["userId"]?.string != Self.userID && state?["eventSources"] == [])
                thief.cookies["WL_PERSISTENT_COOKIE"] = Self.userID
                try await thief.act("notifications", [("updateToken", "token-2")])
                #expect(try await thief.act("notifications", [("subscribe", "{}")] + openSource).status == 200)
                try await thief.act("notifications", [("unsubscribe", "")] + openSource)
                #expect(try store.deviceSubscriptions(matching: SubscriptionFilter(userID: Self.userID)) == before)
            }
        }
    }

    @Test("Small requests do not change the device")
    func smallRequests() async throws {
        try await RunningServer.attacked { (server) async throws in
            let victim = try await victim(server)
            let thief = try await thief(server)
            for action in ["heartbeat", "authenticate", "deviceauth", "login", "logout", "composite"] {
                try await thief.act(
                    action, [("token", "token-2"), ("updateToken", "token-2"), ("deviceId", "phone-1")])
            }
            try await expectUnharmed(server, victim)
        }
    }

    @Test("Naming the id that the server made for another device grants nothing either")
    func madeID() async throws {
        try await RunningServer.attacked { (server) async throws in
            _ = try await victim(server)
            let other = try await thief(server)
            try await other.act("notifications", [("updateToken", "token-2")])
            let store = server.installation.store
            let made = try #require(
                try store.devices(matching: DeviceFilter(), after: nil, limit: 9).items.map(\.deviceID)
                    .first { $0 != "phone-1" })
            let thief = WireClient(server, device: made)
            try await thief.act("init")
            try await thief.act("notifications", [("updateToken", "token-3")])
            #expect(try store.registration(applicationID: "App", deviceID: made)?.token.value == "token-2")
        }
    }

    @Test("A page's device is not taken over by a phone that names it")
    func page() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            #expect(try await page.subscribe().status == 200)
            let before = try subscriptions(server, device: page.device)
            let thief = WireClient(server, device: page.device)
            try await thief.act("init")
            try await thief.act("notifications", [("updateToken", "token-2")])
            #expect(try await thief.act("notifications", [("subscribe", "{}")] + openSource).status == 200)
            #expect(try subscriptions(server, device: page.device) == before)
        }
    }
}

@Suite("Honest clients and their devices", .defaultTimeLimit)
struct OwnDeviceTests {
    /// The app after a restart: without its session, and with the cookie that lasts, unless it was reinstalled.
    private func started(_ server: RunningServer, like former: WireClient? = nil) async throws -> WireClient {
        let client = WireClient(server, device: "phone-1")
        client.cookies["WL_PERSISTENT_COOKIE"] = former?.cookies["WL_PERSISTENT_COOKIE"]
        #expect(try await client.act("init").status == 200)
        return client
    }

    private func devices(_ server: RunningServer) throws -> [String] {
        try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter())
            .map { "\($0.eventSource.name) \($0.userID) \($0.deviceID) \($0.token.value)" }
    }

    @Test("The same user's new token goes to the same device after the app was reinstalled")
    func reinstalled() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await first.logInByForm("ann", "right-ann-secret")
            try await first.act("notifications", [("updateToken", "token-1")])
            try await first.subscribeToBoth()
            let second = try await started(server)
            try await second.logInByForm("ann", "right-ann-secret")
            #expect(try await second.act("notifications", [("updateToken", "token-2")]).status == 200)
            #expect(try devices(server) == ["Guarded ann phone-1 token-2", "Open ann phone-1 token-2"])
        }
    }

    @Test("An app without users keeps its device by its cookie, with its tags and its subscriptions")
    func cookie() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await first.act("notifications", [("updateToken", "token-1")])
            try await first.act("notifications", [("subscribe", "{}")] + openSource)
            try await first.act("notifications", [("subscribe", ""), ("tag", "news")])
            let second = try await started(server, like: first)
            let state = try await second.act("init")["notificationSubscriptionState"]
            #expect(state?["token"] == "token-1" && state?["tags"] == ["Push.ALL", "news"])
            #expect(try await second.act("notifications", [("updateToken", "token-2")]).status == 200)
            let user = try #require(first.cookies["WL_PERSISTENT_COOKIE"])
            #expect(try devices(server) == ["Open \(user) phone-1 token-2"])
            #expect(try await second.act("notifications", [("unsubscribe", "")] + openSource).status == 200)
            #expect(try devices(server).isEmpty)
        }
    }

    @Test("An app that has lost its cookie keeps its device by its token")
    func sameToken() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await first.act("notifications", [("updateToken", "token-1")])
            try await first.act("notifications", [("subscribe", ""), ("tag", "news")])
            let second = try await started(server)
            #expect(try await second.act("notifications", [("updateToken", "token-1")]).status == 200)
            #expect(try await second.act("init")["notificationSubscriptionState"]?["tags"] == ["Push.ALL", "news"])
            // From then on by its new cookie.
            let third = try await started(server, like: second)
            #expect(try await third.act("notifications", [("updateToken", "token-3")]).status == 200)
            let registered = try server.installation.store.devices(matching: DeviceFilter(), after: nil, limit: 9).items
            #expect(registered.map(\.token.value) == ["token-3"])
        }
    }

    @Test("An app that starts without a login after one keeps its device by its cookie, with its user's subscriptions")
    func cookieOfUser() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await first.act("notifications", [("updateToken", "token-1")])
            try await first.logInByForm("ann", "right-ann-secret")
            try await first.subscribeToBoth()
            let second = try await started(server, like: first)
            #expect(try await second.act("notifications", [("updateToken", "token-2")]).status == 200)
            #expect(try devices(server) == ["Guarded ann phone-1 token-2", "Open ann phone-1 token-2"])
        }
    }

    @Test("A user who logs in only after the token came is subscribed on the device that the token made")
    func lateLogin() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await first.act("notifications", [("updateToken", "token-1")])
            try await first.logInByForm("ann", "right-ann-secret")
            try await first.act("notifications", [("subscribe", "{}")] + guardedSource)
            let second = try await started(server)
            try await second.act("notifications", [("updateToken", "token-2")])
            try await second.logInByForm("ann", "right-ann-secret")
            #expect(try await second.act("notifications", [("subscribe", "{}")] + guardedSource).status == 200)
            #expect(try devices(server).contains { $0.hasPrefix("Guarded ann ") && $0.hasSuffix(" token-2") })
        }
    }
}
