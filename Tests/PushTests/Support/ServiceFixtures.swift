import Core
import Foundation
import Push
import PushModel
import TestSupport

/// A device token that is one of a kind.
func deviceToken(_ number: Int = 0) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "a", count: 64 - text.count) + text
}

/// A delivery to an iPhone.
func appleDelivery(_ token: String = deviceToken(), application: String = "com.example.app", id: UUID = UUID())
    -> Delivery
{
    let subscription = DeviceSubscription(
        eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), userID: "ann", deviceID: "phone",
        applicationID: application, alias: "myNews", platform: .apple, token: DeviceToken(stored: token), options: [:])
    return Delivery(
        id: id, notificationID: UUID(), options: ["APNS": ["alert": "Hello"]], subscription: subscription,
        createdAt: ManualTime.start, expiresAt: ManualTime.start + 3600)
}
