import CCurl
import Foundation

/// Why an exchange did not come to its end.
struct ExchangeError: Error, CustomStringConvertible {
    let description: String

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

    static func noConnection(within timeout: Duration) -> ExchangeError {
        ExchangeError("no connection within \(timeout.inMilliseconds) ms (connection timeout)")
    }

    /// - Parameters:
    ///   - text: libcurl's words.
    ///   - errno: the system's error of a connection that was not made; 0 for none.
    ///   - peer: host and port to which a connection was wanted.
    ///   - connectStatus: the proxy's answer to CONNECT; 0 for none.
    ///   - hasHead: whether the answer's status line had come.
    init(
        _ code: CURLcode, text: String, errno: Int32, peer: String, connectStatus: Int, hasHead: Bool,
        allowsLegacyTLS: Bool, connectionTimeout: Duration
    ) {
        let system = errno == 0 ? text : String(cString: strerror(errno))
        let end = hasHead ? " in the middle of its answer" : " without an answer"
        switch code {
        case _ where connectStatus == 407:
            description = "the proxy asks for authentication; check 'proxy' in the connectionPolicy"
        case _ where connectStatus >= 300: description = "the proxy \(peer) refuses the connection: \(text)"
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            description = "the host of \(peer) cannot be found: \(text)"
        case CURLE_COULDNT_CONNECT: description = "no connection to \(peer): \(system)"
        case CURLE_OPERATION_TIMEDOUT: self = .noConnection(within: connectionTimeout)
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND:
            description = "the back end closed the connection" + end
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            let isClosed = [ECONNRESET, EPIPE, 0].contains(errno)
            description =
                isClosed ? "the back end closed the connection" + end : "the connection broke: \(system)"
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2:
            description = "the back end's answer is not HTTP: \(text)"
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CLIENTCERT:
            description =
                "TLS failed: \(text)"
                + (allowsLegacyTLS ? "" : "; if the back end has only TLS 1.0 or SHA-1, set backEnds.tls to legacy")
        default: description = text
        }
    }
}
