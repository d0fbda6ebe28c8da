import Core
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("Claimed devices", .defaultTimeLimit)
struct ClaimedDeviceTests {
    private static let open = [("adapter", "A"), ("eventSource", "Open")]
    private static let guarded = [("adapter", "A"), ("eventSource", "Guarded")]

    /// A project in which the only login takes any name.
    private static let believing = [
        "adapters/A/A.xml": adapterXML("A"),
        "adapters/A/A-impl.js":
            "WL.Server.createEventSource({ name: 'Open', securityTest: 'Names' }); function run() { return {}; }",
        "apps/App/application-descriptor.xml": """
        <application id="App" platformVersion="6.0.0.0" xmlns="http://www.worklight.com/application-descriptor">
        <displayName>App</displayName><android version="1.0"><pushSender key="" senderId="42"/></android>
        <tags><tag><name>news</name></tag></tags></application>
        """,
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="Names"><test realm="Names" isInternalUserID="true"/></customSecurityTest>
        </securityTests>
        <realms><realm name="Names" loginModule="Believing">
        <className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>
        <loginModules><loginModule name="Believing">
        <className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
        </tns:loginConfiguration>
        """,
    ]

    /// The app as it starts without any cookie.
    private func started(_ server: RunningServer) async throws -> WireClient {
        let client = WireClient(server, device: "phone-1")
        #expect(try await client.act("init").status == 200)
        return client
    }

    private func logIn(
        _ client: WireClient, _ user: String = "ann", _ password: String = "right-ann-secret", realm: String = "Forms"
    ) async throws {
        #expect(try await client.act("login", [("realm", realm)]).text.contains("j_security_check"))
        #expect(try await client.logIn(user, password).text == "/*-secure-\n{}*/")
    }

    private func send(_ token: String, _ client: WireClient) async throws {
        #expect(try await client.act("notifications", [("updateToken", token)]).status == 200)
    }

    private func subscribe(_ client: WireClient, to source: [(String, String)]) async throws {
        #expect(try await client.act("notifications", [("subscribe", "{}"), ("alias", "mine")] + source).status == 200)
    }

    private func state(_ client: WireClient) async throws -> JSONValue? {
        try await client.act("init")["notificationSubscriptionState"]
    }

    /// The event sources with their users and tokens.
    private func subscriptions(_ server: RunningServer) throws -> [String] {
        try server.installation.store.deviceSubscriptions(matching: SubscriptionFilter())
            .map { "\($0.eventSource.name) \($0.userID) \($0.token.value)" }
    }

    // MARK: What init shows

    @Test(
        "shows a user whose login is not checked the subscription after a restart without cookies, with an empty token")
    func believedUser() async throws {
        try await RunningServer.run(files: Self.believing) { (server) async throws in
            let first = try await started(server)
            try await logIn(first, "ann", "anything", realm: "Names")
            try await send("token-1", first)
            try await subscribe(first, to: Self.open)
            try await first.act("notifications", [("subscribe", ""), ("tag", "news")])
            let second = try await started(server)
            try await logIn(second, "ann", "anything", realm: "Names")
            let state = try await state(second)
            #expect(state?["token"] == "")
            #expect(state?["eventSources"] == [["alias": "mine", "adapter": "A", "eventSource": "Open"]])
            #expect(state?["tags"] == ["Push.ALL", "news"])
        }
    }

    @Test("shows another user whose login is not checked no event source of the first one")
    func anotherBelievedUser() async throws {
        try await RunningServer.run(files: Self.believing) { (server) async throws in
            let first = try await started(server)
            try await logIn(first, "ann", "anything", realm: "Names")
            try await send("token-1", first)
            try await subscribe(first, to: Self.open)
            let second = try await started(server)
            try await logIn(second, "bob", "anything", realm: "Names")
            #expect(try await state(second)?["eventSources"] == [])
        }
    }

    @Test("shows an app without a login its subscription after it lost all cookies")
    func withoutLogin() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await send("token-1", first)
            try await subscribe(first, to: Self.open)
            let state = try await state(try await started(server))
            #expect(state?["token"] == "")
            #expect(state?["eventSources"] == [["alias": "mine", "adapter": "A", "eventSource": "Open"]])
        }
    }

    @Test("shows nothing once a checked user has subscribed on the device, by whichever user it was registered")
    func checkedSubscriber() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await send("token-1", first)
            try await logIn(first)
            try await subscribe(first, to: Self.open)
            let state = try await state(try await started(server))
            #expect(state?["token"] == nil && state?["eventSources"] == [] && state?["tags"] == [])
        }
    }

    @Test("lets a client that only sees a device's subscriptions change none of them")
    func noChange() async throws {
        try await RunningServer.attacked { (server) async throws in
            let first = try await started(server)
            try await send("token-1", first)
            try await subscribe(first, to: Self.open)
            let before = try subscriptions(server)
            let second = try await started(server)
            try await second.act("notifications", [("unsubscribe", "")] + Self.open)
            try await second.act("notifications", [("unsubscribe", ""), ("tag", "Push.ALL")])
            try await send("token-2", second)
            #expect(try subscriptions(server) == before)
            #expect(
                try server.installation.store.tags(applicationID: "App", deviceID: "phone-1") == ["Push.ALL"])
        }
    }

    // MARK: What a login moves

    /// Ann is subscribed on her phone, whose app is then gone.
    private func formerInstallation(_ server: RunningServer) async throws {
        let client = try await started(server)
        try await logIn(client)
        try await send("token-1", client)
        for source in [Self.guarded, Self.open] {
            #expect(try await client.act("notifications", [("subscribe", "{}")] + source).status == 200)
        }
    }

    @Test("moves the user's subscriptions at the login to the token that a reinstalled app has sent before")
    func reinstalled() async throws {
        try await RunningServer.attacked { (server) async throws in
            try await formerInstallation(server)
            let client = try await started(server)
            try await send("token-2", client)
            #expect(try subscriptions(server) == ["Guarded ann token-1", "Open ann token-1"])
            try await logIn(client)
            #expect(try subscriptions(server) == ["Guarded ann token-2", "Open ann token-2"])
            let state = try await state(client)
            #expect(state?["token"] == "token-2" && state?["eventSources"]?.array?.count == 2)
        }
    }

    @Test("shows the moved subscriptions to the user's next installation without cookies, too")
    func reinstalledAndRestarted() async throws {
        try await RunningServer.attacked { (server) async throws in
            try await formerInstallation(server)
            let second = try await started(server)
            try await send("token-2", second)
            try await logIn(second)
            let third = try await started(server)
            try await logIn(third)
            #expect(try await state(third)?["eventSources"]?.array?.count == 2)
        }
    }

    @Test("moves no subscription of another user")
    func anotherUser() async throws {
        try await RunningServer.attacked { (server) async throws in
            try await formerInstallation(server)
            let client = try await started(server)
            try await send("token-2", client)
            try await logIn(client, "bob", "right-bob-secret")
            #expect(try subscriptions(server) == ["Guarded ann token-1", "Open ann token-1"])
        }
    }

    @Test("moves no subscription in a planted session until the client sends its token after the login")
    func plantedSession() async throws {
        try await RunningServer.attacked { (server) async throws in
            try await formerInstallation(server)
            let planter = try await started(server)
            try await send("stolen", planter)
            let client = WireClient(server, device: "phone-1")
            client.cookies = planter.cookies
            #expect(try await client.act("init").status == 200)
            try await send("token-2", client)
            try await logIn(client)
            #expect(try subscriptions(server) == ["Guarded ann token-1", "Open ann token-1"])
            try await send("token-2", client)
            #expect(try subscriptions(server) == ["Guarded ann token-2", "Open ann token-2"])
        }
    }

    @Test("moves no subscription to a planted cookie's token that the client has never sent")
    func plantedCookie() async throws {
        try await RunningServer.attacked { (server) async throws in
            try await formerInstallation(server)
            let planter = try await started(server)
            try await send("stolen", planter)
            let client = WireClient(server, device: "phone-1")
            client.cookies["WL_PERSISTENT_COOKIE"] = planter.cookies["WL_PERSISTENT_COOKIE"]
            #expect(try await client.act("init").status == 200)
            try await logIn(client)
            #expect(try subscriptions(server) == ["Guarded ann token-1", "Open ann token-1"])
        }
    }
}
