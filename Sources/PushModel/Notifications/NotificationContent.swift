public import Core
import Synchronization

/// What a notification says: one object for all its deliveries, read once however many they are.
public final class NotificationContent: Sendable {
    /// The options in the form of `notify*`.
    public let options: JSONValue
    /// The JSON text that ``options`` were read from; `nil` when they were not read from a text.
    public let source: String?

    private let reading = Mutex<Result<PushNotification, NotificationError>?>(nil)

    public init(_ options: JSONValue) {
        self.options = options
        source = nil
    }

    /// Reads options from their JSON text.
    ///
    /// - Throws: ``JSONSyntaxError``.
    public init(parsing text: String) throws(JSONSyntaxError) {
        options = try JSONValue(parsing: text)
        source = text
    }

    /// The options, read.
    ///
    /// - Throws: ``NotificationError``, each time the same.
    public var notification: PushNotification {
        get throws(NotificationError) {
            let result = reading.withLock { reading in
                if let reading { return reading }
                let result = Result { () throws(NotificationError) in try PushNotification(options: options) }
                reading = result
                return result
            }
            return try result.get()
        }
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
