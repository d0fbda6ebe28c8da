import NIOCore
import NIOHPACK

/// A request with everything it needs, the pseudo header fields too.
struct HTTP2Request: Sendable {
    let headers: HPACKHeaders
    let body: ByteBuffer
}

/// A whole answer.
struct HTTP2Response: Sendable {
    let status: Int
    let headers: HPACKHeaders
    let body: ByteBuffer
    /// Which of the client's connections it came by, for ``HTTP2Client/retire(connection:)``.
    let connection: Int
}

/// Why there is no answer to a request.
struct HTTP2RequestError: Error, Sendable {
    enum Kind: Sendable, Hashable {
        /// The task that waited for the answer was cancelled.
        case cancelled
        /// The client has been closed.
        case closed
        /// No connection could be made, so nothing was sent.
        case unreachable
        /// The connection ended, or announced its end, before the answer came.
        case connectionLost
        /// The service ended this one stream.
        case reset
        /// No answer came in time.
        case timedOut
        /// The answer breaks the protocol or is larger than any that is expected.
        case badAnswer
    }

    let kind: Kind
    /// For people: what happened; ends without a full stop.
    let reason: String
    /// Whether the service may have processed the request, so that sending it again may be a repeat. When it is false, it
    /// surely has not.
    let mayHaveArrived: Bool
    /// When a connection may next be tried.
    var retryAfter: Duration?
    /// The connection that failed, so that callers can count each failure once.
    var connection: Int?
    /// What the service gave as its reason when it ended the connection: the text in the `GOAWAY` frame.
    var goAway: String?
}
