import Core

/// Makes the blocks of `notify*` out of the `settings` of `sendMessage`. Errors in the settings are found when the blocks are read, by
/// ``PushNotification/problems``.
struct BroadcastBlocks {
    let alert: JSONValue
    let settings: OptionsReader?

    var all: JSONValue { ["APNS": apns, "GCM": gcm, "MPNS": mpns, "WNS": wns] }

    private var apns: JSONValue {
        block("apns") { block, given in
            block["alert"] = alert
            let keys = [
                "title", "subtitle", "subTitle", "badge", "sound", "payload", "type", "category", "collapseId",
                "actionKey", "iosActionKey",
            ]
            for key in keys { block[key] = given[key] }
        }
    }

    private var gcm: JSONValue {
        block("gcm") { block, given in
            block["alert"] = alert
            for key in ["sound", "payload", "delayWhileIdle", "timeToLive"] { block[key] = given[key] }
        }
    }

    private var mpns: JSONValue {
        block("mpns") { block, given in
            for key in ["raw", "toast", "tile"] { block[key] = given[key] }
            guard var tile = (block["tile"] ?? [:]).object, tile["title"] == nil else { return }
            tile["title"] = alert
            block["tile"] = .object(tile)
        }
    }

    private var wns: JSONValue {
        block("wns") { block, given in
            for key in ["raw", "toast", "tile", "badge"] { block[key] = given[key] }
            if block["toast"] == nil, block["tile"] == nil {
                let binding: JSONValue = [
                    "template": .string(WNSToast.plainTemplate), "text": [["content": alert]],
                ]
                block["toast"] = ["visual": ["binding": binding]]
            }
        }
    }

    /// Returns the block for a service's part of `settings`. Settings that are not an object become the block unchanged, so that
    /// reading it reports them.
    ///
    /// - Parameter fill: gets an empty block and the settings without those that are `null`.
    private func block(_ key: String, fill: (inout JSONObject, JSONObject) -> Void) -> JSONValue {
        let value = settings?.value(key) ?? [:]
        guard let object = value.object else { return value }
        var given = JSONObject()
        for member in object.members where !member.value.isNull { given[member.key] = member.value }
        var block = JSONObject()
        fill(&block, given)
        return .object(block)
    }
}
