import Core
import Foundation
import PushModel

/// A request to a page's push service (RFC 8030), before it is encrypted.
struct WebPushRequest: ChannelRequest {
    let subscription: WebPushSubscription
    /// In seconds.
    let timeToLive: Int
    /// True if it may wake up a device that saves its battery.
    let isUrgent: Bool
    /// The topic; a repeat replaces a copy that the service still holds.
    let topic: String
    /// The content for the page's service worker.
    let text: String

    var headers: [PushRequest.Header] {
        [
            PushRequest.Header("TTL", String(timeToLive)),
            PushRequest.Header("Urgency", isUrgent ? "high" : "normal"),
            PushRequest.Header("Topic", topic),
        ]
    }

    var record: PushRequest {
        PushRequest(service: .webPush, method: "POST", url: subscription.endpoint.url, headers: headers, body: text)
    }
}

extension WebPushChannel {
    /// Returns the request to a page's push service (RFC 8030), with the content for the page's service worker. The transport encrypts it, so the
    /// transmitted body is longer and binary.
    ///
    /// The original had no Web Push, and no block of a notification is meant for it. A page gets the contents of the `GCM` block, the plainest of
    /// them, with the badge of the `APNS` block, or else all of the `APNS` block. docs/web-push.md describes the form of the content.
    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [WebPushRequest] {
        guard let content = WebContent(message.notification) else {
            if let problem = message.notification.problems[.gcm] ?? message.notification.problems[.apns] {
                throw PushRequestError.malformed(problem, in: message.delivery)
            }
            throw PushRequestError(
                "the notification has neither a GCM nor an APNS block, one of which is what \(message.delivery.target.platformName) pages receive"
            )
        }
        let body = JSONValue.object(message.webObject(content)).text
        try sizeLimit.check(body.utf8.count, parts: message.webParts(content))
        let subscription: WebPushSubscription
        do {
            subscription = try WebPushSubscription(message.token.value)
        } catch {
            throw PushRequestError("the page cannot be reached: \(error); it has to subscribe again")
        }
        return [
            WebPushRequest(
                subscription: subscription, timeToLive: message.secondsLeft, isUrgent: content.isUrgent,
                topic: message.topic, text: body)
        ]
    }
}

extension OutgoingMessage {
    fileprivate func webObject(_ content: WebContent) -> JSONObject {
        var object: JSONObject = ["id": .string(delivery.idText)]
        if isWanted("alert") {
            object["title"] = content.title.map(JSONValue.string)
            object["alert"] = content.alert.map(JSONValue.string)
        }
        if isWanted("badge") { object["badge"] = content.badge.map { .number(Double($0)) } }
        if isWanted("sound") { object["sound"] = content.sound.map(JSONValue.string) }
        var payload = JSONObject()
        if let mark { payload[mark.key] = mark.value }
        for member in content.payload?.members ?? [] where !reservedKeys.contains(member.key) {
            payload[member.key] = member.value
        }
        object["payload"] = .object(payload)
        return object
    }

    /// At most 32 characters of Base64 for URLs (RFC 8030, section 5.4).
    fileprivate var topic: String { withUnsafeBytes(of: delivery.id.uuid) { Base64URL.encode($0) } }

    fileprivate func webParts(_ content: WebContent) -> [MessagePart] {
        let path = notification.isFlatForm ? [] : [content.block]
        return parts(of: path, only: ["alert", "sound"].filter(isWanted)) + payloadParts(of: path + ["payload"])
    }
}

/// The part of a notification that a page receives.
private struct WebContent {
    /// The block that it comes from.
    let block: String
    var title: String?
    var alert: String?
    var badge: Int?
    var sound: String?
    var payload: JSONObject?
    /// True if it may wake up a device that saves its battery.
    var isUrgent: Bool

    /// - Returns: nil when there is nothing for a page.
    init?(_ notification: PushNotification) {
        if let gcm = notification.gcm {
            block = "GCM"
            (alert, sound, payload) = (gcm.alert, gcm.sound, gcm.payload)
            // A GCM block cannot have one, and the number is the same for all.
            badge = gcm.badge ?? notification.apns?.badge
            isUrgent = !gcm.delayWhileIdle
        } else if let apns = notification.apns {
            block = "APNS"
            isUrgent = apns.kind != .silent
            payload = apns.payload
            guard isUrgent else { return }
            (badge, sound) = (apns.badge, apns.sound)
            switch apns.alert {
            case .text(let text): alert = text
            case .object(let object): (title, alert) = (object["title"]?.string, object["body"]?.string)
            case nil: break
            }
        } else {
            return nil
        }
    }
}
