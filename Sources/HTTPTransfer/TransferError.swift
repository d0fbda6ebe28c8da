import CCurl
import Foundation

/// The reason why a transfer has no complete response.
public struct TransferError: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// The task that waited was cancelled, or the client was closed.
        case cancelled
        /// The response was not complete in time.
        case timedOut
        /// No connection was made in time.
        case noConnectionInTime
        /// The host's name, or the proxy's, has no address.
        case hostNotFound
        /// The host has no address that may be connected to.
        case addressRefused
        /// A connection was not made.
        case notConnected
        /// The connection ended before the response's first byte, when `hasHead` is false, or within it.
        case connectionClosed(hasHead: Bool)
        /// The connection failed for another reason.
        case connectionBroken
        /// The response is not HTTP.
        case notHTTP
        case tls
        /// The certificate comes from no authority that is trusted.
        case untrustedCertificate
        /// The certificate is made out to another name.
        case certificateName
        /// The proxy wants a login, or refuses it.
        case proxyLogin
        /// The proxy does not connect to the host.
        case proxyRefusal
        /// The response is larger than allowed.
        case tooLarge
        /// The request's method, URL or headers cannot be sent.
        case badRequest
        case other
    }

    public let kind: Kind
    /// libcurl's words, or the system's about a connection.
    public let text: String
    /// The system's error of a connection; 0 for none.
    public let systemError: Int32
    /// The head of the response whose body is incomplete.
    public let head: AnswerHead?

    public var description: String { text }

    init(_ kind: Kind, _ text: String, systemError: Int32 = 0, head: AnswerHead? = nil) {
        (self.kind, self.text, self.systemError, self.head) = (kind, text, systemError, head)
    }

    public static let cancelled = TransferError(.cancelled, "cancelled")

    init(_ code: CURLcode, of transfer: Transfer) {
        let handle = transfer.handle
        let words = handle.error.isEmpty ? String(cString: curl_easy_strerror(code)) : handle.error
        let system = Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO))
        let connectStatus = handle.number(CURLINFO_HTTP_CONNECTCODE)
        func made(_ kind: Kind, _ text: String? = nil) -> Self {
            Self(
                kind, text ?? (system == 0 ? words : String(cString: strerror(system))), systemError: system,
                head: transfer.head)
        }
        self =
            switch code {
            case _ where transfer.isTooLarge: made(.tooLarge, words)
            case _ where transfer.isHeadTooLarge: made(.notHTTP, "the response's header fields are larger than 256 KB")
            case _ where connectStatus == 407: made(.proxyLogin, words)
            case _ where connectStatus >= 300: made(.proxyRefusal, words)
            case CURLE_PROXY:
                made(Self.isLogin(handle.number(CURLINFO_PROXY_ERROR)) ? .proxyLogin : .proxyRefusal, words)
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
                // The handle's message may be about another connection, which libcurl found closed while this transfer began.
                made(.hostNotFound, String(cString: curl_easy_strerror(code)))
            case CURLE_COULDNT_CONNECT:
                made(
                    .notConnected,
                    system == 0 && !Self.hasDescriptorLeft ? "the process has no file descriptor left" : nil)
            case CURLE_OPERATION_TIMEDOUT: made(transfer.isConnected ? .timedOut : .noConnectionInTime, words)
            case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND:
                made(.connectionClosed(hasHead: transfer.head != nil), words)
            case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
                [ECONNRESET, EPIPE, 0].contains(system)
                    ? made(.connectionClosed(hasHead: transfer.head != nil), words) : made(.connectionBroken)
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2: made(.notHTTP, words)
            case CURLE_PEER_FAILED_VERIFICATION:
                // libcurl checks names by itself, after OpenSSL has found nothing wrong: 0, or 1 before OpenSSL was asked.
                made(
                    handle.number(CURLINFO_SSL_VERIFYRESULT) <= 1 ? .certificateName : .untrustedCertificate, words)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CLIENTCERT:
                made(.tls, words)
            default: made(.other, words)
            }
    }

    private static var hasDescriptorLeft: Bool {
        let descriptor = dup(0)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0 || errno == EBADF
    }

    private static func isLogin(_ code: Int) -> Bool {
        [CURLPX_USER_REJECTED, CURLPX_NO_AUTH, CURLPX_LONG_USER, CURLPX_LONG_PASSWD].contains {
            Int($0.rawValue) == code
        }
    }
}
