import HTTPTransfer

/// The reason why a transfer failed.
struct BackEndTransferError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func tooLarge(_ limit: Int) -> BackEndTransferError {
        BackEndTransferError("the back end's response is larger than the limit of \(limit) bytes")
    }

    static let givenUp = BackEndTransferError("the call was cancelled before the response was complete")

    static let notLoaded = BackEndTransferError("the adapter is no longer loaded")

    static func silence(of timeout: Duration) -> BackEndTransferError {
        BackEndTransferError("the back end was silent for \(timeout.inMilliseconds) ms (socket timeout)")
    }

    static func noConnection(within timeout: Duration) -> BackEndTransferError {
        BackEndTransferError("no connection within \(timeout.inMilliseconds) ms (connection timeout)")
    }

    /// - Parameter peer: host and port to which a connection was wanted.
    init(_ failure: TransferError, peer: String, allowsLegacyTLS: Bool, limits: BackEndTransferLimits) {
        let text = failure.text
        switch failure.kind {
        case .tooLarge: self = .tooLarge(limits.maximumSize)
        case .proxyLogin:
            description = "the proxy asks for authentication; check 'proxy' in the connectionPolicy"
        case .proxyRefusal: description = "the proxy \(peer) refuses the connection: \(text)"
        case .hostNotFound: description = "the host of \(peer) cannot be found: \(text)"
        case .notConnected: description = "no connection to \(peer): \(text)"
        case .noConnectionInTime, .timedOut: self = .noConnection(within: limits.connectionTimeout)
        case .connectionClosed(let hasHead):
            description =
                "the back end closed the connection "
                + (hasHead ? "in the middle of its response" : "without a response")
        case .connectionBroken: description = "the connection broke: \(text)"
        case .notHTTP: description = "the back end's response is not HTTP: \(text)"
        case .tls, .untrustedCertificate, .certificateName:
            description =
                "TLS failed: \(text)"
                + (allowsLegacyTLS ? "" : "; if the back end has only TLS 1.0 or SHA-1, set backEnds.tls to legacy")
        case .cancelled, .addressRefused, .badRequest, .other: description = text
        }
    }
}
