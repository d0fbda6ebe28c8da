import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A server that does not answer, or not as wanted.
struct ServerError: Error, CustomStringConvertible {
    let description: String
    /// Whether there was no answer at all.
    var isUnreachable = false
}

extension ServerError {
    /// Says what keeps an answer from coming, and what to do.
    ///
    /// - Parameters:
    ///   - url: of the server.
    ///   - timeout: how long was waited.
    ///   - isOwn: whether it has left its note, so that its address is right.
    init(_ error: any Error, from url: String, after timeout: TimeAmount, isOwn: Bool) {
        isUnreachable = true
        switch error {
        case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error):
            let seconds = timeout.nanoseconds / 1_000_000_000
            description = "the server at \(url) did not answer within \(seconds) s; it may go on with the request"
        case let error as HTTPClientError where error == .connectTimeout:
            description = "\(url) cannot be reached: no answer to the attempt to connect; is it the right address?"
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            description = Self.closed(url, isOwn: isOwn)
        case let error as NIOConnectionError:
            description = Self.text(of: error, url)
        case let error as NIOSSLError:
            description = Self.text(of: error, url)
        case is NIOSSLExtraError:
            description = "the certificate of \(url) is made out to another name; use the name that it is made out to"
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            description = Self.refused(url)
        case let error as IOError where error.errnoCode == ECONNRESET:
            description = Self.closed(url, isOwn: isOwn)
        case is NIOTooManyBytesError:
            description = "the answer of the server at \(url) is longer than 1 GB"
        case HTTPParserError.invalidEOFState:
            description = "\(url) closed the connection in the middle of its answer; it may have done what was asked"
        case is HTTPParserError:
            description = "what listens at \(url) does not speak HTTP; is it the right address?"
        default:
            description = "the server at \(url) did not answer: \(error)"
        }
    }

    private static func refused(_ url: String) -> String {
        "nothing listens at \(url); start the server, or check host and port"
    }

    private static func closed(_ url: String, isOwn: Bool) -> String {
        if isOwn { return "the server at \(url) has ended, or closed the connection before it answered" }
        let other = url.hasPrefix("https:") ? "http" : "https"
        return "\(url) closed the connection without an answer; does it want \(other) instead?"
    }

    private static func text(of error: NIOConnectionError, _ url: String) -> String {
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            return "there is no host '\(error.host)'; check \(url)"
        }
        let reasons = error.connectionErrors.map { ($0.error as? IOError)?.errnoCode }
        if reasons.contains(ECONNREFUSED) { return refused(url) }
        let texts = error.connectionErrors.map { "\($0.error)" }
        return "\(url) cannot be reached: \(texts.joined(separator: "; "))"
    }

    private static func text(of error: NIOSSLError, _ url: String) -> String {
        guard case .handshakeFailed(let reason) = error else {
            return "the server at \(url) did not answer: \(error)"
        }
        let text = "\(reason)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the certificate of \(url) comes from no authority that this machine trusts; name the authority's "
                + "certificate with --cacert FILE"
        }
        if text.contains("WRONG_VERSION_NUMBER") {
            return "\(url) does not speak TLS; does it want http instead of https?"
        }
        return "no secure connection to \(url): \(text)"
    }
}
