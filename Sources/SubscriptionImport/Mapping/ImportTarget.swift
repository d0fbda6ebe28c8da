/// The parts of a project that rows may name.
public struct ImportTarget: Sendable {
    /// The ids of the applications, each with its tags.
    public let applications: [String: [String]]
    /// The names of the adapters, each with the event sources that its script names literally.
    public let adapters: [String: Set<String>]

    public init(applications: [String: [String]], adapters: [String: Set<String>]) {
        (self.applications, self.adapters) = (applications, adapters)
    }
}
