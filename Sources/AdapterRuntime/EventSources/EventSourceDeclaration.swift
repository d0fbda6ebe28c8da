public import PushModel

/// An event source as an adapter declared it (server-api 2.7).
public struct EventSourceDeclaration: Sendable, Hashable {
    public let id: EventSourceID
    /// The wait between two polls in seconds; `nil` when the source does not poll.
    public let pollInterval: Double?
    /// The test in authenticationConfig.xml that guards subscribing; optional, as real adapters leave it out.
    public let securityTest: String?

    public init(id: EventSourceID, pollInterval: Double?, securityTest: String?) {
        self.id = id
        self.pollInterval = pollInterval
        self.securityTest = securityTest
    }
}
