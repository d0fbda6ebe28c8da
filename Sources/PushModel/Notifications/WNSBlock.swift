public import Core

/// The `WNS` block of a notification: what goes to Windows 8 and later (server-api 2.8, since 7.0).
///
/// Each part that is there is a message of its own.
public struct WNSBlock: Sendable, Hashable {
    /// The adapter's own data, for the app alone.
    public var raw: JSONObject?
    public var toast: WNSToast?
    public var tile: WNSTile?
    /// The value of the badge: a whole number from 0, or one of ``glyphs``. Windows shows `99+` for what is above 99.
    public var badge: String?

    /// The badges that are no numbers (learn.microsoft.com, "Badge notifications for Windows apps").
    public static let glyphs = [
        "none", "activity", "alarm", "alert", "attention", "available", "away", "busy", "error", "newMessage", "paused",
        "playing", "unavailable",
    ]

    public init(
        raw: JSONObject? = nil, toast: WNSToast? = nil, tile: WNSTile? = nil, badge: String? = nil
    ) {
        self.raw = raw
        self.toast = toast
        self.tile = tile
        self.badge = badge
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        raw = try options.reader("raw")?.object("payload")
        if let toast = try options.reader("toast") { self.toast = try WNSToast(toast) }
        if let tile = try options.reader("tile") { self.tile = try WNSTile(tile) }
        if let badge = try options.reader("badge") { self.badge = try Self.badge(in: badge) }
    }

    private static func badge(in options: OptionsReader) throws(NotificationError) -> String? {
        guard let value = options.value("value") else { return nil }
        if let name = value.string {
            if glyphs.contains(name) { return name }
            // What Windows shows of a larger number; as a value it is none.
            if name == "99+" { return "100" }
        }
        guard let number = try? options.wholeNumber("value"), number >= 0 else {
            throw options.mismatch(
                "value", expected: "a whole number from 0 or one of \(glyphs.joined(separator: ", "))", found: value)
        }
        return String(number)
    }
}
