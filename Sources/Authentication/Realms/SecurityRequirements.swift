/// What a client must have proven before it reaches something.
///
/// That its requests are no forgery (`wl_antiXSRFRealm`) and that its version is not blocked (`wl_remoteDisableRealm`) is
/// asked of every client, whatever the project's tests say, so neither is named here.
public struct SecurityRequirements: Sendable, Hashable {
    /// Whether the device must have sent its identity.
    public var device = false
    /// The realms in which a user must be logged in, in the order of their steps.
    public var userRealms: [String] = []
    /// Why nobody can ever pass; `nil` when somebody can.
    public var obstacle: String?

    public init(device: Bool = false, userRealms: [String] = [], obstacle: String? = nil) {
        self.device = device
        self.userRealms = userRealms
        self.obstacle = obstacle
    }

    /// What both ask, these first.
    public func adding(_ other: SecurityRequirements) -> SecurityRequirements {
        SecurityRequirements(
            device: device || other.device,
            userRealms: userRealms + other.userRealms.filter { !userRealms.contains($0) },
            obstacle: obstacle ?? other.obstacle)
    }
}
