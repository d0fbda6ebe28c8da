public import struct Foundation.Date

/// A fault for one request.
public enum SandboxFault: Sendable, Hashable {
    /// Refused, in the service's own form.
    ///
    /// - Parameters:
    ///   - timestamp: since when a device is gone (APNs).
    ///   - retryAfter: seconds, for the `Retry-After` header.
    case status(Int, reason: String, timestamp: Date? = nil, retryAfter: Int? = nil)
    /// Sends the usual response after this time.
    case slow(Duration)
    /// Takes the request and never responds.
    case never
    /// RST_STREAM at APNs' side; closes the connection elsewhere. The request is not accepted.
    case reset
    /// Like ``reset``, but the notification is accepted before (when it is a good one): the client cannot know.
    case resetAfterAccepting
    /// GOAWAY with APNs' JSON reason and a last stream below this request's, so that it is not processed; later streams
    /// of the connection are ignored. Elsewhere the connection is closed.
    case goAway(reason: String)
    /// Closes the TCP connection at once, without a response.
    case closeConnection
    /// 403 ExpiredProviderToken from APNs, 401 elsewhere.
    case expiredToken
}

/// A request as a fault's rule sees it.
public struct SandboxRequest: Sendable {
    public let service: SandboxService
    /// The number of the TCP connection, from 1.
    public let connection: Int
    public let method: String
    public let path: String
    public let headers: [(name: String, value: String)]
    /// The device token, registration token, channel, subscription or telephone number it is for.
    public let token: String?
    /// The number of requests to this token, including this one; without a token, to this service.
    public let number: Int
    /// The number of requests to this service, including this one.
    public let sequence: Int
}
