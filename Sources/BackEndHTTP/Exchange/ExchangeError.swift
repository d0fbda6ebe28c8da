import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Why an exchange did not come to its end.
struct ExchangeError: Error, CustomStringConvertible {
    let description: String
    /// Whether the request may be sent again on another connection.
    var repeatability = Repeatability.never

    enum Repeatability: Sendable {
        case never
        /// A connection that was kept closed before the first byte of the answer. The back end may have worked on the request.
        case ifIdempotent
        /// Nothing of the request was sent.
        case always
    }

    init(_ description: String) {
        self.description = description
    }

    static func tooLarge(_ limit: Int) -> ExchangeError {
        ExchangeError("the back end's answer is larger than the limit of \(limit) bytes")
    }

    static let givenUp = ExchangeError("it was given up before the answer was complete")

    static func silence(of timeout: Duration) -> ExchangeError {
        ExchangeError("the back end was silent for \(timeout.inMilliseconds) ms (socket timeout)")
    }

    /// - Parameters:
    ///   - peer: to whom a connection was wanted: host and port.
    ///   - isSent: whether the request's head had been sent.
    ///   - hasHead: whether the answer's status and fields had come.
    init(_ error: any Error, peer: String, isSent: Bool, hasHead: Bool) {
        switch error {
        case let error as ExchangeError:
            self = error
        case let error as KeptConnectionClosed:
            description = Self.noAnswer
            repeatability = error.isSent ? .ifIdempotent : .always
        case ChannelError.ioOnClosedChannel where !hasHead:
            // AsyncHTTPClient may choose a connection that closes before it can be used.
            description = Self.noAnswer
            repeatability = isSent ? .never : .always
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            description =
                hasHead
                ? "the back end closed the connection in the middle of its answer"
                : Self.noAnswer
        case let error as HTTPClientError where error == .connectTimeout:
            description = "no connection within the connection timeout"
        case let error as HTTPClientError where error == .tlsHandshakeTimeout:
            description = "the TLS handshake did not end in time"
        case let error as HTTPClientError where error == .proxyAuthenticationRequired:
            description = "the proxy asks for authentication; check 'proxy' in the connectionPolicy"
        case let error as HTTPClientError:
            description = error.shortDescription
        case let error as NIOConnectionError:
            description = Self.describe(error)
        case let error as IOError:
            let isRefused = error.errnoCode == ECONNREFUSED
            description =
                isRefused ? "no connection to \(peer): \(error.words)" : "the connection broke: \(error.words)"
        case HTTPParserError.invalidEOFState where hasHead:
            description = "the back end closed the connection in the middle of its answer"
        case is HTTPParserError:
            description = "the back end's answer is not HTTP: \(error)"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            description = "TLS failed: \(error)"
        default:
            description = "\(error)"
        }
    }

    private static let noAnswer = "the back end closed the connection without an answer"

    private static func describe(_ error: NIOConnectionError) -> String {
        let place = "\(error.host):\(error.port)"
        if let dns = error.dnsAError ?? error.dnsAAAAError, error.connectionErrors.isEmpty {
            return "the host of \(place) cannot be found: \(dns)"
        }
        let reasons = error.connectionErrors.map { "\($0.target): \(($0.error as? IOError)?.words ?? "\($0.error)")" }
            .joined(separator: "; ")
        return "no connection to \(place): \(reasons)"
    }
}

extension IOError {
    /// What the system says, such as "Connection refused".
    fileprivate var words: String { String(cString: strerror(errnoCode)) }
}
