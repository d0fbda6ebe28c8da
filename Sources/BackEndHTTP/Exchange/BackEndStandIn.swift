public import Foundation

/// Answers in place of an HTTP back end, as tests have it: everything from the script to the wire is as always (cookies,
/// redirects, authentication, conversion), only the exchange itself is not.
public protocol BackEndStandIn: Sendable {
    /// Answers a request. Called on the thread of the script that waits for it, which it may block.
    ///
    /// - Throws: ``BackEndStandInError`` when it has no answer: the call fails with that text.
    func answer(_ request: BackEndStandInRequest) throws(BackEndStandInError) -> BackEndStandInAnswer
}

/// A request as it would have gone over the wire.
public struct BackEndStandInRequest: Sendable {
    public let method: String
    /// `http://host:port`, of the adapter's policy or where a redirect led.
    public let origin: String
    /// The path and the query, encoded.
    public let target: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// How long the back end may be silent (`socketTimeoutInMilliseconds`).
    public let socketTimeout: Duration
}

/// What a stand-in does with a request.
public enum BackEndStandInAnswer: Sendable {
    case response(status: Int, headers: [(name: String, value: String)], body: [UInt8])
    /// The back end does not answer until the socket timeout. The test does not wait for it.
    case silence
    /// The connection is refused.
    case refusedConnection
    /// To be asked instead: a real server's `http://host:port`.
    case forward(to: URL)
}

/// A stand-in that has no answer for a request.
public struct BackEndStandInError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
