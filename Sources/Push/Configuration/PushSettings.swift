/// How notifications leave the machine.
public struct PushSettings: Sendable, Hashable {
    /// For every application that has none of its own.
    public var credentials = PushCredentialSettings()
    /// By the application's id.
    public var applications: [String: PushCredentialSettings] = [:]
    /// A file in PEM with certificates to trust besides the system's: a relay's, or push-sandbox's.
    public var trustedCertificates: String?
    /// The proxy for all services. Those of `worklight.properties` go before it.
    public var proxy: EgressProxy?

    public init() {}
}
