public import Core

/// The options of `WL.Server.sendMessage(applicationId, options)`, checked (server-api 2.8).
public struct BroadcastMessage: Sendable, Hashable {
    public var target: BroadcastTarget
    /// The message as `notify*` would have been given it, with a block for each push service, so that one kind of options
    /// is stored and sent.
    public let options: JSONValue
    /// The time to live, in seconds; see ``PushNotification/timeToLive``.
    public let timeToLive: Double
    /// Which platforms get nothing, since their settings could not be read, and why; a line each.
    public let warnings: [String]

    /// Reads `message`, `target` and `settings`; other keys are ignored, and `null` means absent.
    ///
    /// Every platform gets `message.alert`, with the `settings` of its service. Without a `toast` or `tile` from the
    /// adapter, Windows shows the alert as a toast, as `createDefaultNotification` does, and Windows Phone as
    /// the tile's title (API62). Settings that cannot be read affect their own service only, see ``warnings``.
    ///
    /// - Throws: ``NotificationError`` for the first value of `message` or `target` that is missing or has the wrong type,
    ///   and when no service's settings can be read.
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
        self.options = blocks.all
        let notification: PushNotification
        do {
            notification = try PushNotification(options: self.options)
        } catch {
            throw error.inSettings
        }
        timeToLive = notification.timeToLive
        warnings = PushNotification.warnings(of: notification.problems.mapValues(\.inSettings))
    }

    /// Returns the path in the options of `sendMessage` for a path in the blocks of `notify*`.
    ///
    /// - Parameter path: keys from the options of `notify*` down, such as `APNS.badge`.
    package static func place(of path: String) -> String {
        let parts = path.split(separator: ".", maxSplits: 1)
        guard let block = parts.first else { return path }
        guard parts.count == 2 else { return "settings.\(block.lowercased())" }
        return parts[1] == "alert" ? "message.alert" : "settings.\(block.lowercased()).\(parts[1])"
    }

    /// Checks the tags that it is sent to. It is an error to send to a tag that the application does not declare.
    ///
    /// - Parameter tags: the application's.
    /// - Throws: ``TagError`` for the first that the application does not declare.
    public func checkTags(_ tags: Tags) throws(TagError) {
        guard case .tags(let names) = target else { return }
        for name in names { _ = try tags.checked(name) }
    }
}

extension NotificationError {
    /// The error with the paths of the options of `sendMessage`, which differ from those of `notify*`.
    package var inSettings: NotificationError {
        NotificationError(path: BroadcastMessage.place(of: path), expected: expected, found: found)
    }
}
