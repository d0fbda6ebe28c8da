import Core
import Foundation
import NIOCore
import NIOHTTP1
import PushModel
import TestSupport

@testable import Push

/// Deliveries and responses for the tests of FCM, WNS and SMS.
enum ServiceSample {
    static let fcmToken = "APA91bHx-Y_z:1abcdefghijklmnopqrstuvwxyz"
    static let channel = "https://db5.notify.windows.com/?token=AwYAAACdefghijkl%2b"

    static func delivery(
        _ options: JSONValue, platform: Platform = .android, token: String? = nil, timeToLive: Double = 3600
    ) -> Delivery {
        let subscription = DeviceSubscription(
            eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), userID: "ann", deviceID: "phone",
            applicationID: "com.example.news", alias: "myNews", platform: platform,
            token: DeviceToken(stored: token ?? (platform == .windows ? channel : fcmToken)),
            options: ["alert": true, "badge": true, "sound": true])
        return Delivery(
            notificationID: UUID(), options: options, subscription: subscription, createdAt: ManualTime.start,
            expiresAt: ManualTime.start + timeToLive)
    }

    static func smsDelivery(
        _ text: String = "Hello", to number: String = "+49 170 1234567", gateway: String = "gate"
    ) throws -> Delivery {
        let subscription = SMSSubscription(
            eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), phoneNumber: try PhoneNumber(number),
            gatewayID: gateway, userID: "ann")
        return Delivery(
            notificationID: UUID(), options: ["SMS": ["text": .string(text)]], target: .sms(subscription),
            createdAt: ManualTime.start, expiresAt: ManualTime.start + 3600)
    }

    static func answer(
        _ status: Int, _ body: String = "", headers: [(String, String)] = [], reasonPhrase: String = ""
    ) -> ServiceAnswer {
        ServiceAnswer(
            status: status, reasonPhrase: reasonPhrase, headers: HTTPHeaders(headers), body: ByteBuffer(string: body))
    }
}
