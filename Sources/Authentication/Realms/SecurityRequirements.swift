/// The realms that a client must have passed for access to a resource.
///
/// Every client must pass the checks against forged requests (`wl_antiXSRFRealm`) and of blocked versions (`wl_remoteDisableRealm`),
/// independent of the project's tests. So neither is listed here.
public struct SecurityRequirements: Sendable, Hashable {
    /// True if the device must have sent its identity.
    public var device = false
    /// The realms in which a user must be logged in, in the order of their steps.
    public var userRealms: [String] = []
    /// The reason why no client can pass; `nil` when clients can.
    public var obstacle: String?

    public init(device: Bool = false, userRealms: [String] = [], obstacle: String? = nil) {
        self.device = device
        self.userRealms = userRealms
        self.obstacle = obstacle
    }

    /// Returns the requirements of both, these first.
    public func adding(_ other: SecurityRequirements) -> SecurityRequirements {
        SecurityRequirements(
            device: device || other.device,
            userRealms: userRealms + other.userRealms.filter { !userRealms.contains($0) },
            obstacle: obstacle ?? other.obstacle)
    }
}
