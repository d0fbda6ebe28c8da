import Core
public import PushModel

public import struct Foundation.Date

/// Makes the requests that carry a delivery to its push service: what would go over the wire, without credentials.
///
/// A pure function of the delivery, the settings and the time, so a transport and the preview send the same bytes.
public struct PushRequestBuilder: Sendable {
    public let settings: PushServiceSettings

    public init(settings: PushServiceSettings = PushServiceSettings()) {
        self.settings = settings
    }

    /// - Parameter now: the time of day of the attempt, from which the remaining time to live is counted.
    /// - Returns: one request, or for Windows one for each part of the notification; never none.
    /// - Throws: ``PushRequestError`` when the options have nothing for the platform, are malformed or too large, or when
    ///   the platform's service is no more.
    public func requests(for delivery: Delivery, now: Date) throws(PushRequestError) -> [PushRequest] {
        let recipient: MessageRecipient
        switch delivery.target {
        case .subscription(let subscription): recipient = MessageRecipient(subscription)
        case .registration(let registration, let address):
            recipient = MessageRecipient(registration, tag: address.tag)
        case .sms(let subscription):
            let notification = try notification(of: delivery)
            if let problem = notification.problems[.sms] { throw PushRequestError.malformed(problem, in: delivery) }
            return [try smsRequest(notification, to: subscription)]
        }
        // Microsoft refuses MPNS requests whatever they hold, so that is what the operator should read first.
        if recipient.platform == .windowsPhone {
            throw PushRequestError("Microsoft has shut down MPNS, the push service of Windows Phone 8")
        }
        let message = OutgoingMessage(
            delivery: delivery, notification: try notification(of: delivery), settings: settings, now: now,
            recipient: recipient)
        return switch recipient.platform {
        case .apple: [try message.apnsRequest()]
        case .android: [try message.fcmRequest()]
        case .windows, .windowsPhone: try message.wnsRequests()
        case .web: [try message.webPushRequest()]
        }
    }

    private func notification(of delivery: Delivery) throws(PushRequestError) -> PushNotification {
        do {
            return try delivery.content.notification
        } catch {
            throw PushRequestError.malformed(error, in: delivery)
        }
    }
}
