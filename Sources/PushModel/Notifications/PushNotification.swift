public import Core

/// The content of an adapter's notification, in the form that each push service needs (server-api 2.8).
///
/// Made from the options of `notify*`, in the form since 5.0.6 (a block for each service) or in the flat form before it.
public struct PushNotification: Sendable, Hashable {
    /// A part of the options that is for one kind of recipient.
    public enum Block: String, Sendable, Hashable, CaseIterable {
        case apns = "APNS"
        case gcm = "GCM"
        case wns = "WNS"
        case mpns = "MPNS"
        case sms = "SMS"

        /// The recipients of the block, for messages.
        public var recipients: String {
            switch self {
            case .apns: "Apple devices"
            case .gcm: "Android devices"
            case .wns: "Windows devices"
            case .mpns: "Windows Phone devices"
            case .sms: "phone numbers"
            }
        }
    }

    public var apns: APNSBlock?
    public var gcm: GCMBlock?
    public var wns: WNSBlock?
    /// Kept as it came; Microsoft has shut down MPNS.
    public var mpns: JSONValue?
    /// The content of the SMS block.
    public var sms: String?
    /// The blocks that could not be read, each with the first value that is wrong in it. Their properties are `nil`: their
    /// recipients get nothing, the others get theirs.
    public var problems: [Block: NotificationError] = [:]
    /// True if the options had the flat form of 5.0.5 and before, which deserves a deprecation warning.
    public var isFlatForm: Bool

    /// Four weeks, GCM's own longest and default time (server-api 2.8), in seconds.
    public static let longestTimeToLive = 2_419_200.0

    /// Which recipients get nothing because of ``problems``, and why; a line each.
    public var warnings: [String] { Self.warnings(of: problems) }

    static func warnings(of problems: [Block: NotificationError]) -> [String] {
        Block.allCases.compactMap { block in
            problems[block].map { "\($0); \(block.recipients) get nothing of this notification" }
        }
    }

    /// The time to live of the notification, in seconds: `GCM.timeToLive`, the only field that has it, limited to 0 to ``longestTimeToLive``; the
    /// longest if it is absent.
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
    /// `payload` makes it the flat form. With none of these it cannot be sent to devices, but with a `text` it can be sent
    /// to a phone number (API62, `notifyDeviceSubscription`).
    /// `null` always means absent. Numbers may be strings and strings may be numbers.
    ///
    /// A block that cannot be read is among the ``problems``, and does not hold up the others.
    ///
    /// - Throws: ``NotificationError`` when the options are not an object, when no block can be read, or for the first wrong
    ///   value of the flat form, which all services share.
    public init(options: JSONValue) throws(NotificationError) {
        let reader = try OptionsReader(options)
        if Block.allCases.contains(where: { reader.has($0.rawValue) }) {
            try self.init(blocks: reader)
        } else if ["alert", "badge", "sound", "activateButtonLabel", "payload"].contains(where: reader.has) {
            try self.init(flat: reader)
        } else {
            self.init(sms: try reader.string("text"))
        }
    }

    private init(blocks: OptionsReader) throws(NotificationError) {
        self.init()
        let given = Block.allCases.filter { blocks.value($0.rawValue) != nil }
        for block in given {
            do throws(NotificationError) {
                try read(block, of: blocks)
            } catch {
                problems[block] = error
            }
        }
        if let first = given.first, problems.count == given.count, let problem = problems[first] { throw problem }
    }

    private mutating func read(_ block: Block, of options: OptionsReader) throws(NotificationError) {
        guard let reader = try options.reader(block.rawValue) else { return }
        switch block {
        case .apns: apns = try APNSBlock(reader)
        case .gcm: gcm = try GCMBlock(reader)
        case .wns: wns = try WNSBlock(reader)
        case .mpns: mpns = options.value(block.rawValue)
        case .sms: sms = try reader.string("text")
        }
    }

    /// The flat form serves every platform. Windows gets the content that Windows Phone got, a tile and the raw data; the tile's
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
                raw: payload,
                tile: alert.map {
                    WNSTile(bindings: [WNSBinding(template: WNSTile.plainTemplate, texts: [$0])])
                },
                // Windows knows no number below 0.
                badge: badge.map { String(max($0, 0)) }),
            sms: try flat.string("text"),
            isFlatForm: true)
    }
}

/// The content of a notification: one object for all its deliveries, read once for any number of them.
public final class NotificationContent: Sendable {
    /// The options in the form of `notify*`.
    public let options: JSONValue
    /// The JSON that ``options`` were read from; `nil` if they were not parsed.
    public let source: String?

    /// The options, read, or why they cannot be.
    public let notification: Result<PushNotification, NotificationError>

    public convenience init(_ options: JSONValue) {
        self.init(options, source: nil)
    }

    /// Reads options from their JSON.
    ///
    /// - Throws: ``JSONSyntaxError``.
    public convenience init(parsing text: String) throws(JSONSyntaxError) {
        self.init(try JSONValue(parsing: text), source: text)
    }

    private init(_ options: JSONValue, source: String?) {
        (self.options, self.source) = (options, source)
        notification = Result { () throws(NotificationError) in try PushNotification(options: options) }
    }
}

extension NotificationContent: Hashable {
    public static func == (one: NotificationContent, other: NotificationContent) -> Bool {
        one === other || one.options == other.options
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(options)
    }
}
