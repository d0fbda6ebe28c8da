/// The settings for sending notifications to push services.
public struct PushSettings: Sendable, Hashable {
    /// For applications without their own credentials.
    public var credentials = PushCredentialSettings()
    /// The settings of single applications, keyed by application id.
    public var applications: [String: PushCredentialSettings] = [:]
    /// A file in PEM with certificates to trust besides the system's: a relay's, or push-sandbox's.
    public var trustedCertificates: String?
    /// The proxy for all services. Those of `worklight.properties` go before it.
    public var proxy: EgressProxy?

    public init() {}
}

/// The credentials of push services from the settings: for all applications, or for one of them.
///
/// Only their form is checked here; files are not read. Their paths are relative to the project's folder.
public struct PushCredentialSettings: Sendable, Hashable {
    public var apns = APNs()
    public var fcm = FCM()
    public var wns = WNS()
    public var webPush = WebPush()
    /// Replaces the hosts of all SMS gateways.
    public var smsEndpoint: ServiceEndpoint?

    public init() {}
}
