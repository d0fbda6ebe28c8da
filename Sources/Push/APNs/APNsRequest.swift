import Core
import Foundation
import PushModel

/// A request to APNs, in today's frame (anchors F1).
struct APNsRequest: ChannelRequest {
    let environment: PushServiceSettings.APNsEnvironment
    let token: DeviceToken
    let topic: String
    /// The delivery's, by which a repeat can be recognised.
    let id: String
    /// True if the notification only wakes the app: `background` with priority 5.
    let isSilent: Bool
    /// Seconds since 1970.
    let expiration: String
    let collapseID: String?
    /// The JSON body.
    var body: String

    var path: String { "/3/device/\(token.value)" }

    /// In the order in which they are sent.
    var headers: [PushRequest.Header] {
        var headers = [
            PushRequest.Header("apns-id", id),
            PushRequest.Header("apns-topic", topic),
            PushRequest.Header("apns-push-type", isSilent ? "background" : "alert"),
            PushRequest.Header("apns-priority", isSilent ? "5" : "10"),
            PushRequest.Header("apns-expiration", expiration),
        ]
        if let collapseID { headers.append(PushRequest.Header("apns-collapse-id", collapseID)) }
        headers.append(PushRequest.Header("content-type", "application/json"))
        return headers
    }

    var record: PushRequest {
        PushRequest(
            service: .apns, method: "POST", url: "https://\(environment.host)\(path)", headers: headers, body: body)
    }
}

extension APNsChannel {
    /// The request to APNs: the body as the original sent it (wire-protocol 4.4).
    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [APNsRequest] {
        guard let block = message.notification.apns else { throw message.missing(.apns) }
        let body = JSONValue.object([
            "aps": .object(message.aps(block)),
            "payload": .string(message.payloadText(block.payload)),
        ]).text
        try sizeLimit.check(body.utf8.count, parts: message.apnsParts)
        let (settings, applicationID) = (message.settings, message.applicationID)
        return [
            APNsRequest(
                environment: settings.apnsEnvironment(of: applicationID), token: message.token,
                topic: settings.apnsTopic(of: applicationID), id: message.delivery.idText,
                isSilent: message.isSilent(block), expiration: message.apnsExpiration, collapseID: block.collapseID,
                body: body)
        ]
    }
}

extension OutgoingMessage {
    /// Returns true if the notification only wakes the app, so that it is pushed as `background` with priority 5.
    ///
    /// Apple ("Pushing background updates to your app") requires this for a notification whose `aps` has nothing but `content-available`, and drops
    /// such a push when it has anything that the user would notice. So MIXED, which shows an alert and wakes the app, is an `alert`, which
    /// `content-available` may accompany. It is silent only when nothing is left to show, because the adapter set nothing or the app has turned it
    /// off.
    fileprivate func isSilent(_ block: APNSBlock) -> Bool {
        switch block.kind {
        case .standard: false
        case .silent: true
        case .mixed:
            !(isWanted("alert") && block.showsText) && !(isWanted("badge") && block.badge != nil)
                && !(isWanted("sound") && block.sound?.isEmpty == false)
        }
    }

    /// Apple's part of the body. A silent notification may hold nothing but `content-available`.
    fileprivate func aps(_ block: APNSBlock) -> JSONObject {
        var aps = JSONObject()
        if !isSilent(block) {
            if isWanted("alert") { aps["alert"] = alert(block) }
            if isWanted("badge") { aps["badge"] = block.badge.map { .number(Double($0)) } }
            if isWanted("sound") { aps["sound"] = block.sound.map(JSONValue.string) }
            aps["category"] = block.category.map(JSONValue.string)
        }
        if block.kind != .standard { aps["content-available"] = 1 }
        return aps
    }

    /// Returns the `alert` member. A string always comes with `action-loc-key`, also as `null`, as the original sent it. An object is the adapter's;
    /// it gets the action key, title and subtitle when it has none.
    private func alert(_ block: APNSBlock) -> JSONValue? {
        let actionKey = block.actionKey.map(JSONValue.string)
        guard block.showsText else { return nil }
        var object = JSONObject()
        switch block.alert {
        case nil: break
        case .text(let text): object = ["action-loc-key": actionKey ?? .null, "body": .string(text)]
        case .object(let own): object = own
        }
        let members = [
            ("action-loc-key", actionKey), ("title", block.title.map { .string($0) }),
            ("subtitle", block.subtitle.map { .string($0) }),
        ]
        for (key, value) in members where object[key] == nil { object[key] = value }
        return .object(object)
    }

    /// Seconds since 1970, rounded up; 0 (try once, store nothing) when the time to live has run out.
    fileprivate var apnsExpiration: String {
        guard delivery.expiresAt > now else { return "0" }
        return String(Int(exactly: delivery.expiresAt.timeIntervalSince1970.rounded(.up)) ?? 0)
    }

    fileprivate var apnsParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["APNS"]
        let keys =
            ["alert", "title", "subtitle", "sound"].filter(isWanted) + ["actionKey", "activateButtonLabel", "category"]
        return parts(of: path, only: keys) + payloadParts(of: path + ["payload"])
    }
}
