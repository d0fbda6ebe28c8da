import Core
import Dispatch
import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("3.1 to 3.5: WLPush", .defaultTimeLimit)
struct PushTests {
    private static let token = Data((0..<32).map { UInt8($0) })
    private static let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    /// The listener of seed 001: it registers the event source when the device is ready.
    private final class ReadyToSubscribeListener: NSObject, WLOnReadyToSubscribeListener, Sendable {
        let client: WLClient
        let events: MyEventSourceListener
        let isReady = AwaitableValue(0)

        init(_ client: WLClient, _ events: MyEventSourceListener) {
            (self.client, self.events) = (client, events)
        }

        func onReadyToSubscribe() {
            client.push.registerEventSourceCallback("iOSPushAlias", "PushAdapter", "PushEventSource", events)
            isReady.update { $0 += 1 }
        }
    }

    private final class MyEventSourceListener: NSObject, EventListener, Sendable {
        let received = AwaitableValue<[String]>([])
        let wasOnQueue = AwaitableValue(false)

        func receive(_ userInfo: [AnyHashable: Any]!) {
            let payload = userInfo["payload"] as? String ?? "none"
            wasOnQueue.update { $0 = DispatchQueue.getSpecific(key: SDKTestClient.key) ?? false }
            received.update { $0.append(payload) }
        }
    }

    /// A client that is logged in, has its token, and is ready.
    private func ready(_ server: TestServer, environment: String = "iOSnative") async throws -> (
        SDKTestClient, MyEventSourceListener
    ) {
        let client = try server.client(environment: environment)
        let events = MyEventSourceListener()
        let listener = ReadyToSubscribeListener(client.client, events)
        client.client.registerChallengeHandler(FormChallengeHandler())
        client.client.push.setOnReadyToSubscribeListener(listener)
        client.client.push.setTokenFromClient(Self.token)
        try await client.connect()
        try await listener.isReady.wait { $0 == 1 }
        return (client, events)
    }

