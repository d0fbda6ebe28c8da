/// Makes the blocks of `notify*` out of the `settings` of `sendMessage`. Each block is read as `notify*` reads it, so that
/// what is wrong is named where the adapter wrote it, for example `settings.apns.badge`.
struct BroadcastBlocks {
    let alert: JSONValue
    let settings: OptionsReader?

    func apns() throws(NotificationError) -> JSONObject {
        let settings = try settings?.reader("apns")
        if let settings { _ = try APNSBlock(settings) }
        var block = JSONObject()
        block["alert"] = alert
        for key in ["badge", "sound", "payload", "type", "category", "collapseId"] { block[key] = settings?.value(key) }
        let actionKey = try settings?.string("actionKey")
        let older = try settings?.string("iosActionKey")
        block["actionKey"] = (actionKey ?? older).map(JSONValue.string)
        return block
    }

    func gcm() throws(NotificationError) -> JSONObject {
        let settings = try settings?.reader("gcm")
        if let settings { _ = try GCMBlock(settings) }
        var block = JSONObject()
        block["alert"] = alert
        for key in ["sound", "payload", "delayWhileIdle", "timeToLive"] { block[key] = settings?.value(key) }
        return block
    }

    func mpns() throws(NotificationError) -> JSONObject {
        let settings = try settings?.reader("mpns")
        var block = JSONObject()
        for key in ["raw", "toast"] { block[key] = try settings?.object(key).map(JSONValue.object) }
        var tile = try settings?.object("tile") ?? JSONObject()
        if tile["title"] == nil { tile["title"] = alert }
        block["tile"] = .object(tile)
        return block
    }

    func wns() throws(NotificationError) -> JSONObject {
        let settings = try settings?.reader("wns")
        if let settings { _ = try WNSBlock(settings) }
        var block = JSONObject()
        for key in ["raw", "toast", "tile", "badge"] { block[key] = settings?.value(key) }
        if block["toast"] == nil, block["tile"] == nil {
            block["toast"] = ["visual": ["binding": ["template": "ToastText01", "text": [["content": alert]]]]]
        }
        return block
    }
}
