import Core
import PushModel

/// A request to FCM's HTTP v1 interface (anchors F2).
struct FCMRequest: ChannelRequest {
    /// Replaces a missing id of a Firebase project; for the preview, which sends nothing.
    static let missingProject = "project-not-configured"

    let projectID: String
    let token: DeviceToken
    /// The JSON body, with the token.
    let body: String

    var record: PushRequest {
        PushRequest(
            service: .fcm, method: "POST",
            url: "https://fcm.googleapis.com/v1/projects/\(projectID)/messages:send",
            headers: [PushRequest.Header("Content-Type", "application/json")], body: body)
    }
}

extension FCMChannel {
    /// Returns the requests to FCM, with the data that the original sent through GCM: strings only (wire-protocol 4.4).
    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [FCMRequest] {
        guard let block = message.notification.gcm else { throw message.missing(.gcm) }
        var data = JSONObject()
        if message.isWanted("alert") { data["alert"] = block.alert.map(JSONValue.string) }
        if message.isWanted("badge") { data["badge"] = block.badge.map { .string(String($0)) } }
        if message.isWanted("sound") { data["sound"] = block.sound.map(JSONValue.string) }
        data["payload"] = .string(message.payloadText(block.payload))

        let size = data.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
        try sizeLimit.check(size, parts: message.fcmParts)

        let json: JSONValue = [
            "message": [
                "token": .string(message.token.value),
                "data": .object(data),
                "android": [
                    "ttl": .string("\(message.secondsLeft)s"),
                    // GCM's delay_while_idle is gone; a message of normal priority waits for an idle device likewise.
                    "priority": block.delayWhileIdle ? "NORMAL" : "HIGH",
                ],
            ]
        ]
        let projectID = message.settings.accountID(at: .fcm, of: message.applicationID)
        return [
            FCMRequest(projectID: projectID ?? FCMRequest.missingProject, token: message.token, body: json.text)
        ]
    }
}

extension OutgoingMessage {
    fileprivate var fcmParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["GCM"]
        return parts(of: path, only: ["alert", "sound"].filter(isWanted)) + payloadParts(of: path + ["payload"])
    }
}
