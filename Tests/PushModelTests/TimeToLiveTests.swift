import Core
import PushModel
import Testing

@Suite("Time to live")
struct TimeToLiveTests {
    @Test(
        "is GCM's, limited to 0 to four weeks",
        arguments: [
            (60, 60), (0.5, 0.5), (0, 0), (-5, 0), (2_419_200, 2_419_200), (1e9, 2_419_200), (.infinity, 2_419_200),
        ])
    func clamped(given: Double, expected: Double) {
        #expect(PushNotification(gcm: GCMBlock(timeToLive: given)).timeToLive == expected)
    }

    @Test("is four weeks by default", arguments: [PushNotification(), PushNotification(gcm: GCMBlock())])
    func longest(notification: PushNotification) {
        #expect(notification.timeToLive == 28 * 24 * 3600)
    }

    @Test("The flat form has none, so it lives four weeks")
    func flat() throws {
        #expect(try PushNotification(options: ["alert": "x", "timeToLive": 5]).timeToLive == 2_419_200)
    }
}
