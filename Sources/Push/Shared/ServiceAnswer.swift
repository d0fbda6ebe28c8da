import NIOCore
import NIOHTTP1

/// A service's answer to one request, whole.
struct ServiceAnswer {
    let status: Int
    /// Empty over HTTP/2.
    let reasonPhrase: String
    let headers: HTTPHeaders
    /// Empty when it was longer than the limit.
    let body: ByteBuffer

    init(status: Int, reasonPhrase: String = "", headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.reasonPhrase = reasonPhrase
        self.headers = headers
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as text; invalid UTF-8 is replaced.
    var text: String { String(decoding: body.readableBytesView, as: UTF8.self) }
}

/// Why there is no answer.
struct ServiceRequestError: Error, Hashable {
    enum Kind: Hashable {
        /// The service could not be reached, or it broke off.
        case unreachable
        /// It took too long; the service may have taken the request all the same.
        case timedOut
        /// The proxy does not let the request pass.
        case proxyLogin
        /// The host has no address that may be connected to.
        case addressRefused
        /// The sender lost interest.
        case cancelled
    }

    let kind: Kind
    /// For people, without addresses that hold secrets.
    let reason: String

    /// - Parameter patience: how long to leave the service alone after a request that timed out.
    func verdict(patience: Duration? = nil) -> ServiceVerdict {
        switch kind {
        case .unreachable: .retry(reason)
        case .timedOut: .retry(after: patience, reason)
        case .proxyLogin: .credentialRefused(reason)
        case .addressRefused: .refused(reason, finding: .nothing)
        case .cancelled: .retry(reason, finding: .nothing)
        }
    }
}
