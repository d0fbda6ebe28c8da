public import Core

/// What a notification says: one object for all its deliveries, read once however many they are.
public final class NotificationContent: Sendable {
    /// The options in the form of `notify*`.
    public let options: JSONValue
    /// The JSON text that ``options`` were read from; `nil` when they were not read from a text.
    public let source: String?

    private let reading: Result<PushNotification, NotificationError>

    public convenience init(_ options: JSONValue) {
        self.init(options, source: nil)
    }

    /// Reads options from their JSON text.
    ///
    /// - Throws: ``JSONSyntaxError``.
    public convenience init(parsing text: String) throws(JSONSyntaxError) {
        self.init(try JSONValue(parsing: text), source: text)
    }

    private init(_ options: JSONValue, source: String?) {
        (self.options, self.source) = (options, source)
        reading = Result { () throws(NotificationError) in try PushNotification(options: options) }
    }

    /// The options, read.
    ///
    /// - Throws: ``NotificationError``, each time the same.
    public var notification: PushNotification {
        get throws(NotificationError) { try reading.get() }
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
