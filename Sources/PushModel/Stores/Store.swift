/// All that a server keeps, but what clients log.
///
/// Blocks while it waits for its disk or its database, so tasks call it on a thread that may (`runBlocking`, ``ThreadPool``).
public protocol Store: ActivityStore, ApplicationRuleStore, BroadcastStore, DeliveryHistory, DeviceBlockStore,
    DirectoryStore, GuestStore,
    ManagementStore,
    MessageStore, OAuthClientStore, Outbox, PollStore, PreferenceStore, RegistrationStore, SMSSubscriptionStore,
    SubscriptionStore
{}
