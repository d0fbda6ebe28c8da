import AdapterRuntime
import Authentication
import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("Versions that the operator has blocked or has something to say about", .defaultTimeLimit)
struct RemoteDisableConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")

    private static let dialects: [any Dialect] = [
        HybridDialect(release: .v506, environment: "android"),
        HybridDialect(release: .v600, environment: "mobilewebapp"),
        HybridDialect(release: .v710, environment: "iphone"),
        NativeDialect(release: .v506, environment: "android", application: "MyApp"),
        NativeDialect(release: .v710, environment: "android", application: "MyApp"),
    ]

    private static func make(_ index: Int, at server: RunningServer) -> ClientDouble {
        ClientDouble(dialects[index], at: server)
    }

    @Test("A disabled version gets 403 with the reason, and a downloadLink though it is null", arguments: 0..<5)
    func disabled(index: Int) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(
                environment: Self.dialects[index].environment, access: .disabled, message: "This version is blocked")
            let reply = try await Self.make(index, at: server).connect()
            #expect(reply.status == 403)
            #expect(
                reply["WL-Authentication-Failure"] == [
                    "wl_remoteDisableRealm": ["message": "This version is blocked", "downloadLink": .null]
                ])
            #expect(reply.answer["WWW-Authenticate"] == [])
        }
    }

    @Test(
        "A blocked device gets a disabled version's response, also in its session, until it is unblocked",
        arguments: [0, 2, 3, 4])
    func blocked(index: Int) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = Self.make(index, at: server)
            #expect(try await client.connect().status == 200)
            let session = try #require(server.installation.security.sessions.newest().first?.session)
            let device = BlockedDevice(
                applicationID: session.application?.id ?? "", deviceID: try #require(session.device?.id),
                blockedAt: .now)
            try server.installation.security.blocks.block(device)
            for client in [client, Self.make(index, at: server)] {
                let reply = try await client.connect()
                #expect(reply.status == 403)
                #expect(
                    reply["WL-Authentication-Failure"] == [
                        "wl_remoteDisableRealm": ["message": .string(DeviceBlocks.message), "downloadLink": .null]
                    ])
            }
            #expect(try server.installation.security.blocks.unblock(device))
            #expect(try await Self.make(index, at: server).connect().status == 200)
        }
    }

    @Test("A disabled version gets the link to another")
    func link() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(
                environment: "android", access: .disabled, message: "no", downloadLink: "http://example.invalid/new")
            let reply = try await ClientDouble(Self.android, at: server).connect()
            let failure = reply["WL-Authentication-Failure"]?["wl_remoteDisableRealm"]
            #expect(failure?["downloadLink"] == "http://example.invalid/new")
        }
    }

    @Test("A version that is disabled in the middle of use is stopped with its next request")
    func disabledLater() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try server.setRule(environment: "android", access: .disabled, message: "no")
            #expect(try await client.query("demoAdapter", "count").status == 403)
            try server.setRule(environment: "android", access: .active)
            #expect(try await client.query("demoAdapter", "count").isSuccess)
        }
    }

    @Test("Another version and another environment stay enabled")
    func others() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .disabled, message: "no")
            var newer = Self.android
            newer.version = "1.1"
            #expect(try await ClientDouble(newer, at: server).connect().status == 200)
            let iPhone = HybridDialect(release: .v506, environment: "iphone")
            #expect(try await ClientDouble(iPhone, at: server).connect().status == 200)
        }
    }

    @Test("Versions without a rule follow the one for all others")
    func otherVersions() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", version: "*", access: .disabled, message: "no")
            try server.setRule(environment: "android", version: "1.1", access: .active)
            #expect(try await ClientDouble(Self.android, at: server).connect().status == 403)
            var newer = Self.android
            newer.version = "1.1"
            #expect(try await ClientDouble(newer, at: server).connect().status == 200)
        }
    }

    @Test(
        "/invoke is closed to unconnected clients while a version is disabled or a device blocked",
        arguments: [false, true])
    func notConnected(isDevice: Bool) async throws {
        try await RunningServer.attacked(over: .http1) { (server) async throws in
            let call = [("adapter", "A"), ("procedure", "echo"), ("parameters", "[]")]
            let (client, connected) = (WireClient(server), WireClient(server))
            try await connected.act("init")
            #expect(try await client.send("/invoke", call).status == 200)
            if isDevice {
                try server.installation.security.blocks.block(
                    BlockedDevice(applicationID: "App", deviceID: "one", blockedAt: .now))
            } else {
                try server.setRule(application: "App", environment: "android", access: .disabled, message: "no")
            }
            #expect(try await client.send("/invoke", call).status == 403)
            #expect(try await connected.send("/invoke", call).status == 200)
        }
    }

    @Test("A request without a version counts as the version of its session")
    func withoutVersion() async throws {
        try await RunningServer.attacked(over: .http1) { (server) async throws in
            let client = WireClient(server)
            client.headers = [("x-wl-app-version", "1.0")]
            #expect(try await client.act("init").status == 200)
            client.headers = []
            try server.setRule(application: "App", environment: "desktopbrowser", access: .disabled, message: "no")
            #expect(try await client.call("echo").status == 403)
        }
    }

    @Test("a disabled version cannot log in, not even by the form")
    func loginForm() async throws {
        try await RunningServer.attacked(over: .http1) { (server) async throws in
            let client = WireClient(server)
            client.headers = [("x-wl-app-version", "1.0")]
            #expect(try await client.act("login", [("realm", "Forms")]).text.contains("j_security_check"))
            try server.setRule(application: "App", environment: "desktopbrowser", access: .disabled, message: "no")
            #expect(try await client.logIn("ann", "right-ann-secret").status == 403)
            #expect(
                server.installation.security.sessions.newest().allSatisfy { $0.session.client.realms.isEmpty })
        }
    }

    @Test("A rule counts for both names of an environment")
    func environmentNames() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(
                application: "MyNative", environment: "Androidnative", version: "*", access: .disabled, message: "no")
            for name in ["Androidnative", "nativeAndroidApp", "NATIVEANDROIDAPP"] {
                let raw = try await server.sendRaw("GET", "/wl/apps/services/api/MyNative/\(name)/init")
                #expect(raw.contains("wl_remoteDisableRealm"), "\(raw)")
            }
        }
    }

    @Test("A message is shown once in a session, whether its id returns as a number or a string", arguments: 0..<5)
    func message(index: Int) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(
                environment: Self.dialects[index].environment, access: .notify, message: "Bald ist Schluß",
                messageID: "1700000000000")
            let client = Self.make(index, at: server)
            #expect(try await client.connect().status == 200)
            #expect(await client.shownMessage == "Bald ist Schluß")
            let answer = try #require(
                await client.exchanges.compactMap { exchange in
                    exchange.headers.first { $0.name == "Authorization" }?.value
                }.last)
            let isNative = Self.dialects[index] is NativeDialect
            #expect(
                try JSONValue(parsing: answer)["wl_remoteDisableRealm"]
                    == (isNative ? "1700000000000" : 1_700_000_000_000))
            let count = await client.exchanges.count
            #expect(try await client.query("demoAdapter", "count").isSuccess)
            #expect(await client.exchanges.count == count + 1)
        }
    }

    @Test("The challenge with a message has the three members that clients read")
    func challenge() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .notify, message: "hear", messageID: "7")
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            let first = try #require(await client.exchanges.first).answer
            #expect(
                try client.dialect.unwrap(first)?["challenges"]?["wl_remoteDisableRealm"] == [
                    "message": "hear", "messageId": "7", "messageType": "NOTIFY",
                ])
        }
    }

    @Test("shows a new message to users who have seen the former one")
    func nextMessage() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .notify, message: "one", messageID: "1")
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            try server.setRule(environment: "android", access: .notify, message: "two", messageID: "2")
            #expect(try await client.query("demoAdapter", "count").isSuccess)
            #expect(await client.shownMessage == "two")
        }
    }
}
