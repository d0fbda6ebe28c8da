/// The application that a request comes from: which, for what, and in which version.
public struct ClientApplication: Sendable, Hashable {
    /// The `id` of its descriptor.
    public let id: String
    public let environment: ClientEnvironment
    /// `x-wl-app-version`; empty when the client does not say.
    public let version: String

    public init(id: String, environment: ClientEnvironment, version: String) {
        self.id = id
        self.environment = environment
        self.version = version
    }
}
