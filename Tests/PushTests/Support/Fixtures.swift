import Core
import Foundation
import PushModel
import TestSupport

let apnsToken = String(repeating: "0123456789abcdef", count: 4)
let fcmToken = "APA91bHx-Y_z:1"
let wnsToken = "https://db5.notify.windows.com/?token=AwYA"
let webToken =
    #"{"endpoint":"https://push.example.com/p/abc?d=1","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","#
    + #""p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}"#

/// Prints as 00000000-0000-4000-8000-00000000000a in lower case.
let deliveryID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x0A))

func subscription(
    _ platform: Platform = .android, application: String = "com.example.news", alias: String = "myNews",
    device: String = "phone", options: JSONValue = ["alert": true, "badge": true, "sound": true]
) -> DeviceSubscription {
    let tokens: [Platform: String] = [
        .apple: apnsToken, .android: fcmToken, .windows: wnsToken, .web: webToken,
        .windowsPhone: "http://s.notify.live.net/u/1/db3/H2Q",
    ]
    let token = tokens[platform] ?? (try? DeviceToken(exampleOf: device, platform: platform).value) ?? ""
    return DeviceSubscription(
        eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), userID: "ann", deviceID: device,
        applicationID: application, alias: alias, platform: platform, token: DeviceToken(stored: token),
        options: options)
}

/// Returns a delivery made at the start of the test, by default to a separate device.
///
/// - Parameter timeToLive: in seconds.
func delivery(
    _ options: JSONValue = ["GCM": ["alert": "Hello"]], to target: DeviceSubscription? = nil,
    id: UUID = UUID(), timeToLive: Double = 3600
) -> Delivery {
    Delivery(
        id: id, notificationID: UUID(), options: options, subscription: target ?? subscription(device: "phone \(id)"),
        createdAt: ManualTime.start,
        expiresAt: ManualTime.start + timeToLive)
}

/// Always returns the same bits: all ones make the longest wait, zeros none.
struct ConstantGenerator: RandomNumberGenerator, Sendable {  // test: allowed, its bits are not random
    let bits: UInt64

    static let longest = ConstantGenerator(bits: .max)
    static let shortest = ConstantGenerator(bits: 0)

    mutating func next() -> UInt64 { bits }
}

/// A text message through the gateway `gate`.
func smsDelivery(_ options: JSONValue, to number: String = "0049 170 1", id: UUID = UUID()) throws -> Delivery {
    let subscription = SMSSubscription(
        eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), phoneNumber: try PhoneNumber(number),
        gatewayID: "gate", userID: "ann")
    return Delivery(
        id: id, notificationID: UUID(), options: options, target: .sms(subscription), createdAt: ManualTime.start,
        expiresAt: ManualTime.start + 3600)
}

extension LogRecorder.Line {
    /// The line without the id of the notification, which is another one in each run.
    var withoutMessageID: Self {
        Self(level: level, message: message, metadata: metadata.filter { $0.key != "message" })
    }
}
