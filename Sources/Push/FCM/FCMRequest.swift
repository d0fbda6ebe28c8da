import Core
import PushModel

extension OutgoingMessage {
    /// The request to FCM's HTTP v1 interface (anchors F2), with the data that the original sent through GCM: texts
    /// only (wire-protocol 4.4).
    func fcmRequest() throws(PushRequestError) -> PushRequest {
        guard let block = notification.gcm else { throw missing(.gcm) }
        var data = JSONObject()
        if isWanted("alert") { data["alert"] = block.alert.map(JSONValue.string) }
        if isWanted("badge") { data["badge"] = block.badge.map { .string(String($0)) } }
        if isWanted("sound") { data["sound"] = block.sound.map(JSONValue.string) }
        data["payload"] = .string(payloadText(block.payload))

        let size = data.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
        try SizeLimit.fcm.check(size, parts: fcmParts)

        let message: JSONValue = [
            "message": [
                "token": .string(recipient.token.value),
                "data": .object(data),
                "android": [
                    "ttl": .string("\(secondsLeft)s"),
                    // GCM's delay_while_idle is gone; a message of normal priority waits for an idle device likewise.
                    "priority": block.delayWhileIdle ? "NORMAL" : "HIGH",
                ],
            ]
        ]
        return PushRequest(
            service: .fcm, method: "POST",
            url:
                "https://fcm.googleapis.com/v1/projects/\(settings.firebaseProject(of: recipient.applicationID))/messages:send",
            headers: [PushRequest.Header("Content-Type", "application/json")],
            body: message.text)
    }

    private var fcmParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["GCM"]
        return parts(of: path, only: ["alert", "sound"].filter(isWanted)) + payloadParts(of: path + ["payload"])
    }
}
