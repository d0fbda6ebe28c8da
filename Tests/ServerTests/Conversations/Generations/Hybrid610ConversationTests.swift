import Core
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("A hybrid client of 6.1", .defaultTimeLimit)
struct Hybrid610ConversationTests {
    @Test("completes the whole conversation", arguments: ["android", "iphone"])
    func whole(environment: String) async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let client = ClientDouble(HybridDialect(release: .v610, environment: environment), at: server)
            let isApple = environment == "iphone"
            let token = isApple ? String(repeating: "0a1b2c3d", count: 8) : "stub-device-token-1"
            let conversation = PushConversation(client: client, server: server, token: token)
            try await conversation.connectByForm()
            try await conversation.callProcedures()
            try await conversation.push()
            try await conversation.logOut("PushAppRealm", procedure: "formSecret")
        }
    }

    private static let phones = [HybridDialect.Release.v600, .v610].map {
        HybridDialect(release: $0, environment: "android", checksum: 4242)
    }

    @Test("A client that comes to the foreground gets an error that it ignores", arguments: phones)
    func composite(phone: HybridDialect) async throws {
        try await RunningServer.converse(.nobody, as: phone) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.comeToForeground()
            #expect(reply.status == 404)
            #expect(reply["errorCode"] == "REQUEST_SERVICE_NOT_FOUND")
        }
    }

    @Test("A client that comes to the foreground gets its checksum if the operator has set it", arguments: phones)
    func compositeWithChecksum(phone: HybridDialect) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            try server.setRule(environment: "android", access: .active, checksum: 4242)
            let client = ClientDouble(phone, at: server)
            try await client.connect()
            let reply = try await client.comeToForeground()
            #expect(reply["appversionaccess"] == ["response": [:]])
            #expect(
                reply["updates"] == [
                    "response": [
                        "checksum": 4242, "availableSkins": ["default"], "updateSize": 0, "updateUnpackedSize": 0,
                    ]
                ])
        }
    }

    @Test("A client in the foreground with an expired session proves itself again, and does not hang")
    func compositeWithoutSession() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.phones[1], at: server)
            try await client.connect()
            time.advance(by: .seconds(601))
            let reply = try await client.comeToForeground()
            #expect(reply.status == 404)
            // Requests that wait for the challenge's end are sent when this names their realm.
            #expect(reply["WL-Authentication-Success"]?["wl_deviceNoProvisioningRealm"] != nil)
        }
    }

    @Test("A version that is disabled is stopped when the app comes to the foreground")
    func disabled() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.phones[1], at: server)
            try await client.connect()
            try server.setRule(environment: "android", access: .disabled, message: "Update", checksum: 4242)
            let reply = try await client.act("composite", Field("requests", "{}"))
            #expect(reply.status == 403)
            #expect(reply["WL-Authentication-Failure"]?["wl_remoteDisableRealm"]?["message"] == "Update")
        }
    }
}
