import Core
import Push
import PushModel
import TestSupport
import Testing

@Suite("The requests for a device")
struct RequestChoiceTests {
    private let flat: JSONValue = ["alert": "Hi", "badge": 1, "sound": "s"]

    private func bodies(_ notification: JSONValue, _ subscription: DeviceSubscription) throws -> [String] {
        try PushRequestBuilder().requests(for: delivery(notification, to: subscription), now: ManualTime.start)
            .map(\.body)
    }

    @Test(
        "An app that turned off the alert, the badge or the sound gets the rest",
        arguments: [
            (["alert": false], #"{"aps":{"badge":1,"sound":"s"},"#),
            (["badge": false], #"{"aps":{"alert":{"action-loc-key":null,"body":"Hi"},"sound":"s"},"#),
            (["sound": false], #"{"aps":{"alert":{"action-loc-key":null,"body":"Hi"},"badge":1},"#),
            (["alert": false, "badge": false, "sound": false], #"{"aps":{},"#),
        ] as [(JSONValue, String)])
    func apns(options: JSONValue, prefix: String) throws {
        #expect(try bodies(flat, subscription(.apple, options: options)).map { $0.hasPrefix(prefix) } == [true])
    }

    @Test("An Android app that turned them off gets the payload alone")
    func fcm() throws {
        let subscription = subscription(.android, options: ["alert": false, "badge": false, "sound": false])
        let data = #""data":{"payload":"{\"alias\":\"myNews\"}"}"#
        #expect(try bodies(flat, subscription).map { $0.contains(data) } == [true])
    }

    @Test("A Windows app that turned off the alert gets neither toast nor tile")
    func wns() throws {
        let text: JSONValue = ["visual": ["binding": ["template": "T", "text": [["content": "a"]]]]]
        let block: JSONValue = ["toast": text, "tile": text, "badge": ["value": 1]]
        let subscription = subscription(.windows, options: ["alert": false])
        #expect(
            try bodies(["WNS": block], subscription)
                == [#"<?xml version="1.0" encoding="utf-8"?><badge value="1"/>"#, #"{"alias":"myNews"}"#])
    }

    @Test("A Windows app that turned off all there is gets the alias alone")
    func wnsNothing() throws {
        let subscription = subscription(.windows, options: ["badge": false])
        #expect(try bodies(["WNS": ["badge": ["value": 1]]], subscription) == [#"{"alias":"myNews"}"#])
    }

    @Test(
        "Everything is sent unless it was turned off",
        arguments: [[:], .null, ["alert": .null], ["alert": 0], ["alert": "true"], ["alert": true]] as [JSONValue])
    func wanted(options: JSONValue) throws {
        #expect(try bodies(flat, subscription(.apple, options: options)).map { $0.contains("Hi") } == [true])
    }

    @Test("A false written as a string, as native 5.0.6 clients do, turns off too")
    func falseAsText() throws {
        let bodies = try bodies(flat, subscription(.apple, options: ["alert": "false"]))
        #expect(bodies.map { $0.contains("Hi") } == [false])
    }

    @Test(
        "A notification without a block for the platform is refused",
        arguments: [(Platform.apple, "APNS", "Apple"), (.android, "GCM", "Android"), (.windows, "WNS", "Windows")])
    func missingBlock(platform: Platform, block: String, name: String) {
        #expect(
            throws: PushRequestError("the notification has no \(block) block, which is what \(name) devices receive")
        ) {
            try bodies(["SMS": ["text": "Hi"]], subscription(platform))
        }
    }

    @Test("Windows Phone is refused, since its service is no more")
    func windowsPhone() {
        #expect(throws: PushRequestError("Microsoft has shut down MPNS, the push service of Windows Phone 8")) {
            try bodies(flat, subscription(.windowsPhone))
        }
    }

    @Test("Malformed options are refused with the key")
    func malformed() {
        #expect(
            throws: PushRequestError(
                #"the notification's options are malformed: GCM.alert: expected a string, got an array"#)
        ) {
            try bodies(["GCM": ["alert": []]], subscription(.android))
        }
    }

    @Test("An unreadable block is refused for its own devices, and the others get theirs")
    func badBlock() throws {
        let options: JSONValue = ["APNS": ["badge": []], "GCM": ["alert": "Hi"], "SMS": ["text": []]]
        #expect(try bodies(options, subscription(.android)).count == 1)
        let refusal = PushRequestError(
            "the notification's options are malformed: APNS.badge: expected a whole number, got an array")
        #expect(throws: refusal) { try bodies(options, subscription(.apple)) }
    }
}
