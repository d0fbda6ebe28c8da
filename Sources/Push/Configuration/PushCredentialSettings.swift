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

/// What the push services are to be reached with, as the operator wrote it: for all applications, or for one of them.
///
/// Nothing is read or checked here but the form. Files are relative to the project's folder.
public struct PushCredentialSettings: Sendable, Hashable {
    public var apns = APNs()
    public var fcm = FCM()
    public var wns = WNS()
    public var webPush = WebPush()
    /// What stands for the hosts of all SMS gateways.
    public var smsEndpoint: ServiceEndpoint?

    public init() {}
}
