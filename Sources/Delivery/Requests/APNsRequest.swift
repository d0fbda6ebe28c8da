import Foundation
import PushModel

extension OutgoingMessage {
    /// The request to APNs: the body as the original sent it (wire-protocol 4.4), in today's frame (anchors F1).
    func apnsRequest() throws(RequestRefusal) -> PushRequest {
        guard let block = notification.apns else { throw missing(block: "APNS") }
        let body = JSONValue.object([
            "aps": .object(aps(block)),
            "payload": .string(payloadText(block.payload)),
        ]).text
        try SizeLimit.apns.check(body.utf8.count, parts: apnsParts)
        let isSilent = block.kind == .silent
        return PushRequest(
            service: "APNs", method: "POST",
            url:
                "https://\(settings.apnsEnvironment(of: recipient.applicationID).host)/3/device/\(recipient.token.value)",
            headers: [
                PushRequest.Header("apns-id", delivery.idText),
                PushRequest.Header("apns-topic", settings.apnsTopic(of: recipient.applicationID)),
                PushRequest.Header("apns-push-type", isSilent ? "background" : "alert"),
                PushRequest.Header("apns-priority", isSilent ? "5" : "10"),
                PushRequest.Header("apns-expiration", apnsExpiration),
                PushRequest.Header("content-type", "application/json"),
            ],
            body: body)
    }

    /// Apple's part of the body. A silent notification may hold nothing but `content-available`.
    private func aps(_ block: APNSBlock) -> JSONObject {
        var aps = JSONObject()
        if block.kind != .silent {
            if isWanted("alert") { aps["alert"] = alert(block) }
            if isWanted("badge") { aps["badge"] = block.badge.map { .number(Double($0)) } }
            if isWanted("sound") { aps["sound"] = block.sound.map(JSONValue.string) }
            aps["category"] = block.category.map(JSONValue.string)
        }
        if block.kind != .standard { aps["content-available"] = 1 }
        return aps
    }

    /// A text always comes with `action-loc-key`, also as `null`, which is what the original sent. An object is the
    /// adapter's own; it gets the action key when it has none.
    private func alert(_ block: APNSBlock) -> JSONValue? {
        let actionKey = block.actionKey.map(JSONValue.string)
        switch block.alert {
        case nil:
            return nil
        case .text(let text):
            return ["action-loc-key": actionKey ?? .null, "body": .string(text)]
        case .object(var object):
            if let actionKey, object["action-loc-key"] == nil { object["action-loc-key"] = actionKey }
            return .object(object)
        }
    }

    /// Seconds since 1970, rounded up; 0 (try once, store nothing) when the time to live has run out.
    private var apnsExpiration: String {
        guard delivery.expiresAt > now else { return "0" }
        return String(Int(exactly: delivery.expiresAt.timeIntervalSince1970.rounded(.up)) ?? 0)
    }

    private var apnsParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["APNS"]
        let keys = ["alert", "sound"].filter(isWanted) + ["actionKey", "activateButtonLabel", "category"]
        return parts(of: path, only: keys) + payloadParts(of: path + ["payload"])
    }
}
