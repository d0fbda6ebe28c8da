#if canImport(Darwin)
import Foundation
import Security

/// Sends requests with `URLSession`. This project does not test it, because its tests run on Linux.
final class HTTPSender: Sendable {
    private let session: URLSession

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - trustRoots: certificates to trust in addition to the system's, in PEM.
    ///   - connectTimeout: ignored, because `URLSession` has no timeout for the connection alone.
    /// - Throws: ``WLError`` when the certificates cannot be read.
    init(trustRoots: TrustRoots?, connectTimeout: Duration) throws(WLError) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        session = URLSession(
            configuration: configuration, delegate: SessionRules(roots: try trustRoots.map(Self.certificates) ?? []),
            delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    private static func certificates(_ roots: TrustRoots) throws(WLError) -> [SecCertificate] {
        let parts = try roots.pem().components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        return parts.compactMap { part in
            let lines = part.components(separatedBy: "-----END CERTIFICATE-----")[0].split(whereSeparator: \.isNewline)
            return Data(base64Encoded: lines.joined()).flatMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        }
    }

    func send(_ request: HTTPSenderRequest) async throws(WLError) -> WLAnswer {
        guard let url = URL(string: request.url) else {
            throw WLError(WLErrorCodeUnexpectedError, "\(request.place): expected an http or https address")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpShouldHandleCookies = false
        // This is URLSession's idle timeout. The timeout of the complete response is below.
        message.timeoutInterval = request.timeout.map { $0 / .seconds(1) } ?? .greatestFiniteMagnitude
        for (name, value) in request.lastHeaders { message.setValue(value, forHTTPHeaderField: name) }
        message.httpBody = request.body.map { Data($0) }
        do {
            let (data, response) = try await exchange(message, timeout: request.timeout)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            guard data.count <= HTTPSenderRequest.longestAnswer else {
                throw WLError(
                    WLErrorCodeUnexpectedError,
                    "\(request.place): the response is larger than \(HTTPSenderRequest.longestAnswer) bytes")
            }
            return WLAnswer(
                status: response.statusCode,
                headers: response.allHeaderFields.map { WLAnswer.Header(name: "\($0)", value: "\($1)") },
                text: String(decoding: data, as: UTF8.self))
        } catch {
            throw Self.failure(error, request)
        }
    }

    private func exchange(_ message: URLRequest, timeout: Duration?) async throws -> (Data, URLResponse) {
        guard let timeout else { return try await session.data(for: message) }
        return try await withThrowingTaskGroup(of: (Data, URLResponse)?.self) { [session] group in
            defer { group.cancelAll() }
            group.addTask { try await session.data(for: message) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            guard let answer = try await group.next() ?? nil else { throw URLError(.timedOut) }
            return answer
        }
    }

    /// Returns the error, with its code, of a request without a response (wire-protocol 5.3).
    private static func failure(_ error: any Error, _ request: HTTPSenderRequest) -> WLError {
        if let error = error as? WLError { return error }
        guard let code = (error as? URLError)?.code else {
            return error is CancellationError
                ? .cancelled : WLError(WLErrorCodeUnexpectedError, "\(request.place): \(error)")
        }
        return switch code {
        case .cancelled: .cancelled
        case .timedOut: request.timedOut
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet,
            .dnsLookupFailed:
            WLError(
                WLErrorCodeUnresponsiveHost,
                "\(request.place): the server cannot be reached: \(error.localizedDescription)")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            request.noTLS(error.localizedDescription)
        default: WLError(WLErrorCodeUnexpectedError, "\(request.place): \(error.localizedDescription)")
        }
    }
}

/// The delegate of the session. It follows no redirects, and trusts the client's certificates in addition to the system's.
///
/// `@unchecked Sendable`: it has constants only, and `SecCertificate` is immutable.
private final class SessionRules: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let roots: [SecCertificate]

    init(roots: [SecCertificate]) {
        self.roots = roots
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? { nil }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust, !roots.isEmpty else {
            return (.performDefaultHandling, nil)
        }
        SecTrustSetAnchorCertificates(trust, roots as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, false)
        return SecTrustEvaluateWithError(trust, nil)
            ? (.useCredential, URLCredential(trust: trust)) : (.cancelAuthenticationChallenge, nil)
    }
}
#endif
