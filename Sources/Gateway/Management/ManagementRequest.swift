/// What can be asked of an installation, from the command line or over the network.
public enum ManagementRequest: Sendable, Hashable {
    case invoke(adapter: String, procedure: String, parameters: String)
    case subscribe(SubscriptionForm)
    case unsubscribe(SubscriptionForm)
    case subscriptions(eventSource: String?, user: String?)
    case deliveries(state: String?, limit: Int)
    case status
}

/// A subscription as somebody asks for it, unchecked.
public struct SubscriptionForm: Sendable, Hashable, Codable {
    /// `Adapter.EventSource`.
    public var eventSource: String
    public var user: String
    public var device: String
    /// Not needed to unsubscribe.
    public var platform: String?
    /// Not needed to unsubscribe.
    public var token: String?
    /// The event source's name when it is not given.
    public var alias: String?
    public var application: String

    public init(
        eventSource: String, user: String, device: String, platform: String? = nil, token: String? = nil,
        alias: String? = nil, application: String
    ) {
        self.eventSource = eventSource
        self.user = user
        self.device = device
        self.platform = platform
        self.token = token
        self.alias = alias
        self.application = application
    }
}

/// The answer to a ``ManagementRequest``.
public struct ManagementReply: Sendable, Hashable {
    /// JSON.
    public let body: String
    /// Whether it says that all went well.
    public let isSuccessful: Bool

    public init(body: String, isSuccessful: Bool) {
        self.body = body
        self.isSuccessful = isSuccessful
    }
}

/// A request that cannot be answered, because of something in it.
public struct ManagementError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field that is not as it must be.
    public let field: String
    public let reason: String

    public var description: String { "\(field): \(reason)" }
}
