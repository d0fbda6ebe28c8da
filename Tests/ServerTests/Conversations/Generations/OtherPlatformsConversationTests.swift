import Core
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

/// The known properties of the clients of other systems (wire-protocol 1, 3.1, 4): the names of their environments, that some take
/// 403 for a challenge where others need 401, and the form of Windows' tokens. The rest they have in common.
@Suite("Clients on Windows Phone, Windows and BlackBerry", .defaultTimeLimit)
struct OtherPlatformsConversationTests {
    private static let phone8 = HybridDialect(release: .v620, environment: "windowsphone8")
    private static let windows = HybridDialect(release: .v710, environment: "windows8")
    private static let universal = HybridDialect(release: .v710, environment: "windowsphoneuniversal")
    private static let blackBerries = [
        HybridDialect(release: .v506, environment: "blackberry"),
        HybridDialect(release: .v610, environment: "blackberry10"),
    ]

    @Test(
        "Each connects with a 401, logs in by the form, calls procedures, and logs out",
        arguments: [phone8, windows, universal] + blackBerries + [
            HybridDialect(release: .v600, environment: "windowsphone8")
        ])
    func form(dialect: HybridDialect) async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let conversation = PushConversation(client: ClientDouble(dialect, at: server), server: server)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    @Test("Each logs in by an adapter", arguments: [phone8, windows] + blackBerries)
    func adapter(dialect: HybridDialect) async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
            let conversation = PushConversation(client: ClientDouble(dialect, at: server), server: server)
            try await conversation.connectByAdapter()
            try await conversation.logOut("AdapterRealm", procedure: "secret")
        }
    }

    /// The channels as the systems hand them out.
    private static let channels = [
        "windowsphone8": "http://s.notify.live.net/u/1/db3/HmQAAAD7x-jGzT_2v4/d2luZG93c3Bob25l/nQ3Fk2.w",
        "windows8": "https://db3.notify.windows.com/?token=AgYAAACFmp%2f2v4",
        "windowsphoneuniversal": "https://db3.notify.windows.com/?token=AgYAAACFmp%2f2v5",
    ]

    @Test(
        "A channel's address is the token on Windows; subscriptions and the state return it",
        arguments: [phone8, windows, universal])
    func channel(dialect: HybridDialect) async throws {
        let channel = try #require(Self.channels[dialect.environment])
        try await RunningServer.converse(.form, as: dialect) { (server, client) async throws in
            let first = try await client.connect(.right)["notificationSubscriptionState"]
            #expect(first?["eventSources"] == [] && first?["token"] == nil)
            #expect(try await client.updateToken(channel).isSuccess)
            #expect(try await client.subscribe().isSuccess)
            #expect(try await server.devices(of: "bjones").map { $0["token"] } == [.string(channel)])
            let state = try await client.connect()["notificationSubscriptionState"]
            #expect(state?["token"] == .string(channel))
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["myPush"])
            #expect(try await client.unsubscribe().isSuccess)
            #expect(try await server.devices(of: "bjones").isEmpty)
        }
    }

    @Test("A notification on Windows 8 is a raw one whose payload names the alias")
    func notification() async throws {
        try await RunningServer.converse(.form, as: Self.windows) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken(Self.channels["windows8"] ?? "")
            try await client.subscribe()
            let delivery = try await server.notify("bjones", "hello")
            let requests = try #require(delivery["requests"]?.array)
            #expect(requests.contains { $0.text.contains("myPush") && $0.text.contains("wns/raw") })
        }
    }

    @Test("A channel of another host is not a token: the server would send there", arguments: [phone8, windows])
    func foreignChannel(dialect: HybridDialect) async throws {
        try await RunningServer.converse(.form, as: dialect) { (server, client) async throws in
            try await client.connect(.right)
            try await client.updateToken("https://notify.windows.com.evil.example/x")
            try await client.subscribe()
            let sent = try await server.manage(.GET, "deliveries?state=previewed").body
            #expect(!sent.contains("evil.example"))
        }
    }

    @Test(
        "a BlackBerry gets no subscription state, which would make the client request a token",
        arguments: blackBerries)
    func withoutPush(dialect: HybridDialect) async throws {
        try await RunningServer.converse(.form, as: dialect) { (_, client) async throws in
            #expect(try await client.connect(.right)["notificationSubscriptionState"] == nil)
            let refused = try await client.updateToken("00000000")
            #expect(refused.status == 400 && refused["errorMsg"]?.string?.contains("no push service") == true)
        }
    }

    @Test(
        "The native SDKs connect with any case of their environment",
        arguments: ["WindowsPhone8native", "windowsphone8Native", "JavaMEnative"])
    func native(environment: String) async throws {
        let folder = try ConversationProject.make(.form)
        let element = environment.hasPrefix("Java") ? "nativeJavaMEApp" : "nativeWindowsPhone8App"
        try folder.write(
            """
            <\(element) id="MyNative" platformVersion="6.2" version="1.0" securityTest="FormMobile"
                xmlns="http://www.worklight.com/native-descriptor"><displayName>N</displayName></\(element)>
            """, to: "apps/MyNative/application-descriptor.xml")
        try await RunningServer.run(project: folder, change: { $0.contextRoot = "/wl" }) { server in
            var dialect = NativeDialect(release: .v620)
            dialect.environment = environment
            let conversation = PushConversation(client: ClientDouble(dialect, at: server), server: server)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            let state = try await conversation.client.connect()["notificationSubscriptionState"]
            #expect((state == nil) == environment.hasPrefix("Java"))
        }
    }
}
