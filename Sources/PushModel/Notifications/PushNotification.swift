/// What an adapter wants shown, in the form each push service needs (server-api 2.8).
///
/// Made from the options of `notify*`, in the form since 5.0.6 (a block for each service) or in the flat form before it.
public struct PushNotification: Sendable, Hashable {
    public var apns: APNSBlock?
    public var gcm: GCMBlock?
    public var wns: WNSBlock?
    /// Kept as it came; Microsoft has shut down MPNS.
    public var mpns: JSONValue?
    /// The text of the SMS block.
    public var sms: String?
    /// Whether the options had the flat form of 5.0.5 and before, which deserves a deprecation warning.
    public var isFlatForm: Bool

    /// Four weeks, GCM's own longest and default time (server-api 2.8), in seconds.
    public static let longestTimeToLive = 2_419_200.0

    /// How long the notification is worth delivering, in seconds: `GCM.timeToLive`, the only field that says so, brought
    /// into 0 to ``longestTimeToLive``; the longest when it is absent.
    public var timeToLive: Double {
        min(max(gcm?.timeToLive ?? Self.longestTimeToLive, 0), Self.longestTimeToLive)
    }

    public init(
        apns: APNSBlock? = nil, gcm: GCMBlock? = nil, wns: WNSBlock? = nil, mpns: JSONValue? = nil, sms: String? = nil,
        isFlatForm: Bool = false
    ) {
        self.apns = apns
        self.gcm = gcm
        self.wns = wns
        self.mpns = mpns
        self.sms = sms
        self.isFlatForm = isFlatForm
    }

    /// Reads the options of `notify*` (server-api 2.8).
    ///
    /// With any of the keys `APNS`, `GCM`, `MPNS`, `SMS` and `WNS` they have the block form, and flat keys beside them
    /// are ignored like every unknown key. Otherwise any of `alert`, `badge`, `sound`, `activateButtonLabel` and
    /// `payload` makes it the flat form. With none of these no device can be sent it, but with a `text` a phone number can
    /// (API62, `notifyDeviceSubscription`).
    /// `null` always means absent.
    ///
    /// - Throws: ``NotificationError`` for the first value that has the wrong type.
    public init(options: JSONValue) throws(NotificationError) {
        let reader = try OptionsReader(options)
        if ["APNS", "GCM", "MPNS", "SMS", "WNS"].contains(where: reader.has) {
            try self.init(blocks: reader)
        } else if ["alert", "badge", "sound", "activateButtonLabel", "payload"].contains(where: reader.has) {
            try self.init(flat: reader)
        } else {
            self.init(sms: try reader.string("text"))
        }
    }

    private init(blocks: OptionsReader) throws(NotificationError) {
        self.init()
        if let block = try blocks.reader("APNS") { apns = try APNSBlock(block) }
        if let block = try blocks.reader("GCM") { gcm = try GCMBlock(block) }
        if let block = try blocks.reader("WNS") { wns = try WNSBlock(block) }
        mpns = try blocks.object("MPNS").map(JSONValue.object)
        sms = try blocks.reader("SMS")?.string("text")
    }

    /// The flat form serves every platform. Windows gets what Windows Phone got, a tile and the raw data; the tile's
    /// count is a badge there.
    private init(flat: OptionsReader) throws(NotificationError) {
        let alert = try flat.string("alert")
        let badge = try flat.wholeNumber("badge")
        let sound = try flat.string("sound")
        let payload = try flat.object("payload")
        self.init(
            apns: APNSBlock(
                alert: alert.map(APNSBlock.Alert.text), badge: badge, sound: sound,
                actionKey: try flat.string("activateButtonLabel"), payload: payload),
            gcm: GCMBlock(alert: alert, badge: badge, sound: sound, payload: payload),
            wns: WNSBlock(
                raw: payload, tile: alert.map { WNSTile(bindings: [WNSBinding(texts: [$0])]) },
                badge: badge.map(String.init)),
            sms: try flat.string("text"),
            isFlatForm: true)
    }
}
