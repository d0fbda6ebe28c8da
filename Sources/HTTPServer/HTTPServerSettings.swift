/// The limits of the transport, per connection and in all. Every value has a default that suits a server on the open net.
public struct HTTPServerSettings: Sendable, Equatable {
    /// Longest request line (method, target and version with its line end), in bytes as sent; longer ones are refused with 414. HTTP/2 has no request
    /// line: there ``maximumHeaderBytes`` counts.
    public var maximumRequestLine = 16 * 1024
    /// Longest header line of a request with its line end, in bytes as sent; longer ones are refused with 431. HTTP/2: name and value of a field.
    public var maximumHeaderLine = 16 * 1024
    /// Longest header block of a request after its request line, in bytes as sent; longer ones are refused with 431.
    public var maximumHeaderBytes = 64 * 1024
    /// Most header fields (trailers included) of a request; more are refused with 431.
    public var maximumHeaderCount = 200

    /// Time from a request's first byte, or from the connection's start for the first one, to the end of its header. Then the request is refused with
    /// 408, or the connection is closed if no byte has arrived.
    public var headerTime = Duration.seconds(10)
    /// Time for a TLS handshake.
    public var handshakeTime = Duration.seconds(10)
    /// Time for which the server may wait in all for a request's body, for each megabyte begun. Time during which the
    /// server itself does not read, because the request's handler has not asked for more, does not count.
    public var bodyTimePerMegabyte = Duration.seconds(30)
    /// Longest time between two pieces of a body.
    public var bodyIdleTime = Duration.seconds(10)
    /// Time for which a connection without a request stays open after a response.
    public var keepAliveTime = Duration.seconds(60)
    /// Time for which a client may take nothing of a response before it is cut off. HTTP/2: before the stream is reset.
    public var stalledResponseTime = Duration.seconds(60)
    /// Time that a client may need for a response, for each megabyte begun, in addition to ``stalledResponseTime``. The default is 3.5 KB a second,
    /// which a phone on the slowest network reaches.
    public var responseTimePerMegabyte = Duration.seconds(300)

    /// Time for which the end of the client's data is awaited after the server has closed its side and the client has acknowledged everything, so
    /// that a client that still sends sees the response and no reset.
    public var lingerTime = Duration.seconds(2)
    /// Bytes that are read and discarded meanwhile; then nothing more is read.
    public var lingerBytes = 256 * 1024

    /// Time for which browsers must use TLS only (`Strict-Transport-Security`, RFC 6797); nil sends no such header. It is sent over TLS only.
    public var strictTransportSecurity: Duration?

    /// Most connections at a time; further ones are closed at once.
    public var maximumConnections = 10_000
    /// Most connections at a time from one address that is not a loopback address. An IPv6 client counts by its /64.
    public var maximumConnectionsPerAddress = 1_000

    /// HTTP/2: most requests at a time on one connection.
    public var maximumConcurrentStreams = 100
    /// HTTP/2: most streams that the client may reset in 30 seconds (CVE-2023-44487).
    public var maximumStreamResets = 200
    /// HTTP/2: most CONTINUATION frames of one header block.
    public var maximumContinuations = 5
    /// HTTP/2: time for the open requests after the server has said goodbye; then the connection is closed.
    public var goAwayGracePeriod = Duration.seconds(30)

    public init() {}

    /// The value of the header `Strict-Transport-Security`.
    var strictTransportSecurityValue: String? {
        strictTransportSecurity.map { "max-age=\($0.components.seconds)" }
    }
}
