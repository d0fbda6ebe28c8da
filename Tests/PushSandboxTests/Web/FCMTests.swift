import Core
import Foundation
import PushSandbox
import TestSupport
import Testing

@Suite("FCM's side", .defaultTimeLimit)
struct FCMTests {
    private static let good = """
        {"message":{"token":"phone-1","data":{"alert":"hello"},"android":{"ttl":"60s","priority":"HIGH"}}}
        """

    @Test("A good message gets its name in the response and is kept")
    func accepts() async throws {
        try await WebCase.run { web in
            let reply = try await web.sendFCM(Self.good)
            #expect(reply.status == 200)
            #expect(reply.json["name"]?.string?.hasPrefix("projects/sandbox/messages/") == true)
            let arrival = try #require(await web.sandbox.waitForArrivals(1, of: .fcm).first)
            #expect(arrival.token == "phone-1")
            #expect(arrival.id == reply.json["name"]?.string)
            #expect(String(decoding: arrival.body, as: UTF8.self) == Self.good)
        }
    }

    struct BadMessage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: String
        let says: String

        init(_ description: String, _ message: String, _ says: String) {
            testDescription = description
            self.message = message
            self.says = says
        }
    }

    static let badMessages = [
        BadMessage("no JSON", "{", "Invalid JSON payload received"),
        BadMessage("no message", "{}", "Invalid value at 'message'"),
        BadMessage(
            "an unknown member", #"{"message":{"token":"t","colour":1}}"#, "Unknown name \\\"colour\\\" at 'message'"),
        BadMessage("an unknown member at the top", #"{"message":{"token":"t"},"to":"t"}"#, "Unknown name \\\"to\\\""),
        BadMessage(
            "an unknown Android member", #"{"message":{"token":"t","android":{"delay":1}}}"#,
            "Unknown name \\\"delay\\\" at 'message.android'"),
        BadMessage("no recipient", #"{"message":{"data":{}}}"#, "Recipient of the message is not set."),
        BadMessage("two recipients", #"{"message":{"token":"t","topic":"x"}}"#, "oneof field"),
        BadMessage(
            "a token with blanks", #"{"message":{"token":"a b"}}"#,
            "The registration token is not a valid FCM registration token"),
        BadMessage(
            "data that is no text", #"{"message":{"token":"t","data":{"badge":12}}}"#,
            "Invalid value at 'message.data[0].value' (TYPE_STRING), 12"),
        BadMessage(
            "a reserved key", #"{"message":{"token":"t","data":{"from":"x"}}}"#, "Invalid data payload key: from"),
        BadMessage(
            "a time to live without s", #"{"message":{"token":"t","android":{"ttl":"60"}}}"#, "must end with 's'"),
        BadMessage(
            "a time to live of a year", #"{"message":{"token":"t","android":{"ttl":"31536000s"}}}"#, "Invalid TTL"),
        BadMessage(
            "an unknown priority", #"{"message":{"token":"t","android":{"priority":"TOP"}}}"#,
            "Invalid value at 'message.android.priority'"),
        BadMessage(
            "4,097 bytes of data", #"{"message":{"token":"t","data":{"k":"\#(String(repeating: "x", count: 4096))"}}}"#,
            "Android message is too big"),
    ]

    @Test("refuses an invalid message with the reason", arguments: badMessages)
    func refuses(_ bad: BadMessage) async throws {
        try await WebCase.run { web in
            let reply = try await web.sendFCM(bad.message)
            #expect(reply.status == 400)
            #expect(reply.json["error"]?["status"] == "INVALID_ARGUMENT")
            #expect(reply.body.contains(bad.says), "\(reply.body)")
        }
    }

    @Test("A missing, unknown, expired or revoked token gets 401, another project 403")
    func checksToken() async throws {
        let clock = Clock()
        var settings = PushSandbox.Settings()
        settings.now = { clock.now }
        try await WebCase.run(settings) { web in
            #expect(try await web.sendFCM(Self.good, token: "nonsense").json["error"]?["status"] == "UNAUTHENTICATED")
            let token = try await web.googleToken()
            let other = try await web.sendFCM(Self.good, project: "other", token: token)
            #expect(other.status == 403)
            web.sandbox.revokeAccessTokens()
            #expect(try await web.sendFCM(Self.good, token: token).status == 401)
            let second = try await web.googleToken()
            clock.advance(by: 3601)
            #expect(try await web.sendFCM(Self.good, token: second).status == 401)
        }
    }

    @Test(
        "Faults come in Google's form",
        arguments: [
            (404, "UNREGISTERED", "NOT_FOUND"), (403, "SENDER_ID_MISMATCH", "PERMISSION_DENIED"),
            (429, "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"), (503, "UNAVAILABLE", "UNAVAILABLE"),
            (500, "INTERNAL", "INTERNAL"), (401, "THIRD_PARTY_AUTH_ERROR", "UNAUTHENTICATED"),
        ])
    func faults(status: Int, code: String, canonical: String) async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.service == .fcm ? .status(status, reason: code, retryAfter: 9) : nil }
        try await WebCase.run(settings) { web in
            let reply = try await web.sendFCM(Self.good)
            #expect(reply.status == status)
            #expect(reply.headers["retry-after"] == "9")
            let error = reply.json["error"]
            #expect(error?["status"] == .string(canonical))
            #expect(error?["code"] == .number(Double(status)))
            #expect(error?["details"]?.array?.first?["errorCode"] == .string(code))
        }
    }

    @Test("A closed connection and a reset send no response", arguments: [SandboxFault.closeConnection, .reset])
    func closes(fault: SandboxFault) async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.service == .fcm ? fault : nil }
        try await WebCase.run(settings) { web in
            let token = try await web.googleToken()
            await #expect(throws: (any Error).self) { try await web.sendFCM(Self.good, token: token) }
            #expect(web.sandbox.arrivals(of: .fcm).allSatisfy { $0.status == nil && !$0.isAccepted })
        }
    }
}
