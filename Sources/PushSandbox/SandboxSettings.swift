public import struct Foundation.Date

extension PushSandbox {
    /// The ports and the behaviour of a sandbox.
    public struct Settings: Sendable {
        public var host = "127.0.0.1"
        /// HTTP/2 over TLS, ALPN `h2` only. 0 takes any free port, as with all ports.
        public var apnsPort = 0
        /// HTTPS with HTTP/1.1 and HTTP/2: FCM and Google's token endpoint (`/token`), WNS and its token endpoint
        /// (`/accesstoken.srf`), Web Push (`/push/...`).
        public var httpPort = 0
        /// Plain HTTP: SMS gateways are reached by GET with a query.
        public var smsPort = 0
        /// The live page of phones; nil = none.
        public var pagePort: Int?
        /// The limit that APNs' side announces.
        public var maximumConcurrentStreams = 1000
        /// Announces one stream at first and ``maximumConcurrentStreams`` after the first good provider token, as Apple's
        /// servers do.
        public var startsWithOneStream = false
        /// The number of arrivals that are kept; the oldest are removed. 0 only counts them, for benchmarks.
        public var keptArrivals = 100_000
        /// The time of day by which the ages of tokens are judged.
        public var now: @Sendable () -> Date = { Date() }
        /// The keys and certificates; new ones when nil.
        public var identity: SandboxIdentity?
        /// Asked for each request before the ordinary checks; nil = behave well. Runs on an event loop: it must not block.
        public var fault: (@Sendable (SandboxRequest) -> SandboxFault?)?

        public init() {}
    }
}

/// The reason why a sandbox cannot start.
public struct SandboxStartError: Error, CustomStringConvertible {
    public let description: String
}

/// The services that the sandbox simulates.
public enum SandboxService: String, Sendable, CaseIterable {
    case apns, fcm, wns, sms, webPush
    /// The endpoints at which Google and Microsoft hand out access tokens.
    case oauth
}
