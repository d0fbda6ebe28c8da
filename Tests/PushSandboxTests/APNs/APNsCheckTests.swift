import Crypto
import PushSandbox
import TestSupport
import Testing

@Suite("APNs' side refuses what Apple refuses", .defaultTimeLimit)
struct APNsCheckTests {
    struct Refusal: CustomTestStringConvertible, Sendable {
        let what: String
        var changes: [String: String?] = [:]
        var method = "POST"
        var path = APNsCase.path
        var body = APNsCase.body
        let status: Int
        let reason: String

        var testDescription: String { what }
    }

    static let refusals = [
        Refusal(what: "GET", method: "GET", status: 405, reason: "MethodNotAllowed"),
        Refusal(what: "another path", path: "/3/devices/1", status: 404, reason: "BadPath"),
        Refusal(what: "no token", path: "/3/device/", status: 400, reason: "MissingDeviceToken"),
        Refusal(what: "a token of other characters", path: "/3/device/xyz", status: 400, reason: "BadDeviceToken"),
        Refusal(what: "a short token", path: "/3/device/0a0a", status: 400, reason: "BadDeviceToken"),
        Refusal(what: "no topic", changes: ["apns-topic": nil], status: 400, reason: "MissingTopic"),
        Refusal(what: "a topic with blanks", changes: ["apns-topic": "a b"], status: 400, reason: "BadTopic"),
        Refusal(
            what: "VoIP to the app's own topic", changes: ["apns-push-type": "voip"], status: 400,
            reason: "TopicDisallowed"),
        Refusal(what: "an unknown type", changes: ["apns-push-type": "loud"], status: 400, reason: "InvalidPushType"),
        Refusal(what: "priority 7", changes: ["apns-priority": "7"], status: 400, reason: "BadPriority"),
        Refusal(
            what: "a background push of priority 10", changes: ["apns-push-type": "background"],
            body: #"{"aps":{"content-available":1}}"#, status: 400, reason: "BadPriority"),
        Refusal(
            what: "a background push with a sound", changes: ["apns-push-type": "background", "apns-priority": "5"],
            body: #"{"aps":{"content-available":1,"sound":"x"}}"#, status: 400, reason: "InvalidPushType"),
        Refusal(
            what: "a background push without content-available",
            changes: ["apns-push-type": "background", "apns-priority": "5"], body: #"{"aps":{}}"#, status: 400,
            reason: "InvalidPushType"),
        Refusal(
            what: "an expiration with a fraction", changes: ["apns-expiration": "1.5"], status: 400,
            reason: "BadExpirationDate"),
        Refusal(what: "an id that is no UUID", changes: ["apns-id": "1"], status: 400, reason: "BadMessageId"),
        Refusal(
            what: "a collapse id of 65 bytes", changes: ["apns-collapse-id": String(repeating: "c", count: 65)],
            status: 400, reason: "BadCollapseId"),
        Refusal(what: "no body", body: "", status: 400, reason: "PayloadEmpty"),
        Refusal(what: "no JSON", body: "{", status: 400, reason: "PayloadEmpty"),
        Refusal(what: "no aps", body: "{}", status: 400, reason: "PayloadEmpty"),
        Refusal(
            what: "4,097 bytes", body: #"{"aps":{"alert":"\#(String(repeating: "x", count: 4077))"}}"#, status: 413,
            reason: "PayloadTooLarge"),
        Refusal(
            what: "a body beyond all bounds", body: String(repeating: "x", count: 60_000), status: 413,
            reason: "PayloadTooLarge"),
        Refusal(
            what: "no token of the provider", changes: ["authorization": nil], status: 403,
            reason: "MissingProviderToken"),
        Refusal(
            what: "another kind of authorization", changes: ["authorization": "Basic abc"], status: 403,
            reason: "InvalidProviderToken"),
        Refusal(
            what: "a provider token that is none", changes: ["authorization": "bearer a.b.c"], status: 403,
            reason: "InvalidProviderToken"),
    ]

    @Test("An invalid request is refused with Apple's reason", arguments: refusals)
    func refuses(_ refusal: Refusal) async throws {
        try await APNsCase.run { apns in
            let reply = try await apns.send(
                refusal.changes, method: refusal.method, path: refusal.path, body: refusal.body)
            #expect(reply.status == refusal.status)
            #expect(reply.body == #"{"reason":"\#(refusal.reason)"}"#)
            let arrival = await apns.sandbox.waitForArrivals(1).first
            #expect(arrival?.reason == refusal.reason)
            #expect(arrival?.isAccepted == false)
        }
    }

    @Test("4,096 bytes, a collapse id of 64 and a silent background push pass")
    func acceptsTheLimits() async throws {
        try await APNsCase.run { apns in
            let body = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4076))"}}"#
            #expect(body.utf8.count == 4096)
            let full = try await apns.send(["apns-collapse-id": String(repeating: "c", count: 64)], body: body)
            #expect(full.status == 200)
            let silent = try await apns.send(
                ["apns-push-type": "background", "apns-priority": "5"], body: #"{"aps":{"content-available":1}}"#)
            #expect(silent.status == 200)
        }
    }

    @Test("A repeated header is refused")
    func refusesDuplicates() async throws {
        try await APNsCase.run { apns in
            let headers = apns.headers() + [("apns-topic", "com.example.app")]
            let reply = try await apns.client.send("POST", APNsCase.path, headers, APNsCase.body)
            #expect(reply.body == #"{"reason":"DuplicateHeaders"}"#)
        }
    }

    @Test("A token of another key, with another key's id, of another team or from the future is refused")
    func refusesForeignTokens() async throws {
        try await APNsCase.run { apns in
            let tokens = [
                try await apns.providerToken(key: P256.Signing.PrivateKey().pemRepresentation),
                try await apns.providerToken(keyID: "OTHERKEYID"), try await apns.providerToken(team: "OTHERTEAM1"),
                try await apns.providerToken(age: -300),
            ]
            for token in tokens {
                let reply = try await apns.send(["authorization": "bearer \(token)"])
                #expect(reply.status == 403)
                #expect(reply.body == #"{"reason":"InvalidProviderToken"}"#)
            }
        }
    }

    @Test("A token is too old after an hour")
    func refusesOldTokens() async throws {
        try await APNsCase.run { apns in
            let good = try await apns.send(["authorization": "bearer \(try await apns.providerToken(age: 3500))"])
            #expect(good.status == 200)
            let old = try await apns.send(["authorization": "bearer \(try await apns.providerToken(age: 3700))"])
            #expect(old.status == 403)
            #expect(old.body == #"{"reason":"ExpiredProviderToken"}"#)
        }
    }

    @Test("A second token on a connection within 20 minutes is refused; the first stays valid")
    func refusesFrequentUpdates() async throws {
        try await APNsCase.run { apns in
            let first = try await apns.providerToken(age: 10)
            #expect(try await apns.send(["authorization": "bearer \(first)"]).status == 200)
            let second = try await apns.send(["authorization": "bearer \(try await apns.providerToken(age: 5))"])
            #expect(second.status == 429)
            #expect(second.body == #"{"reason":"TooManyProviderTokenUpdates"}"#)
            #expect(try await apns.send(["authorization": "bearer \(first)"]).status == 200)
        }
    }
}
