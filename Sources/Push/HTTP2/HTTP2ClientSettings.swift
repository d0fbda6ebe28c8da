import Logging

/// How an ``HTTP2Client`` treats its connections. The defaults suit APNs.
struct HTTP2ClientSettings: Sendable, Hashable {
    /// The most connections at a time. The original had three to APNs (`push.apns.connections`, server-api 5.4).
    var maximumConnections = 3
    /// How long every stream of every connection must have been taken before another connection is made. Apple's service
    /// lets a new connection have one stream only until it has seen a token, which must not lead to more connections.
    var saturation: Duration = .milliseconds(250)
    /// Another connection is made as well when every one has had at least so many requests under way for that time: the more
    /// streams a connection has, the more each costs (benchmarks/README.md).
    var preferredStreams = 150
    /// The most requests under way on a connection, however many the service allows.
    var maximumStreams = 1000
    /// For name resolution, TCP, proxy, TLS and the service's first settings together.
    var connectTimeout: Duration = .seconds(10)
    /// From the moment a request is handed over to its answer.
    var requestTimeout: Duration = .seconds(30)
    /// A `PING` is sent when nothing has been heard for so long.
    var pingAfter: Duration = .seconds(60)
    /// The connection is given up when nothing is heard for so long after a `PING`.
    var pingTimeout: Duration = .seconds(10)
    /// How long a connection without requests is kept; `nil` for any time.
    var idleTimeout: Duration?
    /// The wait after a connection could not be made, doubled with each further failure. What is waited is anything between
    /// half of it and all of it, so that several servers do not come back together.
    var firstBackOff: Duration = .milliseconds(500)
    var longestBackOff: Duration = .seconds(60)
    /// Whether requests go elsewhere when the service does not speak HTTP/2, so that no pause follows.
    var hasFallback = false
    /// How a connection that cannot be made is logged.
    var failureLevel = Logger.Level.warning
    /// How often a request that surely was not processed goes to another connection before it fails.
    var maximumRepeats = 3
    /// The most bytes of an answer's body.
    var maximumBody = 16 * 1024
    /// The most bytes of an answer's header fields.
    var maximumHeaders = 16 * 1024
}
