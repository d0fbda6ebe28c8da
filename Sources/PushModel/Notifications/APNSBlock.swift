public import Core

/// The `APNS` block of a notification, for iPhones and iPads (server-api 2.8). Every field may be absent, `badge`
/// too, which some levels of the original demanded (APAR PI09863).
public struct APNSBlock: Sendable, Hashable {
    /// The alert: a string, or an object that is sent to APNs unchanged.
    public enum Alert: Sendable, Hashable {
        case text(String)
        case object(JSONObject)
    }

    /// The effect of the notification: it is shown, wakes the app, or does both (6.3 and later).
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It shows itself.
        case standard = "DEFAULT"
        /// It shows nothing and wakes the app.
        case silent = "SILENT"
        /// It shows itself and wakes the app.
        case mixed = "MIXED"
    }

    public var alert: Alert?
    /// The first line of the alert: `title` (7.1 with the interim fix of December 2018).
    public var title: String?
    /// The second line: `subtitle`, or `subTitle`.
    public var subtitle: String?
    /// The number on the app's icon; 0 takes it away.
    public var badge: Int?
    /// The name of a sound file in the app. An empty name, the default, plays nothing.
    public var sound: String?
    /// The label of the button that opens the app: a key in the app's strings. Read from `actionKey` or `iosActionKey`.
    public var actionKey: String?
    /// The adapter's own data.
    public var payload: JSONObject?
    /// The `type` of the options.
    public var kind: Kind
    /// The name of the set of actions that the app offers with the notification (7.0 and later).
    public var category: String?
    /// `collapseId`, an extension of ours, sent as `apns-collapse-id`: of several notifications with the same id, a device shows the
    /// last. At most 64 characters of ASCII.
    public var collapseID: String?

    public init(
        alert: Alert? = nil, title: String? = nil, subtitle: String? = nil, badge: Int? = nil, sound: String? = nil,
        actionKey: String? = nil,
        payload: JSONObject? = nil, kind: Kind = .standard, category: String? = nil,
        collapseID: String? = nil
    ) {
        self.alert = alert
        self.title = title
        self.subtitle = subtitle
        self.badge = badge
        self.sound = sound
        self.actionKey = actionKey
        self.payload = payload
        self.kind = kind
        self.category = category
        self.collapseID = collapseID
    }

    /// True if the notification has an alert, a title or a subtitle.
    public var showsText: Bool { alert != nil || title != nil || subtitle != nil }

    init(_ options: OptionsReader) throws(NotificationError) {
        alert = try Self.alert(in: options)
        title = try options.string("title")
        let otherSubtitle = try options.string("subTitle")
        subtitle = try options.string("subtitle") ?? otherSubtitle
        badge = try options.wholeNumber("badge")
        sound = try options.string("sound")
        // `sendMessage` has both names (server-api 2.8); the one in `notify*` takes precedence.
        let olderActionKey = try options.string("iosActionKey")
        actionKey = try options.string("actionKey") ?? olderActionKey
        payload = try options.object("payload")
        kind = try Self.kind(in: options)
        category = try options.string("category")
        collapseID = try Self.collapseID(in: options)
    }

    private static func collapseID(in options: OptionsReader) throws(NotificationError) -> String? {
        guard let id = try options.string("collapseId") else { return nil }
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw options.mismatch("collapseId", expected: "1 to 64 characters of ASCII", found: .string(id))
        }
        return id
    }

    private static func alert(in options: OptionsReader) throws(NotificationError) -> Alert? {
        switch options.value("alert") {
        case nil: nil
        case .string(let text): .text(text)
        case .object(let object): .object(object)
        case .some(let other): throw options.mismatch("alert", expected: "a string or an object", found: other)
        }
    }

    private static func kind(in options: OptionsReader) throws(NotificationError) -> Kind {
        guard let name = try options.string("type") else { return .standard }
        guard let kind = Kind(rawValue: name) else {
            let names = Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw options.mismatch("type", expected: "one of \(names)", found: .string(name))
        }
        return kind
    }
}
