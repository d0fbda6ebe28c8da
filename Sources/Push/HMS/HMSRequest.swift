import Core
import PushModel

/// A request to Push Kit's HTTP v1 interface.
struct HMSRequest: ChannelRequest {
    /// Replaces a missing app id; for the preview, which sends nothing.
    static let missingApp = "app-not-configured"
    /// Fifteen days; Push Kit takes no longer time to live.
    static let longestTimeToLive = 1_296_000

    let appID: String
    let token: DeviceToken
    /// The JSON text, with the token.
    let body: String

    var record: PushRequest {
        PushRequest(
            service: .hms, method: "POST", url: "https://push-api.cloud.huawei.com/v1/\(appID)/messages:send",
            headers: [PushRequest.Header("Content-Type", "application/json")], body: body)
    }
}

extension OutgoingMessage {
    /// The request to Push Kit: a data message with the JSON text of what an Android device gets.
    func hmsRequest() throws(PushRequestError) -> HMSRequest {
        guard let block = notification.gcm else { throw missing(.gcm) }
        var data = JSONObject()
        if isWanted("alert") { data["alert"] = block.alert.map(JSONValue.string) }
        if isWanted("badge") { data["badge"] = block.badge.map { .string(String($0)) } }
        if isWanted("sound") { data["sound"] = block.sound.map(JSONValue.string) }
        data["payload"] = .string(payloadText(block.payload))
        let text = JSONValue.object(data).text
        try HMSChannel.sizeLimit.check(text.utf8.count, parts: hmsParts)

        let message: JSONValue = [
            "validate_only": false,
            "message": [
                "data": .string(text),
                // Data messages of urgency HIGH need a permission that Huawei grants to few apps.
                "android": [
                    "urgency": "NORMAL", "ttl": .string("\(min(max(secondsLeft, 1), HMSRequest.longestTimeToLive))s"),
                ],
                "token": [.string(token.value)],
            ],
        ]
        return HMSRequest(
            appID: settings.accountID(at: .hms, of: applicationID) ?? HMSRequest.missingApp, token: token,
            body: message.text)
    }

    private var hmsParts: [MessagePart] {
        let path = notification.isFlatForm ? [] : ["GCM"]
        return parts(of: path, only: ["alert", "sound"].filter(isWanted)) + payloadParts(of: path + ["payload"])
    }
}
