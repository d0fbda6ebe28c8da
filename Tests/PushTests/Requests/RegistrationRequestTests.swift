import Core
import Foundation
import Push
import PushModel
import TestSupport
import Testing

@Suite("The requests of sendMessage for a device")
struct RegistrationRequestTests {
    /// The requests for a message to a device like that of `subscription(platform)`.
    private func requests(
        _ options: JSONValue, _ platform: Platform = .android, tag: String? = nil
    ) throws -> [PushRequest] {
        let registration = DeviceRegistration(subscription(platform))
        let message = try BroadcastMessage(options: options)
        let delivery = Delivery(
            id: deliveryID, notificationID: deliveryID, options: message.options,
            target: .registration(registration, by: tag.map(MessageAddress.tag) ?? .device),
            createdAt: ManualTime.start,
            expiresAt: ManualTime.start + 3600)
        return try PushRequestBuilder().requests(for: delivery, now: ManualTime.start)
    }

    @Test("An iPhone's payload names the tag instead of the alias")
    func apns() throws {
        let options: JSONValue = [
            "message": ["alert": "Hi"], "settings": ["apns": ["badge": 1, "payload": ["a": 1]]],
        ]
        let request = try requests(options, .apple, tag: "cars").first
        #expect(
            request?.body
                == #"{"aps":{"alert":{"action-loc-key":null,"body":"Hi"},"badge":1},"#
                + #""payload":"{\"tag\":\"cars\",\"a\":1}"}"#)
        #expect(request?.url == "https://api.sandbox.push.apple.com/3/device/\(apnsToken)")
        #expect(request?.headers.contains(PushRequest.Header("apns-topic", "com.example.news")) == true)
    }

    @Test("An Android payload names the tag, for a broadcast Push.ALL")
    func fcm() throws {
        let body = try requests(["message": ["alert": "Hi"]], tag: Tags.broadcast).first?.body
        #expect(body?.contains(#""data":{"alert":"Hi","payload":"{\"tag\":\"Push.ALL\"}"}"#) == true)
        #expect(body?.contains(#""token":"\#(fcmToken)""#) == true)
    }

    @Test("Windows gets a toast with the alert, and raw with the tag")
    func wns() throws {
        #expect(
            try requests(["message": ["alert": "Hi"]], .windows, tag: "cars").map(\.body) == [
                #"<?xml version="1.0" encoding="utf-8"?><toast><visual><binding template="ToastText01">"#
                    + #"<text id="1">Hi</text></binding></visual></toast>"#,
                #"{"tag":"cars"}"#,
            ])
    }

    @Test("A message to devices, users or platforms has neither alias nor tag")
    func unmarked() throws {
        let body = try requests(["message": ["alert": "Hi"]]).first?.body
        #expect(body?.contains(#""payload":"{}""#) == true)
    }

    @Test("The adapter's own alias and tag cannot pass for the server's", arguments: [nil, "cars"])
    func reserved(tag: String?) throws {
        let payload: JSONValue = ["alias": "x", "a": 1, "tag": "y"]
        let options: JSONValue = ["message": ["alert": "Hi"], "settings": ["gcm": ["payload": payload]]]
        let text = try requests(options, tag: tag).first?.body
        let expected = tag == nil ? #"{\"a\":1}"# : #"{\"tag\":\"cars\",\"a\":1}"#
        #expect(text?.contains(#""payload":"\#(expected)""#) == true)
    }

    @Test("Windows Phone is refused as for event sources")
    func windowsPhone() {
        #expect(throws: PushRequestError("Microsoft has shut down MPNS, the push service of Windows Phone 8")) {
            try requests(["message": ["alert": "Hi"]], .windowsPhone)
        }
    }

    @Test("Unreadable settings are refused for their own devices, with their path in sendMessage's options")
    func badSettings() throws {
        let options: JSONValue = ["message": ["alert": "Hi"], "settings": ["apns": ["badge": []]]]
        #expect(try requests(options, .android).count == 1)
        let refusal = PushRequestError(
            "the notification's options are malformed: settings.apns.badge: expected a whole number, got an array")
        #expect(throws: refusal) { try requests(options, .apple) }
    }

    @Test("A tag that makes the message too large is blamed for it")
    func tooLarge() {
        let tag = String(repeating: "x", count: 5000)
        let error = #expect(throws: PushRequestError.self) { try requests(["message": ["alert": "Hi"]], tag: tag) }
        #expect(error?.reason.hasSuffix("the largest part is the tag with 5002 bytes") == true)
    }

    @Test("The part that makes the message too large is named by its path in sendMessage's options")
    func tooLargePart() {
        let text: JSONValue = .string(String(repeating: "x", count: 5000))
        let blame = { (options: JSONValue) in
            #expect(throws: PushRequestError.self) { try requests(options, .apple) }?.reason
        }
        #expect(blame(["message": ["alert": text]])?.contains("the largest part is message.alert with") == true)
        let settings: JSONValue = ["apns": ["payload": ["big": text, "alias": text]]]
        #expect(
            blame(["message": ["alert": "Hi"], "settings": settings])?
                .contains("the largest part is settings.apns.payload.big with") == true)
    }
}
