import Core
import Foundation
import PushModel
import TestSupport
import Testing
import WorklightClient

@Suite("2.2.12 example 2: remote disable and notify", .defaultTimeLimit)
struct RemoteDisableTests {
    /// Example 2 of 2.2.12, in Swift.
    private final class CustomRemoteChallengeHandler: WLChallengeHandler {
        let messages = AwaitableValue<[String]>([])
        let link = AwaitableValue<String?>(nil)
        let successes = AwaitableValue(0)

        override func handleFailure(_ failure: [AnyHashable: Any]!) {
            let (message, link) = (failure["message"] as? String ?? "", failure["downloadLink"] as? String)
            self.link.update { $0 = link }
            messages.update { $0.append("disabled: \(message)") }
        }

        override func handleChallenge(_ challenge: [AnyHashable: Any]!) {
            let message = challenge["message"] as? String ?? ""
            messages.update { $0.append("notified: \(message)") }
            setMessageId(challenge["messageId"] as? String)
            submitAnswer()
        }

        override func handleSuccess(_ success: [AnyHashable: Any]!) { successes.update { $0 += 1 } }
    }

    private func handler() -> CustomRemoteChallengeHandler {
        CustomRemoteChallengeHandler(realm: "wl_remoteDisableRealm")
    }

    @Test("A notified application shows the message, replies with its id, and goes on; it is asked once")
    func notify() async throws {
        try await TestServer.run { server in
            try server.setRule(.notify, message: "Bald ist Schluß")
            let client = try server.client()
            let handler = handler()
            client.client.registerChallengeHandler(handler)
            #expect(try await client.connect().status == "200")
            #expect(try await client.invoke("count").response().status == "200")
            #expect(handler.messages.value == ["notified: Bald ist Schluß"])
            #expect(handler.successes.value == 1)
        }
    }

    @Test("A disabled application gets the reason and a download link, and fails with APP_VERSION_ACCESS_DENIAL")
    func disabled() async throws {
        try await TestServer.run { server in
            try server.setRule(.disabled, message: "Too old", downloadLink: "http://example.invalid/new")
            let client = try server.client()
            let handler = handler()
            client.client.registerChallengeHandler(handler)
            let failure = try await client.failure { $0.wlConnect(with: $1) }
            #expect(failure.errorCode == WLErrorCodeApplicationVersionDenied)
            #expect(failure.status == "403")
            #expect(failure.errorMsg == "Application version denied. Too old (http://example.invalid/new)")
            #expect(handler.messages.value == ["disabled: Too old"])
            #expect(handler.link.value == "http://example.invalid/new")
        }
    }

    @Test("A client without a handler acknowledges a message, and a disabled application fails all the same")
    func standard() async throws {
        try await TestServer.run { server in
            try server.setRule(.notify, message: "Hear")
            let client = try server.client()
            #expect(try await client.connect().status == "200")
            try server.setRule(.disabled, message: "Over")
            #expect(try await client.invoke("count").failure().errorCode == WLErrorCodeApplicationVersionDenied)
        }
    }

    @Test("A handler that overrides nothing acknowledges the message")
    func plain() async throws {
        try await TestServer.run { server in
            try server.setRule(.notify, message: "Hear")
            let client = try server.client()
            client.client.registerChallengeHandler(WLChallengeHandler(realm: "wl_remoteDisableRealm"))
            #expect(try await client.connect().status == "200")
        }
    }

    @Test("submitFailure leaves the message unread, and the request fails")
    func unread() async throws {
        final class Refusing: WLChallengeHandler {
            override func handleChallenge(_ challenge: [AnyHashable: Any]!) { submitFailure(nil) }
        }
        try await TestServer.run { server in
            try server.setRule(.notify, message: "Hear")
            let client = try server.client()
            client.client.registerChallengeHandler(Refusing(realm: "wl_remoteDisableRealm"))
            let failure = try await client.failure { $0.wlConnect(with: $1) }
            #expect(failure.errorMsg.contains("wl_remoteDisableRealm"))
        }
    }

    @Test("submitAnswer without setMessageId fails the request instead of leaving it hanging")
    func noMessageID() async throws {
        final class Forgetful: WLChallengeHandler {
            override func handleChallenge(_ challenge: [AnyHashable: Any]!) { submitAnswer() }
        }
        try await TestServer.run { server in
            try server.setRule(.notify, message: "Hear")
            let client = try server.client()
            client.client.registerChallengeHandler(Forgetful(realm: "wl_remoteDisableRealm"))
            _ = try await client.failure { $0.wlConnect(with: $1) }
        }
    }

    @Test("Another realm of the handshake gets its handler's object")
    func otherRealm() async throws {
        final class Answering: WLChallengeHandler {
            override func handleChallenge(_ challenge: [AnyHashable: Any]!) {
                submitChallengeAnswer(["answer": challenge["question"] as? String ?? ""])
            }
        }
        let server = try LoopbackServer {
            $0.number == 0 ? .challenge(#"{"wl_other":{"question":"why"}}"#) : .json(#"{"userInfo":{}}"#)
        }
        let client = try server.client()
        client.client.registerChallengeHandler(Answering(realm: "wl_other"))
        try await client.connect()
        #expect(server.requests.value.last?.header("Authorization") == #"{"wl_other":{"answer":"why"}}"#)
    }
}
