/// The `WNS` block of a notification: what goes to Windows 8 and later (server-api 2.8, since 7.0).
///
/// Each part that is there is a message of its own.
public struct WNSBlock: Sendable, Hashable {
    /// The adapter's own data, for the app alone.
    public var raw: JSONObject?
    public var toast: WNSToast?
    public var tile: WNSTile?
    /// The value of the badge: a number from 0 to 99, or the name of a glyph such as `newMessage`.
    public var badge: String?

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
        switch options.value("value") {
        case nil: nil
        case .string(let glyph): glyph
        case .number: try options.wholeNumber("value").map(String.init)
        case .some(let other):
            throw options.mismatch("value", expected: "a whole number or a glyph's name", found: other)
        }
    }
}
