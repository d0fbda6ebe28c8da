/// The options of `WL.Server.sendMessage(applicationId, options)`, checked (server-api 2.8).
public struct BroadcastMessage: Sendable, Hashable {
    public let target: BroadcastTarget
    /// The message as `notify*` would have been given it, with a block for each push service, so that one kind of options
    /// is stored and sent.
    public let options: JSONValue
    /// How long it is worth delivering, in seconds; see ``PushNotification/timeToLive``.
    public let timeToLive: Double

    /// Reads `message`, `target` and `settings`; other keys are ignored, and `null` means absent.
    ///
    /// Every platform gets `message.alert`. What `settings` says about a service goes along. Without a `toast` or `tile` of
    /// the adapter's own, Windows shows the alert as a toast, as `createDefaultNotification` does, and Windows Phone as
    /// the tile's title (API62).
    ///
    /// - Throws: ``NotificationError`` for the first value that is missing or has the wrong type.
    public init(options: JSONValue) throws(NotificationError) {
        let reader = try OptionsReader(options)
        guard let message = try reader.reader("message") else {
            throw reader.mismatch("message", expected: "an object with the alert", found: .null)
        }
        guard let alert = try message.string("alert") else {
            throw message.mismatch("alert", expected: "a string", found: .null)
        }
        target = try reader.reader("target").map(BroadcastTarget.init) ?? .everybody
        let blocks = BroadcastBlocks(alert: .string(alert), settings: try reader.reader("settings"))
        let gcm = try blocks.gcm()
        self.options = .object([
            "APNS": .object(try blocks.apns()), "GCM": .object(gcm), "MPNS": .object(try blocks.mpns()),
            "WNS": .object(try blocks.wns()),
        ])
        timeToLive = PushNotification(gcm: GCMBlock(timeToLive: gcm["timeToLive"]?.number)).timeToLive
    }

    /// Checks the tags it is for. Sending to one that no app can have subscribed to is a mistake worth telling.
    ///
    /// - Parameter tags: the application's.
    /// - Throws: ``TagError`` for the first that the application does not declare.
    public func checkTags(_ tags: Tags) throws(TagError) {
        guard case .tags(let names) = target else { return }
        for name in names { _ = try tags.checked(name) }
    }
}
