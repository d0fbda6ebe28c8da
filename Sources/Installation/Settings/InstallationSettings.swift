public import AdapterRuntime
public import Authentication
public import Foundation
public import HTTPServer
public import HTTPTypes
public import Push
public import Storage

/// How an installation runs.
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
    /// The server's name for people, in the console.
    public var serverName = ProcessInfo.processInfo.hostName
    /// Where the store lives, unless that is a PostgreSQL, and what else this server keeps; `nil` for `.lamplighter` in the project.
    public var data: URL?
    /// The PostgreSQL that is the store; `nil` for a file in the data folder.
    public var store: PostgreSQLAddress?
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 10080
    /// The address of the console's port, which answers `/`, `/health` and the management API.
    public var consoleHost = "127.0.0.1"
    /// The console's port, 0 for any free port; `nil` for none. Browsers refuse the default ``port``.
    public var consolePort: Int?
    /// Whether another port that is free is used when ``consolePort`` is taken.
    public var mayMoveConsole = false
    /// The address by which browsers reach the console's port; `nil` for ``consoleHost`` and ``consolePort``.
    public var consoleURL: String?
    /// Whether the console's port answers `/metrics` without a token.
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
    /// Whether programs on this machine use what development mode opens without the key in the data folder.
    public var isDevelopmentOpen = false
    /// Whether a credential that cannot be used, or an error of the project, is a reason not to start.
    public var isStrict = false
    /// The disk of the data folder counts as nearly full when it has fewer bytes left.
    public var leastFreeSpace = 500 << 20
    /// How long a write to the store may take before the health check of the store fails.
    public var storePatience = Duration.seconds(5)
    /// The health checks that do not count.
    public var ignoredChecks: Set<HealthCheck.Name> = []
    public var runtime = RuntimeSettings()
    /// What the push services are reached with.
    public var push = PushSettings()
    /// By which the push services of browsers know this server; `nil` for the key in the data folder, which is made at the
    /// first start.
    public var webPushKey: VAPIDKey?
    /// The longest time that each part of a stopping server waits for what is running: polls, deliveries, spans. All
    /// parts together have three times as much.
    public var gracePeriod = OutboxWorkerSettings().gracePeriod
    /// How long ended deliveries are remembered.
    public var deliveryRetention = OutboxWorkerSettings().retention
    /// How many sessions there may be.
    public var sessions = SessionSettings()
    /// The number of refused passwords within a minute, in one realm from one address, after which further ones are slow; also of
    /// answers of an adapter that ask for a login.
    public var loginsPerAddress = 30
    /// How long a session may be idle; `nil` for the project's `serverSessionTimeout`.
    public var sessionTimeout: Duration?
    /// What back ends show that call procedures.
    public var backEnds = BackEndCredentials()
    /// From which addresses telephone gateways call; `none` refuses them all.
    public var phoneGateways = TrustedProxies.none
    /// The most clients of the OAuth layer that are remembered. Beyond, those go that were not used for longest; they register
    /// again by themselves.
    public var mostOAuthClients = 250_000
    /// Whether hybrid clients of 5.0.6 whose checksum is not known get a script that hands them their own. Without it and
    /// without a checksum they cannot connect.
    public var sendsChecksumScript = true
    /// From which level on clients shall keep and send what they log; `nil` leaves it to them.
    public var clientLogLevel: String?
    /// How long what clients have logged is kept.
    public var clientLogRetention = Duration.seconds(30 * 24 * 3600)
    /// How much of what clients have logged is kept.
    public var clientLogQuota = ClientLogQuota()
    /// How much clients without a user may have stored.
    public var guestQuota = GuestQuota()
    /// How much memory device contexts may take before those of sessions without a checked user are refused.
    public var deviceContexts = DeviceContextBudget.Limits()
    /// The certificate and the key to listen with; `nil` for plain HTTP.
    public var tls: TLSFiles?
    /// The oldest version of TLS to speak.
    public var minimumTLSVersion = TLSMinimumVersion.tls12
    /// How much a connection may take and how long.
    public var transport = HTTPServerSettings()
    /// Who is believed when they say for whom they ask.
    public var trustedProxies = TrustedProxies.none
    /// The header in which a trusted proxy passes the client's certificate, which it has verified; `nil` for none.
    public var clientCertificateHeader: HTTPField.Name?
    /// The largest request that is read, in bytes.
    public var longestRequest = 4 << 20
    /// The most bytes of bodies that are held at a time of requests without a login.
    public var mostBodyBytes = 256 << 20
    /// The most of them from one address that is not this machine's.
    public var mostBodyBytesPerAddress = 64 << 20

    /// Whether each request is logged.
    public var logsRequests = false

    /// All settings with their sources, for the management API.
    public var shown: [ShownSetting] = []

    public init(project: URL) {
        self.project = project
    }

    public var dataFolder: URL { data ?? project.appending(path: ".lamplighter") }
}
