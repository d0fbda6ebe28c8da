/// The bytes of the store that clients without a user may take with devices, subscriptions and preferences, which any client can
/// create. Above the quota they can store nothing until some of it is deleted.
public struct GuestQuota: Sendable, Hashable {
    public var total = 2048 << 20
    /// The bytes from one network; this machine has no separate quota.
    public var perNetwork = 32 << 20

    public init() {}
}
