import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Sends one request and brings its answer: no cookies, no redirects, no logins of its own.
final class HTTPSender: Sendable {
    /// The longest answer that is taken, in bytes.
    static let longestAnswer = 64 << 20

    private let client: HTTPClient

    /// - Parameters:
    ///   - trustRoots: certificates to trust besides the system's, in PEM.
    ///   - connectTimeout: how long a connection may take, TLS included.
    /// - Throws: when the certificates cannot be read.
    init(trustRoots: TrustRoots?, connectTimeout: Duration) throws(WLError) {
        var configuration = HTTPClient.Configuration(certificateVerification: .fullVerification)
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .enabled(limit: .size(Self.longestAnswer))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(20)
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.httpVersion = .http1Only
        if let trustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(try trustRoots.certificates())]
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    deinit {
        // It holds itself until its connections are closed.
        client.shutdown { _ in }
    }

    struct Request: Sendable {
        var url: String
        var method: String
        var headers: [WireField]
        var body: [UInt8]?
        var timeout: Duration?
    }

    func send(_ request: Request) async throws(WLError) -> WLAnswer {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { message.headers.replaceOrAdd(name: header.name, value: header.value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            guard let timeout = request.timeout else { return try await exchange(message) }
            return try await withThrowingTaskGroup(of: WLAnswer?.self) { [message] group in
                defer { group.cancelAll() }
                group.addTask { try await self.exchange(message) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    return nil
                }
                guard let answer = try await group.next() ?? nil else { throw HTTPClientError.deadlineExceeded }
                return answer
            }
        } catch {
            throw Self.failure(error, request)
        }
    }

    /// The client's own deadline ends when the head is there; a body may take for ever.
    private func exchange(_ message: HTTPClientRequest) async throws -> WLAnswer {
        let response = try await client.execute(message, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.longestAnswer)
        return WLAnswer(
            status: Int(response.status.code),
            headers: response.headers.map { WLAnswer.Header(name: $0.name, value: $0.value) },
            text: String(buffer: body))
    }

    // MARK: Failures

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
    ]

    /// Which code a failure without an answer has (wire-protocol 5.3).
    private static func failure(_ error: any Error, _ request: Request) -> WLError {
        let place = request.url.prefix { $0 != "?" }
        switch error {
        case is CancellationError:
            return .cancelled
        case let error as HTTPClientError where error == .cancelled:
            return .cancelled
        case let error as HTTPClientError where timeouts.contains(error):
            let limit = request.timeout.map { "within \($0)" } ?? "in time"
            return WLError(WLErrorCodeRequestTimeout, "\(place): no whole answer \(limit)")
        case let error as HTTPClientError where error == .connectTimeout:
            return WLError(WLErrorCodeUnresponsiveHost, "\(place): no connection in time")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            return WLError(
                WLErrorCodeUnexpectedError,
                "\(place): no TLS connection, for the server's certificate or its settings are not trusted: \(error)")
        case is NIOConnectionError, is IOError, is ChannelError:
            return WLError(WLErrorCodeUnresponsiveHost, "\(place): the server cannot be reached: \(error)")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            return WLError(WLErrorCodeUnresponsiveHost, "\(place): the server closed the connection")
        case HTTPParserError.invalidEOFState:
            return WLError(
                WLErrorCodeUnresponsiveHost, "\(place): the connection broke off in the middle of the answer")
        case let error as WLError:
            return error
        default:
            return WLError(WLErrorCodeUnexpectedError, "\(place): \(error)")
        }
    }
}