    @Test("3.1.1, 3.3.1 The listener is called when the server has the token, on the application's queue")
    func readyToSubscribe() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            #expect(client.client.push.isSubscribed("iOSPushAlias") == false)
        }
    }

    @Test("supports the properties of the shipped SDK's header like the documented methods")
    func properties() async throws {
        try await TestServer.run(.form) { server in
            let client = try server.client()
            let listener = ReadyToSubscribeListener(client.client, MyEventSourceListener())
            client.client.registerChallengeHandler(FormChallengeHandler())
            let push = client.client.push
            #expect(push.onReadyToSubscribeListener == nil && push.tokenFromClient == nil)
            push.onReadyToSubscribeListener = listener
            push.tokenFromClient = (Self.token as NSData).description
            let digits = Self.token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(push.onReadyToSubscribeListener === listener && push.tokenFromClient == digits)
            try await client.connect()
            try await listener.isReady.wait { $0 == 1 }
        }
    }

    @Test("3.1.1 A listener that comes late is called at once")
    func late() async throws {
        try await TestServer.run(.form) { server in
            let (client, events) = try await ready(server)
            let listener = ReadyToSubscribeListener(client.client, events)
            client.client.push.setOnReadyToSubscribeListener(listener)
            try await listener.isReady.wait { $0 == 1 }
        }
    }

    @Test("3.1.2, 3.1.4, 3.1.5, 3.1.7 a client registers, subscribes and unsubscribes")
    func subscribe() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let push = client.client.push
            let response = try await client.response { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
            #expect(response.responseText == "/*-secure-\n{\"isSuccessful\":true}*/")
            #expect(push.isSubscribed("iOSPushAlias"))
            let device = try #require(try await server.devices(of: "bjones").first)
            #expect(device["alias"] == "iOSPushAlias")
            #expect(device["token"] == .string(Self.hex))
            _ = try await client.response { _, delegate in push.unsubscribe("iOSPushAlias", delegate) }
            #expect(push.isSubscribed("iOSPushAlias") == false)
            #expect(try await server.devices(of: "bjones") == [])
        }
    }

    @Test("3.1.4, 3.2 Values of WLPushOptions reach the adapter")
    func options() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let options = WLPushOptions()
            options.addSubscriptionParameter("city", "Köln \"am\" Rhein")
            options.addSubscriptionParameters(["team": "1. FC", "city2": "Bonn"])
            let push = client.client.push
            _ = try await client.response { _, delegate in push.subscribe("iOSPushAlias", options, delegate) }
            let device = try #require(try await server.devices(of: "bjones").first)
            #expect(device["options"]?["city"] == "Köln \"am\" Rhein")
            #expect(device["options"]?["team"] == "1. FC")
        }
    }

    @Test("3.2.1 to 3.2.4 The options return the values that were set")
    func optionValues() {
        let options = WLPushOptions()
        options.addSubscriptionParameter("a", "1")
        options.addSubscriptionParameter("a", "2")
        options.addSubscriptionParameters(["b": "3"])
        #expect(options.getSubscriptionParameter("a") == "2")
        #expect(options.getSubscriptionParameter("b") == "3")
        #expect(options.getSubscriptionParameter("c") == nil)
        #expect(options.getSubscriptionParameters() as? [String: String] == ["a": "2", "b": "3"])
    }

    @Test("3.1.3, 3.5.1 The token is taken as deviceToken.description of an NSData")
    func description() async throws {
        try await TestServer.withClient(.form) { (server, client) async throws in
            client.client.registerChallengeHandler(FormChallengeHandler())
            try await client.connect()
            client.client.push.setTokenFromClient((Self.token as NSData).description)
            try await client.client.push.ready()
            let other = try await ready(server)
            #expect(other.0.client.push.isSubscribed("x") == false)
        }
    }

    @Test("3.1.4 subscribe before the device is ready fails without a request")
    func notReady() async throws {
        let server = try LoopbackServer { _ in .json(#"{"userInfo":{}}"#) }
        let client = try server.client()
        try await client.connect()
        let push = client.client.push
        let failure = try await client.failure { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
        #expect(failure.errorMsg.contains("not ready"))
        #expect(server.requests.value.count == 1)
    }

    @Test("3.1.4, 3.1.7 An alias that was not registered fails")
    func unknownAlias() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let push = client.client.push
            let failure = try await client.failure { _, delegate in push.subscribe("other", nil, delegate) }
            #expect(failure.errorMsg.contains("'other'"))
            let second = try await client.failure { _, delegate in push.unsubscribe("other", delegate) }
            #expect(second.errorMsg.contains("registerEventSourceCallback"))
        }
    }

    @Test("3.1.4 calls onFailure for an unknown event source")
    func refused() async throws {
        try await TestServer.run(.form) { server in
            let (client, events) = try await ready(server)
            let push = client.client.push
            push.registerEventSourceCallback("nowhere", "PushAdapter", "Nowhere", events)
            let nowhere = try await client.failure { _, delegate in push.subscribe("nowhere", nil, delegate) }
            #expect(nowhere.status == "404")
            #expect(push.isSubscribed("nowhere") == false)
        }
    }

    @Test("3.1.4, 3.1.7 An adapter's refusal comes to onFailure, with any status", arguments: [200, 500])
    func no(status: Int) async throws {
        let server = try LoopbackServer {
            $0.number == 0
                ? .json(#"{"userInfo":{},"notificationSubscriptionState":{"token":"aabb","eventSources":[]}}"#)
                : .json(#"{"isSuccessful":false,"errors":["not yours"]}"#, status: status)
        }
        let client = try server.client()
        let push = client.client.push
        push.setTokenFromClient("aabb")
        try await client.connect()
        try await push.ready()
        push.registerEventSourceCallback("a", "A", "E", MyEventSourceListener())
        let subscribing = try await client.failure { _, delegate in push.subscribe("a", nil, delegate) }
        #expect(subscribing.errorMsg.contains("not yours"))
        #expect(push.isSubscribed("a") == false)
        #expect(
            try await client.failure { _, delegate in push.unsubscribe("a", delegate) }.errorMsg.contains("not yours"))
    }

    @Test("3.1.5 A restarted client gets its user's subscriptions from the server")
    func restart() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let push = client.client.push
            _ = try await client.response { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
            let again = try SDKTestClient(server.settings(), folder: client.folder)
            again.client.registerChallengeHandler(FormChallengeHandler())
            #expect(again.client.push.isSubscribed("iOSPushAlias") == false)
            try await again.connect()
            #expect(again.client.push.isSubscribed("iOSPushAlias"))
            #expect(again.client.isSubscribed(toAdapter: "PushAdapter", eventSource: "PushEventSource"))
        }
    }

    @Test(
        "3.1.6 Push is supported but in browsers",
        arguments: [
            ("iOSnative", true), ("iphone", true), ("mobilewebapp", false), ("desktopbrowser", false),
        ])
    func supported(environment: String, isSupported: Bool) throws {
        let settings = WorklightSettings(host: "localhost", port: 1, applicationID: "A", environment: environment)
        let client = WLClient(settings: settings)
        #expect(client.push.isPushSupported() == isSupported)
    }

    @Test("3.4.1 The listener gets the adapter's message, with the dictionary of seed 001")
    func receive() async throws {
        try await TestServer.run(.form) { server in
            let (client, events) = try await ready(server)
            let push = client.client.push
            _ = try await client.response { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
            let result = try await server.call("PushAdapter", "submitNotification", "bjones", "Pushnotification")
            #expect(result["result"] == "Notification sent to user :: bjones")
            let userInfo = try await server.sentToApple()
            push.didReceiveRemoteNotification(userInfo)
            try await events.received.wait { $0.count == 1 }
            let payload = try JSONValue(parsing: try #require(events.received.value.first))
            #expect(payload == ["alias": "iOSPushAlias", "custom": "data"])
            #expect(events.wasOnQueue.value)
            let notification = WLNotification(userInfo: userInfo)
            #expect(notification.alert == "Pushnotification")
            #expect(notification.badge == 1)
        }
    }

    @Test("3.4.1 A notification that comes before its alias is registered and subscribed to waits for both")
    func pending() async throws {
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let push = client.client.push
            let events = MyEventSourceListener()
            push.didReceiveRemoteNotification(["payload": #"{"alias":"iOSPushAlias","n":1}"#])
            push.registerEventSourceCallback("iOSPushAlias", "PushAdapter", "PushEventSource", events)
            await withCheckedContinuation { continuation in client.queue.async { continuation.resume() } }
            #expect(events.received.value == [])
            _ = try await client.response { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
            try await events.received.wait { $0 == [#"{"alias":"iOSPushAlias","n":1}"#] }
        }
    }

    @Test("3.1.2 A listener in the form of IBM's samples gets both strings")
    func sampleListener() async throws {
        final class Sample: NSObject, WLEventSourceListener, Sendable {
            let texts = AwaitableValue<[String]>([])
            func onReceive(_ props: String!, _ payload: String!) {
                let both = [props ?? "", payload ?? ""]
                texts.update { $0 = both }
            }
        }
        try await TestServer.run(.form) { server in
            let (client, _) = try await ready(server)
            let (push, sample) = (client.client.push, Sample())
            push.registerEventSourceCallback("iOSPushAlias", "PushAdapter", "PushEventSource", sample)
            _ = try await client.response { _, delegate in push.subscribe("iOSPushAlias", nil, delegate) }
            push.didReceiveRemoteNotification(["aps": ["badge": 1], "payload": #"{"alias":"iOSPushAlias"}"#])
            try await sample.texts.wait { $0 == [#"{"badge":1}"#, #"{"alias":"iOSPushAlias"}"#] }
        }
    }

    @Test("Token changed while offline: the next connect sends the new one, and the device is ready again")
    func tokenChanged() async throws {
        let tokens = AwaitableValue("")
        let isAway = AwaitableValue(false)
        let server = try LoopbackServer { request in
            if isAway.value { return .close([]) }
            if let token = request.form["updateToken"] {
                tokens.update { $0 = token }
                return .json(#"{"isSuccessful":true}"#)
            }
            return .json(
                #"{"userInfo":{},"notificationSubscriptionState":{"token":"\#(tokens.value)","eventSources":[]}}"#)
        }
        let client = try server.client()
        let push = client.client.push
        push.setTokenFromClient("<aa bb>")
        try await client.connect()
        try await push.ready()
        #expect(tokens.value == "aabb")
        isAway.update { $0 = true }
        push.setTokenFromClient("<cc dd>")
        let failure = try await client.failure { $0.updateDeviceToken(Data([0xcc, 0xdd]), delegate: $1) }
        #expect(failure.errorCode == WLErrorCodeUnresponsiveHost)
        isAway.update { $0 = false }
        try await client.connect()
        try await push.ready()
        #expect(tokens.value == "ccdd")
    }

    @Test("A token whose update fails while the client connects again is sent after that")
    func failureDuringConnect() async throws {
        let (updates, tokens, isConnected) = (AwaitableValue(0), AwaitableValue(""), AwaitableValue(false))
        let server = try LoopbackServer { request in
            guard let token = request.form["updateToken"] else {
                return .json(
                    #"{"userInfo":{},"notificationSubscriptionState":{"token":"\#(tokens.value)","eventSources":[]}}"#)
            }
            let isFirst = updates.update { count in
                count += 1
                return count == 1
            }
            guard !isFirst else {
                return .later {
                    try? await isConnected.wait { $0 }
                    return .close([])
                }
            }
            tokens.update { $0 = token }
            return .json(#"{"isSuccessful":true}"#)
        }
        let client = try server.client()
        try await client.connect()
        client.client.push.setTokenFromClient("<aa bb>")
        try await updates.wait { $0 == 1 }
        try await client.connect()
        isConnected.update { $0 = true }
        try await client.client.push.ready()
        #expect(tokens.value == "aabb")
    }

    @Test("An unchanged token is not sent again")
    func sameToken() async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"userInfo":{},"notificationSubscriptionState":{"token":"AABB","eventSources":[]}}"#)
        }
        let client = try server.client()
        client.client.push.setTokenFromClient("<aabb>")
        try await client.connect()
        try await client.client.push.ready()
        #expect(server.requests.value.count == 1)
    }
}
