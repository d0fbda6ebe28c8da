#if !canImport(Darwin)
import HTTPTransfer

final class HTTPSender: Sendable {
    private let client: TransferClient

    /// - Parameters:
    ///   - trustRoots: certificates to trust besides the system's, in PEM.
    ///   - connectTimeout: how long a connection may take, TLS included.
    /// - Throws: when the certificates cannot be read.
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

    /// Which code a failure without an answer has (wire-protocol 5.3).
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
                WLErrorCodeUnresponsiveHost, "\(place): the connection broke off in the middle of the answer")
        case .notHTTP, .tooLarge, .badRequest, .other: WLError(WLErrorCodeUnexpectedError, "\(place): \(failure.text)")
        }
    }
}
#endif
