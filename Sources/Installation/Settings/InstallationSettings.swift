public import AdapterRuntime
public import Authentication
public import Foundation
public import HTTPServer
public import HTTPTypes
public import Push
public import Storage

/// The settings of an installation.
public struct InstallationSettings: Sendable {
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// A push service without credentials is replaced by the preview mediator.
        case development
        /// A push service without credentials is a reason not to start.
        case production
    }

    /// Files in PEM.
    public struct TLSFiles: Sendable, Hashable {
        /// The certificate, and those between it and its root.
        public var certificate: String
        /// Its private key.
        public var key: String
        /// The authorities whose client certificates the server takes; `nil` to ask clients for none.
        public var clientAuthorities: String?

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The Worklight project.
    public var project: URL
    /// The server's display name, in the console.
    public var serverName = ProcessInfo.processInfo.hostName
    /// The folder of the store, unless that is a PostgreSQL, and of this server's other files; `nil` for `.lamplighter` in the project.
    public var data: URL?
    /// The PostgreSQL that is the store; `nil` for a file in the data folder.
    public var store: PostgreSQLAddress?
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 10080
    /// The address of the console's port, which serves `/`, `/health` and the management API.
    public var consoleHost = "127.0.0.1"
    /// The console's port, 0 for any free port; `nil` for none. Browsers refuse the default ``port``.
    public var consolePort: Int?
    /// True if another free port is used when ``consolePort`` is taken.
    public var mayMoveConsole = false
    /// The address by which browsers reach the console's port; `nil` for ``consoleHost`` and ``consolePort``.
    public var consoleURL: String?
    /// True if the console's port serves `/metrics` without a token.
    public var areMetricsOpen = false
    /// The address at which an OpenTelemetry collector takes traces; `nil` to trace nothing.
    public var traceEndpoint: String?
    /// The share of traces that are exported, from 0 to 1.
    public var traceRatio = 1.0
    /// Accounts of the management API in an LDAP directory.
    public var ldapAccounts: LDAPAccountSettings?
    /// Accounts of the management API at an OpenID Connect provider.
    public var openIDAccounts: OpenIDAccountSettings?

    /// The address of the console without a slash at its end.
    package var consoleAddress: String {
        if let consoleURL { return consoleURL.hasSuffix("/") ? String(consoleURL.dropLast()) : consoleURL }
        return "\(tls == nil ? "http" : "https")://\(consoleHost):\(consolePort ?? port)"
    }
    /// The path under which `/invoke` is found; `/` for the top.
    public var contextRoot = "/"
    public var mode = Mode.development
    /// True if programs on this machine may use the features of development mode without the key in the data folder.
    public var isDevelopmentOpen = false
    /// The disk of the data folder counts as nearly full when it has fewer bytes left.
    public var leastFreeSpace = 500 << 20
    /// The duration of a write to the store after which the health check of the store fails.
    public var storePatience = Duration.seconds(5)
    /// The health checks that do not count.
    public var ignoredChecks: Set<HealthCheck.Name> = []
    public var runtime = RuntimeSettings()
    /// The settings for push services.
    public var push = PushSettings()
    /// The key that identifies this server to the push services of browsers; `nil` for the key in the data folder, which is made at the first start.
    public var webPushKey: VAPIDKey?
    /// The longest time that each part of a stopping server waits for its running work: polls, deliveries, spans. All
    /// parts together have three times as much.
    public var gracePeriod = OutboxWorkerSettings().gracePeriod
    /// The time for which ended deliveries are kept.
    public var deliveryRetention = OutboxWorkerSettings().retention
    /// True if this server sends nothing: deliveries wait in the store.
    public var holdsDeliveries = false
    /// The limits on sessions.
    public var sessions = SessionSettings()
    /// The number of refused passwords within a minute, in one realm from one address, after which further ones are slow; adapter responses that ask
    /// for a login count too.
    public var loginsPerAddress = 30
    /// The members of login data that identify the login, keyed by realm. For other realms it is `username` or `user`.
    public var loginKeys: [String: String] = [:]
    /// The time for which a session may be idle; `nil` for the project's `serverSessionTimeout`.
    public var sessionTimeout: Duration?
    /// The credentials of back ends that call procedures.
    public var backEnds = BackEndCredentials()
    /// The addresses from which telephone gateways call; `none` refuses all gateways.
    public var phoneGateways = TrustedProxies.none
    /// The most clients of the OAuth layer that are remembered. Beyond, those go that were not used for longest; they register
    /// again by themselves.
    public var mostOAuthClients = 250_000
    /// True if hybrid clients of 5.0.6 whose checksum is unknown get a script that uses their own. Without it and without a checksum they cannot
    /// connect.
    public var sendsChecksumScript = true
    /// The level from which on clients log and send entries; `nil` lets them decide.
    public var clientLogLevel: String?
    /// The time for which clients' log entries are kept.
    public var clientLogRetention = Duration.seconds(30 * 24 * 3600)
    /// The limits on stored log entries of clients.
    public var clientLogQuota = ClientLogQuota()
    /// The limits on the data of clients without a user.
    public var guestQuota = GuestQuota()
    /// The memory that device contexts may take before those of sessions without a checked user are refused.
    public var deviceContexts = DeviceContextBudget.Limits()
    /// The certificate and the key to listen with; `nil` for plain HTTP.
    public var tls: TLSFiles?
    /// The oldest version of TLS to speak.
    public var minimumTLSVersion = TLSMinimumVersion.tls12
    /// The limits on connections and their times.
    public var transport = HTTPServerSettings()
    /// The proxies whose header fields about the client are trusted.
    public var trustedProxies = TrustedProxies.none
    /// The header in which a trusted proxy passes the client's certificate, which it has verified; `nil` for none.
    public var clientCertificateHeader: HTTPField.Name?
    /// The largest request that is read, in bytes.
    public var longestRequest = 4 << 20
    /// The most bytes of bodies that are held at a time of requests without a login.
    public var mostBodyBytes = 256 << 20
    /// The most of them from one address that is not this machine's.
    public var mostBodyBytesPerAddress = 64 << 20

    /// True if each request is logged.
    public var logsRequests = false

    /// All settings with their sources, for the management API.
    public var shown: [ShownSetting] = []

    public init(project: URL) {
        self.project = project
    }

    public var dataFolder: URL { data ?? project.appending(path: ".lamplighter") }
}
