import Core
import PushModel

import struct Foundation.Date

/// A delivery with everything that goes into its requests.
struct OutgoingMessage {
    let delivery: Delivery
    let notification: PushNotification
    let settings: PushServiceSettings
    let now: Date
    /// The app on the device.
    let applicationID: String
    let token: DeviceToken
    /// What the app said it wants to see when it subscribed; empty for a message of `sendMessage`.
    let appOptions: JSONValue
    /// The member of the payload by which the client finds who is to have the message: the alias of the event source, or
    /// the tag. A message to a device, user or platform has none, and goes to the client's general listener
    /// (wire-protocol 4.4).
    let mark: JSONObject.Member?
    /// Members of the adapter's own payload that would mislead the client. An `alias` would call the callback of an event
    /// source that sent nothing.
    let reservedKeys: Set<String>

    /// - Parameter now: the time of day of the attempt.
    /// - Throws: ``PushRequestError`` when the options are malformed.
    init(_ delivery: Delivery, _ settings: PushServiceSettings, now: Date) throws(PushRequestError) {
        do {
            notification = try delivery.content.notification
        } catch {
            throw PushRequestError.malformed(error, in: delivery)
        }
        self.delivery = delivery
        self.settings = settings
        self.now = now
        applicationID = delivery.target.applicationID ?? ""
        token = delivery.target.token ?? DeviceToken(stored: "")
        switch delivery.target {
        case .subscription(let subscription):
            appOptions = subscription.options
            mark = JSONObject.Member(key: "alias", value: .string(subscription.alias))
            reservedKeys = ["alias"]
        case .registration(_, let address):
            appOptions = [:]
            // Also for a broadcast, whose tag is `Push.ALL`.
            mark = address.tag.map { JSONObject.Member(key: "tag", value: .string($0)) }
            reservedKeys = ["alias", "tag"]
        case .sms: (appOptions, mark, reservedKeys) = ([:], nil, [])
        }
    }

    /// Whether the app wants to see an `alert`, `badge` or `sound`: everything but what it turned off when it
    /// subscribed (wire-protocol 4.2).
    ///
    /// The references do not say that the original server honoured these; the client asked for it, so we do. Native
    /// 5.0.6 clients write every value as a string.
    func isWanted(_ field: String) -> Bool {
        let choice = appOptions[field]
        return choice != false && choice?.string?.lowercased() != "false"
    }

    /// The JSON text by which a client finds its callback: the subscription's alias or the tag, and then the adapter's own
    /// members (wire-protocol 4.4, server-api 2.8). An `alias` of the adapter's gives way to the subscription's.
    func payloadText(_ payload: JSONObject?) -> String {
        let own = (payload?.members ?? []).filter { !reservedKeys.contains($0.key) }
        var utf8 = [UInt8(ascii: "{")]
        for (index, member) in ((mark.map { [$0] } ?? []) + own).enumerated() {
            if index > 0 { utf8.append(UInt8(ascii: ",")) }
            JSONValue.string(member.key).write(to: &utf8)
            utf8.append(UInt8(ascii: ":"))
            member.value.write(to: &utf8)
        }
        utf8.append(UInt8(ascii: "}"))
        return String(decoding: utf8, as: UTF8.self)
    }

    /// The time to live that is left, in whole seconds, rounded up; 0 when it has run out.
    var secondsLeft: Int {
        let seconds = delivery.expiresAt.timeIntervalSince(now).rounded(.up)
        return Int(exactly: min(max(seconds, 0), PushNotification.longestTimeToLive)) ?? 0
    }

    /// For a notification that has nothing for the device's platform, or nothing that can be read.
    func missing(_ block: PushNotification.Block) -> PushRequestError {
        if let problem = notification.problems[block] { return .malformed(problem, in: delivery) }
        return PushRequestError(
            "the notification has no \(block.rawValue) block, which is what \(delivery.target.platformName) devices receive"
        )
    }
}
