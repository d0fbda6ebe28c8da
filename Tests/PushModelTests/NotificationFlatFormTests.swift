import Core
import PushModel
import Testing

@Suite("Notifications in the flat form of 5.0.5 and before")
struct NotificationFlatFormTests {
    /// The sample of seed 000.
    private let sample: JSONValue = [
        "badge": 1, "sound": "sound.mp3", "activateButtonLabel": "ClickMe", "alert": "Hello", "payload": ["foo": "bar"],
    ]

    @Test("are recognised, so that a deprecation warning can be logged")
    func recognised() throws {
        #expect(try PushNotification(options: sample).isFlatForm)
    }

    @Test("set APNs' block, with the button's label as the action key")
    func apns() throws {
        #expect(
            try PushNotification(options: sample).apns
                == APNSBlock(
                    alert: .text("Hello"), badge: 1, sound: "sound.mp3", actionKey: "ClickMe", payload: ["foo": "bar"]))
    }

    @Test("set GCM's block, badge included")
    func gcm() throws {
        #expect(
            try PushNotification(options: sample).gcm
                == GCMBlock(alert: "Hello", badge: 1, sound: "sound.mp3", payload: ["foo": "bar"]))
    }

    @Test("set Windows' tile, badge and raw payload")
    func wns() throws {
        #expect(
            try PushNotification(options: sample).wns
                == WNSBlock(
                    raw: ["foo": "bar"],
                    tile: WNSTile(bindings: [WNSBinding(template: "TileSquareText04", texts: ["Hello"])]), badge: "1"))
    }

    @Test("A badge below 0 takes the badge of Windows away")
    func negativeBadge() throws {
        let notification = try PushNotification(options: ["badge": -1])
        #expect(notification.apns?.badge == -1)
        #expect(notification.wns?.badge == "0")
    }

    @Test("set neither SMS nor MPNS")
    func others() throws {
        let notification = try PushNotification(options: sample)
        #expect(notification.sms == nil)
        #expect(notification.mpns == nil)
    }

    @Test(
        "recognizes the flat form by any one of its keys",
        arguments: ["badge", "sound", "activateButtonLabel", "alert", "payload"])
    func oneKey(key: String) throws {
        let notification = try PushNotification(options: .object([key: .null]))
        #expect(notification == PushNotification(apns: APNSBlock(), gcm: GCMBlock(), wns: WNSBlock(), isFlatForm: true))
    }

    @Test("Options without any known key are an empty notification", arguments: [[:], ["Alert": "x"]] as [JSONValue])
    func nothing(options: JSONValue) throws {
        #expect(try PushNotification(options: options) == PushNotification())
    }
}
