import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PushModel

/// The HTTP client of one transport: its connections, its limits, its proxy.
final class ServiceClient: Sendable {
    struct Settings: Sendable {
        /// Of HTTP/1.1, for each host.
        var connections = 32
        var connectTimeout = Duration.seconds(10)
        /// From the beginning of a request to the head of its answer, and again between the parts of the body.
        var requestTimeout = Duration.seconds(30)
        var offersHTTP2 = true
        /// Adds handlers to each HTTP/1.1 connection.
        var prepareConnection: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
    }

    static let maximumAnswer = 64 << 10

    private let service: String
    private let lines: ServiceLines
    private let requestTimeout: Duration
    private let timeout: TimeAmount
    private let proxy: HTTPClientProxy

    /// - Parameters:
    ///   - service: its name for people, in the reasons.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    /// - Throws: ``CredentialError`` when the certificates cannot be read or the proxy cannot be used.
    init(
        service: String, settings: Settings = Settings(), trustRoots: String?, proxy: EgressProxy?
    ) throws(CredentialError) {
        self.service = service
        requestTimeout = settings.requestTimeout
        timeout = TimeAmount(settings.requestTimeout)

        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let trustRoots { tls.additionalTrustRoots = [.certificates(try TrustRoots.certificates(trustRoots))] }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.timeout = HTTPClient.Configuration.Timeout(
            connect: TimeAmount(settings.connectTimeout), read: timeout)
        configuration.httpVersion = settings.offersHTTP2 ? .automatic : .http1Only
        configuration.connectionPool.idleTimeout = .seconds(300)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = settings.connections
        // The outbox tries again, and the circuit breaker waits for the connection: no second policy beneath theirs.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = settings.prepareConnection

        let group = MultiThreadedEventLoopGroup.singleton
        self.proxy = try HTTPClientProxy(proxy, group: group)
        configuration.proxy = self.proxy.configuration
        let complete = configuration
        lines = ServiceLines { HTTPClient(eventLoopGroupProvider: .shared(group), configuration: complete) }
    }

    /// Sends a request and reads the whole answer.
    func send(_ request: HTTPClientRequest) async throws(ServiceFailure) -> ServiceAnswer {
        let line = lines.enter()
        do throws(ServiceFailure) {
            let answer = try await exchange(request, line.client)
            lines.leave(line, isAnswered: true)
            return answer
        } catch {
            lines.leave(line, isAnswered: error.kind == .timedOut ? false : nil)
            throw error
        }
    }

    private func exchange(
        _ request: HTTPClientRequest, _ client: HTTPClient
    ) async throws(ServiceFailure) -> ServiceAnswer {
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: timeout)
        } catch {
            throw failure(error)
        }
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: Self.maximumAnswer)
        } catch {
            // The status stands, and with some it is all that counts.
            let isSettled = (200..<300).contains(response.status.code) || error is NIOTooManyBytesError
            guard isSettled, !Task.isCancelled else { throw failure(error) }
            body = ByteBuffer()
        }
        return ServiceAnswer(
            status: Int(response.status.code), reasonPhrase: response.status.reasonPhrase, headers: response.headers,
            body: body)
    }

    private func failure(_ error: any Error) -> ServiceFailure {
        if Task.isCancelled || error is CancellationError {
            return ServiceFailure(kind: .cancelled, reason: "cancelled")
        }
        if let failure = proxy.failure(error, to: service) { return failure }
        let through = proxy.name.map { " through \($0)" } ?? ""
        switch error as? HTTPClientError {
        case .cancelled:
            return ServiceFailure(kind: .cancelled, reason: "cancelled")
        case .deadlineExceeded, .readTimeout, .writeTimeout:
            return ServiceFailure(
                kind: .timedOut, reason: "\(service) did not answer within \(requestTimeout.inSeconds) s")
        case nil where error is NIOSSLError || error is BoringSSLError:
            return ServiceFailure(
                kind: .unreachable,
                reason: "no TLS connection to \(service)\(through): \(ServiceWords("\(error)")); "
                    + "if it has a certificate of its own, add that to the trusted certificates")
        default:
            return ServiceFailure(
                kind: .unreachable, reason: "\(service) cannot be reached\(through): \(ServiceWords("\(error)"))")
        }
    }

    /// Ends all connections.
    func close() async {
        await lines.close()
        await proxy.close()
    }
}
