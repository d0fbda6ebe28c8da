import Core
import PushModel

/// A request to FCM's HTTP v1 interface (anchors F2).
struct FCMRequest: ChannelRequest {
    /// Replaces a missing id of a Firebase project; for the preview, which sends nothing.
    static let missingProject = "project-not-configured"

    let projectID: String
    let token: DeviceToken
    /// The JSON text, with the token.
    let body: String

    var record: PushRequest {
        PushRequest(
            service: .fcm, method: "POST",
            url: "https://fcm.googleapis.com/v1/projects/\(projectID)/messages:send",
            headers: [PushRequest.Header("Content-Type", "application/json")], body: body)
    }
}

extension OutgoingMessage {
    /// The request to FCM, with the data that the original sent through GCM: texts
    /// only (wire-protocol 4.4).
    func fcmRequest() throws(PushRequestError) -> FCMRequest {
        guard let block = notification.gcm else { throw missing(.gcm) }
        var data = JSONObject()
        if isWanted("alert") { data["alert"] = block.alert.map(JSONValue.string) }
        if isWanted("badge") { data["badge"] = block.badge.map { .string(String($0)) } }
        if isWanted("sound") { data["sound"] = block.sound.map(JSONValue.string) }
        data["payload"] = .string(payloadText(block.payload))

        let size = data.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
        try FCMChannel.sizeLimit.check(size, parts: fcmParts)

        let message: JSONValue = [
            "message": [
                "token": .string(token.value),
                "data": .object(data),
                "android": [
                    "ttl": .string("\(secondsLeft)s"),
                    // GCM's delay_while_idle is gone; a message of normal priority waits for an idle device likewise.
                    "priority": block.delayWhileIdle ? "NORMAL" : "HIGH",
                ],
            ]
        ]
        return FCMRequest(
            projectID: settings.accountID(at: .fcm, of: applicationID) ?? FCMRequest.missingProject, token: token,
            body: message.text)
    }

    private var fcmParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["GCM"]
        return parts(of: path, only: ["alert", "sound"].filter(isWanted)) + payloadParts(of: path + ["payload"])
    }
}
