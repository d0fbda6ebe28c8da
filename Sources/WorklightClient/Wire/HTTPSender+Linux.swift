#if !canImport(Darwin)
import HTTPTransfer

/// Sends requests with libcurl.
final class HTTPSender: Sendable {
    private let client: TransferClient

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - trustRoots: certificates to trust in addition to the system's, in PEM.
    ///   - connectTimeout: the timeout for establishing a connection, with TLS.
    /// - Throws: ``WLError`` when the certificates cannot be read.
    init(trustRoots: TrustRoots?, connectTimeout: Duration) throws(WLError) {
        var settings = TransferClient.Settings()
        if let trustRoots { settings.trust = .systemAnd(pem: try trustRoots.pem()) }
        settings.connectTimeout = connectTimeout
        settings.idleTimeout = .seconds(20)
        settings.decompresses = true
        client = TransferClient(settings)
    }

    deinit { client.close() }

    func send(_ request: HTTPSenderRequest) async throws(WLError) -> WLAnswer {
        do {
            let answer = try await client.send(
                TransferRequest(
                    request.method, url: request.url, headers: request.lastHeaders, body: request.body,
                    timeout: request.timeout, maximumSize: HTTPSenderRequest.longestAnswer))
            return WLAnswer(
                status: answer.status,
                headers: answer.head.headers.map { WLAnswer.Header(name: $0.name, value: $0.value) },
                text: answer.text)
        } catch {
            throw Self.failure(error, request)
        }
    }

    /// Returns the error, with its code, of a request without a response (wire-protocol 5.3).
    private static func failure(_ failure: TransferError, _ request: HTTPSenderRequest) -> WLError {
        let place = request.place
        return switch failure.kind {
        case .cancelled: .cancelled
        case .timedOut: request.timedOut
        case .noConnectionInTime:
            WLError(WLErrorCodeUnresponsiveHost, "\(place): no connection in time")
        case .tls, .untrustedCertificate, .certificateName: request.noTLS(failure.text)
        case .hostNotFound, .notConnected, .connectionBroken, .addressRefused, .proxyLogin, .proxyRefusal:
            WLError(WLErrorCodeUnresponsiveHost, "\(place): the server cannot be reached: \(failure.text)")
        case .connectionClosed(hasHead: false):
            WLError(WLErrorCodeUnresponsiveHost, "\(place): the server closed the connection")
        case .connectionClosed(hasHead: true):
            WLError(
                WLErrorCodeUnresponsiveHost, "\(place): the connection broke off in the middle of the response")
        case .notHTTP, .tooLarge, .badRequest, .other: WLError(WLErrorCodeUnexpectedError, "\(place): \(failure.text)")
        }
    }
}
#endif
