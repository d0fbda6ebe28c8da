import Logging
import PushModel
import TestSupport
import Testing

@testable import ClientProtocol
@testable import Installation

@Suite("A hybrid client of 5.0.6 on Android", .defaultTimeLimit)
struct Hybrid506ConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")

    @Test("connects although no checksum is set, and again after a reload and a resume")
    func unknownChecksum() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            for (environment, checksum) in [("android", 4242), ("iphone", 4243)] {
                var phone = HybridDialect(release: .v506, environment: environment)
                phone.checksum = checksum
                let client = ClientDouble(phone, at: server)
                try await client.connect(.right)
                #expect(try await client.comeToForeground().status == 404)
                try await client.connect()
                try await client.comeToForeground()
                #expect(try await client.query("demoAdapter", "formSecret")["secret"] == 43)
            }
        }
    }

    @Test(
        "The script that returns its own checksum does not change the client otherwise", arguments: [true, false],
        ["default", "tablet"])
    func script(hasSkins: Bool, skin: String) async throws {
        let update = DirectUpdate.withOwnChecksum(skinLoaderChecksum: hasSkins ? "3843946178" : "")
        let outcome = try await UpdateCheck(checksum: 4242, hasSkins: hasSkins, skin: skin).outcome(of: update)
        #expect(outcome.isCurrent)
        #expect(outcome.hasSkins == hasSkins)
        #expect(outcome.storedSkinChecksum == .string(hasSkins ? "3843946178" : ""))
    }

    @Test("The skin loader's checksum that it sends comes back, since it stores what it gets")
    func skinLoaderChecksum() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let reply = try await client.act(
                "init", Field("skin", "default"), Field("skinLoaderChecksum", "3843946178"))
            let update = reply["gadgetProps"]?["directUpdate"]
            #expect(update?["skinLoaderChecksum"] == "3843946178")
            #expect(update?["skinLoaderContent"] == .string(DirectUpdate.script))
        }
    }

    @Test(
        "connects with its checksum if clients.checksumScript is off, and shows the update dialog for another"
    )
    func checksum() async throws {
        let log = LogRecorder()
        try await RunningServer.converse(.nobody, log: log, change: { $0.sendsChecksumScript = false }) {
            (server) async throws in
            var phone = Self.android
            phone.checksum = 4242
            await #expect(throws: ClientDoubleError.self) { try await ClientDouble(phone, at: server).connect() }
            #expect(log.messages(at: .warning).contains { $0.contains("MyApp android 1.0 --checksum NUMBER") })
            try server.setRule(environment: "android", access: .active, checksum: 4242)
            try await ClientDouble(phone, at: server).connect()
            phone.checksum = 4243
            await #expect(throws: ClientDoubleError.self) { try await ClientDouble(phone, at: server).connect() }
        }
    }

    @Test("The operator's checksum overrides the script, and holds when the app comes to the foreground")
    func knownChecksum() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .active, checksum: 4242)
            var phone = Self.android
            phone.checksum = 4242
            let client = ClientDouble(phone, at: server)
            let reply = try await client.connect()
            #expect(reply["gadgetProps"]?["directUpdate"]?["skinLoaderContent"] == nil)
            #expect(try await client.comeToForeground().status == 200)
        }
    }

    @Test("Other clients get no script", arguments: [HybridDialect.Release.v600, .v610, .v620, .v710])
    func otherGenerations(release: HybridDialect.Release) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let reply = try await ClientDouble(HybridDialect(release: release, environment: "android"), at: server)
                .connect()
            #expect(reply["gadgetProps"]?["directUpdate"] == nil)
        }
    }

    @Test("sends a login form without WL-Instance-Id and random number, which is accepted")
    func form() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            let form = try #require(await client.exchanges.first { $0.kind == .form })
            #expect(form.body == "j_username=bjones&j_password=password")
            #expect(!form.headers.contains { $0.name == "WL-Instance-Id" })
            #expect(form.answer.status == 200)
        }
    }

    @Test("A procedure with a separate security test asks for the login, and is called after it")
    func later() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.query("demoAdapter", "formSecret", "[]", .wrong, .right)
            #expect(reply["secret"] == 43 && reply["user"] == "bjones")
        }
    }

    @Test("logout without a realm logs out of the application's own")
    func logoutWithoutRealm() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            #expect(try await client.logOut(nil).isSuccess)
            #expect(try await client.act("getuserinfo")["PushAppRealm"]?["userId"] == .null)
        }
    }
}
