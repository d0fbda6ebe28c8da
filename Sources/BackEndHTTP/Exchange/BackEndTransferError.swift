import HTTPTransfer

/// The reason why a transfer failed.
struct BackEndTransferError: Error, CustomStringConvertible {
    let description: String
    /// True if there was no connection.
    let isConnecting: Bool

    init(_ description: String, isConnecting: Bool = false) {
        (self.description, self.isConnecting) = (description, isConnecting)
    }

    static func tooLarge(_ limit: Int) -> BackEndTransferError {
        BackEndTransferError("the back end's response is larger than the limit of \(limit) bytes")
    }

    static let outOfMemory = BackEndTransferError("libcurl could not start: out of memory")

    static let givenUp = BackEndTransferError("the call was cancelled before the response was complete")

    static let notLoaded = BackEndTransferError("the adapter was replaced, or the server is stopping")

    static func silence(of timeout: Duration) -> BackEndTransferError {
        BackEndTransferError("the back end was silent for \(timeout.inMilliseconds) ms (socket timeout)")
    }

    static func noConnection(within timeout: Duration) -> BackEndTransferError {
        BackEndTransferError(
            "no connection within \(timeout.inMilliseconds) ms (connection timeout)", isConnecting: true)
    }

    /// - Parameters:
    ///   - peer: host and port to which a connection was wanted.
    ///   - isConnecting: whether there was no connection.
    init(
        _ failure: TransferError, peer: String, isConnecting: Bool, allowsLegacyTLS: Bool, limits: BackEndTransferLimits
    ) {
        let text = failure.text
        let description: String
        switch failure.kind {
        case .tooLarge: description = Self.tooLarge(limits.maximumSize).description
        case .proxyLogin:
            description = "the proxy asks for authentication; check 'proxy' in the connectionPolicy"
        case .proxyRefusal: description = "the proxy \(peer) refuses the connection: \(text)"
        case .hostNotFound: description = "the host of \(peer) cannot be found: \(text)"
        case .notConnected: description = "no connection to \(peer): \(text)"
        case .noConnectionInTime, .timedOut:
            description = Self.noConnection(within: limits.connectionTimeout).description
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
        self.init(description, isConnecting: isConnecting)
    }
}
