import NIOCore
import NIOHPACK

/// A request with everything it needs, the pseudo header fields too.
struct HTTP2Request: Sendable {
    let headers: HPACKHeaders
    let body: ByteBuffer
}

/// A complete response.
struct HTTP2Response: Sendable {
    let status: Int
    let headers: HPACKHeaders
    let body: ByteBuffer
    /// Which of the client's connections it came by, for ``HTTP2Client/retire(connection:)``.
    let connection: Int
}

/// The reason why a request has no response.
struct HTTP2RequestError: Error, Sendable {
    enum Kind: Sendable, Hashable {
        /// The task that waited for the response was cancelled.
        case cancelled
        /// The client has been closed.
        case closed
        /// No connection could be made, so nothing was sent.
        case unreachable
        /// The connection ended, or announced its end, before the response arrived.
        case connectionLost
        /// The service ended this one stream.
        case reset
        /// No response came in time.
        case timedOut
        /// The response breaks the protocol or exceeds the size limits.
        case badAnswer
    }

    let kind: Kind
    /// The description for messages; ends without a full stop.
    let reason: String
    /// True if the service may have processed the request, so that sending it again may be a repeat. False if it has certainly not.
    let mayHaveArrived: Bool
    /// The wait until a connection may next be tried.
    var retryAfter: Duration?
    /// The connection that failed, so that callers can count each failure once.
    var connection: Int?
    /// The service's reason for ending the connection: the debug data of the `GOAWAY` frame.
    var goAway: String?
}
