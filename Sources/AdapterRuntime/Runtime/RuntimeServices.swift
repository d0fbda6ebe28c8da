public import AsyncHTTPClient
public import Logging
public import PushModel

extension HTTPClient.Configuration {
    /// For back ends. One that refuses is told to the adapter at once, which knows best whether to ask again.
    public static var backEnds: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 50
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

/// What adapters reach through the bindings.
public struct RuntimeServices: Sendable {
    public let subscriptions: any SubscriptionStore
    public let smsSubscriptions: any SMSSubscriptionStore
    public let notifications: any NotificationSink
    public let broadcasts: any BroadcastSender
    public let time: any TimeSource
    public let httpClient: HTTPClient
    public let logger: Logger

    public init(
        subscriptions: any SubscriptionStore, smsSubscriptions: any SMSSubscriptionStore,
        notifications: any NotificationSink, broadcasts: any BroadcastSender, time: any TimeSource,
        httpClient: HTTPClient, logger: Logger
    ) {
        self.subscriptions = subscriptions
        self.smsSubscriptions = smsSubscriptions
        self.notifications = notifications
        self.broadcasts = broadcasts
        self.time = time
        self.httpClient = httpClient
        self.logger = logger
    }
}
