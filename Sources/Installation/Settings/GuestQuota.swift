/// How many bytes of the store clients without a user may take: with devices, subscriptions and preferences, which anybody on the
/// net can make up. Beyond, they can store nothing more until some of it is deleted.
public struct GuestQuota: Sendable, Hashable {
    public var total = 2048 << 20
    /// From one network; this machine has no quota of its own.
    public var perNetwork = 32 << 20

    public init() {}
}
