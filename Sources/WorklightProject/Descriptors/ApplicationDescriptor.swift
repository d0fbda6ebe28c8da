/// The parts of an application's `application-descriptor.xml` that a server needs (server-api 5.2).
public struct ApplicationDescriptor: Sendable, Hashable {
    public let id: String
    public let displayName: String?
    public let description: String?
    /// The version of the tools that made it, such as `6.2.0.0`.
    public let platformVersion: String?
    /// In the file's order; a native application has one, named after its root element.
    public let environments: [Environment]
    /// `tags`: the tags to which devices may subscribe, besides event sources (6.2).
    public let tags: [Tag]
    /// `userIdentityRealms`: the realms in which users of the application may be logged in, in the order of preference.
    public let userIdentityRealms: [String]
    /// The realms of `<usage requireAuthentication="onStartup">` (5.0): users log in there when the application starts.
    public let startupRealms: [StartupRealm]
    /// `accessTokenExpiration`, in seconds (6.3).
    public let accessTokenExpiration: Double?
    /// `smsGateway`: the gateway in SMSConfig.xml that its text messages go through.
    public let smsGateway: String?
    /// `mainFile`: the page with which the application starts; `nil` for `index.html`.
    public let mainFile: String?
    /// The descriptor, relative to the project's folder.
    public let path: String

    /// An element such as `iphone` or `android`.
    public struct Environment: Sendable, Hashable {
        public let name: String
        public let version: String?
        /// The test in authenticationConfig.xml that guards the application there.
        public let securityTest: String?
        /// iOS's `bundleId`.
        public let bundleID: String?
        public let pushSender: PushSender?
        /// Apple's certificates that lie beside the descriptor, or in the environment's folder.
        public let certificates: [APNSCertificate]
        public let line: Int
    }

    /// A `realm` of `usage`.
    public struct StartupRealm: Sendable, Hashable {
        public let name: String
        public let line: Int
    }

    public struct Tag: Sendable, Hashable {
        public let name: String
        public let description: String?
    }

    /// A `pushSender` element. Which attributes it has depends on the platform.
    public struct PushSender: Sendable, Hashable {
        /// Apple: of the certificate's file.
        public let password: String?
        /// Google: the API key.
        public let key: String?
        /// Google: the project's number.
        public let senderID: String?
        /// Windows 8.
        public let clientSecret: String?
        /// Windows 8.
        public let packageSID: String?
        /// Windows 8.
        public let appIdentityName: String?
        /// Windows 8.
        public let appIdentityPublisher: String?
        /// Windows Phone 8: the web service's name.
        public let serviceName: String?
        /// Windows Phone 8: the certificate's name in the keystore.
        public let keyAlias: String?
        /// Windows Phone 8.
        public let keyAliasPassword: String?
        public let line: Int
    }

    /// A file such as `apns-certificate-sandbox.p12`.
    public struct APNSCertificate: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case sandbox, production
        }

        public let kind: Kind
        /// Relative to the project's folder.
        public let path: String
    }
}
