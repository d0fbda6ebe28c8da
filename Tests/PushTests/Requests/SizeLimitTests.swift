import Core
import Push
import PushModel
import TestSupport
import Testing

@Suite("Messages that are too large")
struct SizeLimitTests {
    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    private func requests(_ options: JSONValue, _ subscription: DeviceSubscription) throws -> [PushRequest] {
        try PushRequestBuilder().requests(for: delivery(options, to: subscription), now: ManualTime.start)
    }

    private func expectRefusal(_ options: JSONValue, _ subscription: DeviceSubscription, _ reason: String) {
        #expect(throws: PushRequestError(reason, isTooLarge: true)) { try requests(options, subscription) }
    }

    @Test("APNs takes 4096 bytes and not one more")
    func apns() throws {
        // {"aps":{},"payload":"{\"alias\":\"myNews\",\"a\":\"…\"}"} has 56 bytes without the dots.
        let subscription = subscription(.apple)
        let largest = try requests(["APNS": ["payload": ["a": text(4040)]]], subscription)
        #expect(largest.first?.body.utf8.count == 4096)
        expectRefusal(
            ["APNS": ["payload": ["a": text(4041)]]], subscription,
            "APNs takes at most 4096 bytes and this message has 4097; "
                + "the largest part is APNS.payload.a with 4043 bytes")
    }

    @Test("FCM takes 4096 bytes of keys and values in its data and not one more")
    func fcm() throws {
        // alert 5, payload 7, {"alias":"myNews"} 18.
        let subscription = subscription(.android)
        _ = try requests(["GCM": ["alert": text(4066)]], subscription)
        expectRefusal(
            ["GCM": ["alert": text(4067), "payload": [:]]], subscription,
            "FCM takes at most 4096 bytes and this message has 4097; the largest part is GCM.alert with 4069 bytes")
    }

    @Test("WNS takes 5000 bytes in each request and not one more")
    func wns() throws {
        let subscription = subscription(.windows)
        // {"alias":"myNews","a":"…"} has 25 bytes without the dots.
        let largest = try requests(["WNS": ["raw": ["payload": ["a": text(4975)]]]], subscription)
        #expect(largest.first?.body.utf8.count == 5000)
        expectRefusal(
            ["WNS": ["raw": ["payload": ["a": text(4976)]]]], subscription,
            "WNS takes at most 5000 bytes and this message has 5001; "
                + "the largest part is WNS.raw.payload.a with 4978 bytes")
    }

    @Test("A toast or tile of WNS that is too large is blamed by its own key")
    func wnsParts() {
        let subscription = subscription(.windows)
        let visual: JSONValue = ["binding": ["template": "T", "text": [["content": text(5000)]]]]
        for part in ["toast", "tile"] {
            let block: JSONValue = .object([part: ["visual": visual]])
            #expect {
                try requests(["WNS": block], subscription)
            } throws: { error in
                "\(error)".contains("the largest part is WNS.\(part).visual with ")
            }
        }
    }

    @Test("Characters count by their bytes")
    func bytes() {
        let alert = JSONValue.string(String(repeating: "é", count: 2034))
        expectRefusal(
            ["GCM": ["alert": alert]], subscription(.android),
            "FCM takes at most 4096 bytes and this message has 4098; the largest part is GCM.alert with 4070 bytes")
    }

    @Test("The largest of several parts is blamed")
    func largest() {
        let options: JSONValue = [
            "APNS": ["alert": text(1000), "payload": ["a": text(1000), "b": [text(2000)], "c": 1]]
        ]
        #expect {
            try requests(options, subscription(.apple))
        } throws: { error in
            "\(error)".hasSuffix("the largest part is APNS.payload.b with 2004 bytes")
        }
    }

    @Test(
        "A key of the flat form is named without a block",
        arguments: [
            (Platform.apple, "payload.a"), (.android, "payload.a"), (.windows, "payload.a"),
        ])
    func flat(platform: Platform, path: String) {
        #expect {
            try requests(["alert": "x", "payload": ["a": text(6000)]], subscription(platform))
        } throws: { error in
            "\(error)".hasSuffix("the largest part is \(path) with 6002 bytes")
        }
    }

    @Test("A tile made from the flat form is blamed on the alert")
    func flatTile() {
        #expect {
            try requests(["alert": text(6000)], subscription(.windows))
        } throws: { error in
            "\(error)".hasSuffix("the largest part is alert with 6002 bytes")
        }
    }

    @Test("An omitted part is not blamed")
    func notSent() {
        let options: JSONValue = [
            "GCM": ["alert": text(9000), "other": text(9000), "payload": ["alias": text(9000), "a": text(5000)]]
        ]
        #expect {
            try requests(options, subscription(.android, options: ["alert": false]))
        } throws: { error in
            "\(error)".hasSuffix("the largest part is GCM.payload.a with 5002 bytes")
        }
    }

    @Test("An alias that is too long is blamed on the subscription")
    func alias() {
        let subscription = subscription(.android, alias: String(repeating: "x", count: 5000))
        #expect {
            try requests(["GCM": [:]], subscription)
        } throws: { error in
            "\(error)".hasSuffix("the largest part is the subscription's alias with 5002 bytes")
        }
    }
}
