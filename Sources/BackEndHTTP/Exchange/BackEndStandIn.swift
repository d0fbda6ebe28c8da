public import Foundation

/// A stub that responds instead of an HTTP back end, for tests: everything is as usual (cookies, redirects, authentication, conversion) except the
/// transfer itself.
public protocol BackEndStandIn: Sendable {
    /// Responds to a request. Called on the thread of the script that waits for it, which it may block.
    ///
    /// - Throws: ``BackEndStandInError`` when it has no response: the call fails with that message.
    func answer(_ request: BackEndStandInRequest) throws(BackEndStandInError) -> BackEndStandInAnswer
}

/// A request as it would have been sent.
public struct BackEndStandInRequest: Sendable {
    public let method: String
    /// `http://host:port`, of the adapter's policy or where a redirect led.
    public let origin: String
    /// The path and the query, encoded.
    public let target: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// The time for which the back end may be silent (`socketTimeoutInMilliseconds`).
    public let socketTimeout: Duration
}

/// The stub's reaction to a request.
public enum BackEndStandInAnswer: Sendable {
    case response(status: Int, headers: [(name: String, value: String)], body: [UInt8])
    /// The back end does not respond until the socket timeout. The test does not wait for it.
    case silence
    /// The connection is refused.
    case refusedConnection
    /// To be asked instead: a real server's `http://host:port`.
    case forward(to: URL)
}

/// The stub has no response for a request.
public struct BackEndStandInError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
