public import Core

/// The `GCM` block of a notification, for Android, today through Firebase Cloud Messaging (server-api 2.8).
/// Every field may be absent.
public struct GCMBlock: Sendable, Hashable {
    public var alert: String?
    /// Only the flat form of 5.0.5 and before has it: a `badge` in the block is ignored, as an unknown key is.
    public var badge: Int?
    /// The name of a sound file in the app.
    public var sound: String?
    /// The adapter's own data.
    public var payload: JSONObject?
    /// True if delivery to an idle device may wait until it wakes up.
    public var delayWhileIdle: Bool
    /// The time to live, in seconds, as the adapter wrote it; see ``PushNotification/timeToLive``.
    public var timeToLive: Double?

    public init(
        alert: String? = nil, badge: Int? = nil, sound: String? = nil, payload: JSONObject? = nil,
        delayWhileIdle: Bool = false, timeToLive: Double? = nil
    ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.payload = payload
        self.delayWhileIdle = delayWhileIdle
        self.timeToLive = timeToLive
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        alert = try options.string("alert")
        sound = try options.string("sound")
        payload = try options.object("payload")
        delayWhileIdle = try options.boolean("delayWhileIdle") ?? false
        timeToLive = try options.number("timeToLive")
    }
}
