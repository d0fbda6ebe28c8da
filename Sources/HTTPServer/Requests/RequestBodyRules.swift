public import HTTPTypes
public import NIOCore

/// Limits for the bodies of requests, in one request and in all requests at a time, and the form of a server's refusals.
public struct RequestBodyRules: Sendable {
    /// The sender of a body.
    public enum Sender: Sendable, Hashable {
        /// A client that has logged in. Its bodies are not counted.
        case known
        /// Any other client; `nil` when only the limit for all addresses counts, as for proxies and programs on this machine.
        case unknown(ClientNetwork?)
    }

    /// The longest body, in bytes. A request that declares more is refused with 413 before its body is read; one that declares nothing, once more has
    /// arrived.
    public var longestBody: Int
    /// The bytes of the bodies on one connection, at a time, that are not counted, so that small requests always pass.
    public var uncountedBytes = 16 << 10
    /// The most bytes of bodies of unknown clients that are held at a time, from the body's arrival to the response's end. Requests beyond are
    /// refused with 503.
    public var maximumBytes = 256 << 20
    /// The most of them from one address; an IPv6 client counts by its /64. Requests beyond are refused with 429.
    public var maximumBytesPerAddress = 64 << 20

    let sender: @Sendable (_ headers: HTTPFields, _ peer: SocketAddress?) -> Sender
    let refusal: @Sendable (_ path: String, HTTPResponse.Status, _ message: String) -> (HTTPFields, ByteBuffer)

    /// - Parameters:
    ///   - sender: finds out who sends a body; called once for each that goes beyond ``uncountedBytes``, on the
    ///     connection's event loop.
    ///   - refusal: makes the headers, without `Content-Length`, and the body of every refusal that the transport sends,
    ///     those of malformed, slow and oversized requests too. The path is empty when it is not known.
    public init(
        longestBody: Int, sender: @escaping @Sendable (_ headers: HTTPFields, _ peer: SocketAddress?) -> Sender,
        refusal:
            @escaping @Sendable (_ path: String, HTTPResponse.Status, _ message: String) -> (HTTPFields, ByteBuffer)
    ) {
        self.longestBody = longestBody
        self.sender = sender
        self.refusal = refusal
    }
}
