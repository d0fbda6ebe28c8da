import Core
import PushModel

extension PushRequestBuilder {
    /// How long a text may be, in the units that JavaScript and Java count: UTF-16's.
    ///
    /// A longer text was "split or rejected", as the gateway was set up (API62, `notifyDevice`). It is refused here: with a
    /// text in several messages, an attempt that fails half-way would send and charge the first of them again.
    public static let longestSMSText = 160

    /// The request to the subscription's gateway, a GET with the number and the text in its query.
    func smsRequest(
        _ notification: PushNotification, to subscription: SMSSubscription
    ) throws(PushRequestError) -> PushRequest {
        guard let gateway = settings.smsGateways[subscription.gatewayID] else {
            let known = settings.smsGateways.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw PushRequestError(
                """
                there is no SMS gateway '\(subscription.gatewayID)': expected \(known.isEmpty ? "one" : "one of \(known)") \
                of SMSConfig.xml, which \(known.isEmpty ? "has none" : "has these"); add it there
                """)
        }
        guard let text = notification.sms, !text.isEmpty else {
            throw PushRequestError("the notification has no SMS block with a text, which is what phone numbers receive")
        }
        let length = text.utf16.count
        guard length <= Self.longestSMSText else {
            throw PushRequestError(
                "SMS.text: expected at most \(Self.longestSMSText) characters, found \(length); shorten it or notify twice",
                isTooLarge: true)
        }
        return PushRequest(
            service: "SMS", method: "GET", url: gateway.url(to: subscription.phoneNumber.dialled, text: text),
            headers: [], body: "")
    }
}
