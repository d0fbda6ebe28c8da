public import BackEndHTTP
public import Core
public import Databases
public import Logging
public import PushModel
public import Tracing

/// The services that adapters reach through the bindings.
public struct RuntimeServices: Sendable {
    public let subscriptions: any SubscriptionStore
    public let smsSubscriptions: any SMSSubscriptionStore
    public let notifications: any NotificationSink
    public let broadcasts: any BroadcastSender
    public let time: any TimeSource
    public let logger: Logger
    /// The stubs that respond instead of back ends; `nil` when the back ends themselves do.
    public var standIns: (any BackEndStandIns)?
    /// The metrics recorded for an operator; nothing by default.
    public var metrics = RuntimeMetrics()
    /// Makes spans of calls and of requests to back ends; `nil` without tracing.
    public var tracer: (any Tracer)?
    /// Records which lines run; `nil` without coverage.
    public var coverage: CoverageCollector?

    public init(
        subscriptions: any SubscriptionStore, smsSubscriptions: any SMSSubscriptionStore,
        notifications: any NotificationSink, broadcasts: any BroadcastSender, time: any TimeSource,
        logger: Logger
    ) {
        self.subscriptions = subscriptions
        self.smsSubscriptions = smsSubscriptions
        self.notifications = notifications
        self.broadcasts = broadcasts
        self.time = time
        self.logger = logger
    }
}

/// Replacements for the back ends of adapters, in tests.
public protocol BackEndStandIns: Sendable {
    /// For an adapter's HTTP back end; `nil` for the back end itself.
    func http(for adapter: String) -> (any BackEndStandIn)?

    /// For an adapter's database; `nil` for the database itself.
    ///
    /// - Throws: `SQLConfigurationError` when a database is configured and cannot be opened; the adapter then has no database.
    func database(for adapter: String) throws(SQLConfigurationError) -> SQLDataSource?
}
