import Core
import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("2.2.5 to 2.2.10: notifications by WLClient", .defaultTimeLimit)
struct ClientPushTests {
    private static let token = Data((0..<32).map { UInt8(255 - $0) })

    private func connected(_ server: TestServer) async throws -> SDKTestClient {
        let client = try server.client()
        client.client.registerChallengeHandler(FormChallengeHandler())
        try await client.connect()
        return client
    }

    private func subscribe(_ client: SDKTestClient, _ eventSource: String = "PushEventSource") async throws -> Outcome {
        try await client.outcome {
            $0.subscribe(
                withToken: Self.token, adapter: "PushAdapter", eventSource: eventSource, eventSourceID: 7,
                notificationType: [.alert, .sound], delegate: $1, options: ["city": "Köln"])
        }
    }

    @Test("2.2.6 subscribe sends the token, the number, the kinds of notification and the options")
    func subscribe() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            #expect(try await subscribe(client).response().status == "200")
            let device = try #require(try await server.devices(of: "bjones").first)
            #expect(device["alias"] == "7")
            #expect(device["options"] == ["alert": true, "badge": false, "city": "Köln", "sound": true])
        }
    }

    @Test("2.2.5 subscribe without options")
    func noOptions() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            _ = try await client.response {
                $0.subscribe(
                    withToken: Self.token, adapter: "PushAdapter", eventSource: "PushEventSource", eventSourceID: 7,
                    notificationType: [], delegate: $1)
            }
            let device = try #require(try await server.devices(of: "bjones").first)
            #expect(device["options"] == ["alert": false, "badge": false, "sound": false])
        }
    }

    @Test("2.2.6 calls onFailure for an unknown event source")
    func unknown() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            #expect(try await subscribe(client, "Nowhere").failure().status == "404")
            #expect(client.client.isSubscribed(toAdapter: "PushAdapter", eventSource: "Nowhere") == false)
        }
    }

    @Test("2.2.7, 2.2.8 unsubscribeAdapter ends it, and isSubscribed follows")
    func unsubscribe() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            _ = try await subscribe(client).response()
            #expect(client.client.isSubscribed(toAdapter: "PushAdapter", eventSource: "PushEventSource"))
            #expect(client.client.isSubscribed(toAdapter: "PushAdapter", eventSource: "Other") == false)
            _ = try await client.response {
                $0.unsubscribeAdapter("PushAdapter", eventSource: "PushEventSource", delegate: $1)
            }
            #expect(client.client.isSubscribed(toAdapter: "PushAdapter", eventSource: "PushEventSource") == false)
            #expect(try await server.devices(of: "bjones") == [])
        }
    }

    @Test("2.2.9 updateDeviceToken sends another token, and none when the server has this one")
    func update() async throws {
        let server = try LoopbackServer {
            $0.number == 0
                ? .json(#"{"userInfo":{},"notificationSubscriptionState":{"token":"0102","eventSources":[]}}"#)
                : .json(#"{"isSuccessful":true}"#)
        }
        let client = try server.client()
        try await client.connect()
        let same = try await client.response { $0.updateDeviceToken(Data([1, 2]), delegate: $1) }
        #expect(same.status == "200")
        #expect(server.requests.value.count == 1)
        _ = try await client.response { $0.updateDeviceToken(Data([3, 4]), delegate: $1) }
        #expect(server.requests.value.last?.form["updateToken"] == "0304")
    }

    @Test("2.2.9 Without a token of the server's it is sent")
    func firstToken() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            _ = try await client.response { $0.updateDeviceToken(Self.token, delegate: $1) }
            _ = try await subscribe(client).response()
            let hex = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0"
            #expect(try await server.devices(of: "bjones").first?["token"] == .string(hex))
        }
    }

    @Test("2.2.9 An empty token is refused")
    func empty() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            let failure = try await client.failure { $0.updateDeviceToken(Data(), delegate: $1) }
            #expect(failure.errorMsg.contains("empty"))
        }
    }

    @Test("2.2.10 The number of the event source is found in a notification that the server made")
    func eventSourceID() async throws {
        try await TestServer.run(.form) { server in
            let client = try await connected(server)
            _ = try await subscribe(client).response()
            _ = try await server.call("PushAdapter", "submitNotification", "bjones", "hello")
            #expect(client.client.getEventSourceID(fromUserInfo: try await server.sentToApple()) == 7)
        }
    }

    @Test(
        "2.2.10 A notification without a number has 0",
        arguments: [
            [:], ["payload": "no JSON"], ["payload": #"{"alias":"name"}"#], ["payload": "{}"],
        ])
    func noID(userInfo: [String: String]) throws {
        let client = WLClient(settings: WorklightSettings(host: "localhost", port: 1, applicationID: "A"))
        #expect(client.getEventSourceID(fromUserInfo: userInfo) == 0)
    }
}
