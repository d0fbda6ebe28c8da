/// What the push services are to be reached with, as the operator wrote it: for all applications, or for one of them.
///
/// Nothing is read or checked here but the form. Files are relative to the project's folder.
public struct PushCredentialSettings: Sendable, Hashable {
    public struct APNs: Sendable, Hashable {
        /// The `.p8` file, or its text.
        public var key: String?
        public var keyID: String?
        public var teamID: String?
        /// A `.p12` file, instead of a key.
        public var certificate: String?
        /// The `.p12` file's password.
        public var password: String?
        public var environment: PushServiceSettings.APNsEnvironment?
        /// The app's bundle id.
        public var topic: String?
        public var endpoint: ServiceEndpoint?
    }

    public struct FCM: Sendable, Hashable {
        /// The service account's JSON file, or its text.
        public var serviceAccount: String?
        public var endpoint: ServiceEndpoint?
    }

    public struct WNS: Sendable, Hashable {
        public var packageSID: String?
        public var clientSecret: String?
        public var endpoint: ServiceEndpoint?
    }

    public struct WebPush: Sendable, Hashable {
        /// Whom a push service may write to: `mailto:` or `https:`.
        public var contact: String?
        public var endpoint: ServiceEndpoint?
    }

    public var apns = APNs()
    public var fcm = FCM()
    public var wns = WNS()
    public var webPush = WebPush()
    /// What stands for the hosts of all SMS gateways.
    public var smsEndpoint: ServiceEndpoint?

    public init() {}
}
