import AsyncHTTPClient
public import Foundation
public import Logging
public import NIOCore
import NIOHTTP1
public import WorklightProject

/// The HTTP back end of one adapter (server-api 2.2, 5.1): its connections, its policy, its credentials.
public final class HTTPBackEnd: Sendable {
    let policy: HTTPConnectionPolicy
    let maximumResponseSize: Int
    let logger: Logger
    let digest: DigestAuthentication?
    let standIn: (any BackEndStandIn)?
    private let turnstile: Turnstile
    private let direct: HTTPClient
    /// For https through a proxy.
    private let tunnelled: HTTPClient?
    private let stylesheets: Stylesheets

    /// - Parameters:
    ///   - security: certificates; looked at only when the policy says https or a redirect leads there.
    ///   - adapterFolder: where `xslFile` is looked for, and all that a stylesheet may read.
    ///   - maximumResponseSize: bytes of an answer's body, before and after decompression.
    ///   - idleTimeout: how long a connection is kept unused. Shorter than what back ends allow (2 seconds and more): a
    ///     connection that the back end closes just as a request is sent costs that request, if it must not be repeated.
    ///   - standIn: answers in place of the back end; `nil` for the back end itself.
    /// - Throws: ``BackEndSecurityError`` when a certificate is missing or cannot be read.
    public init(
        policy: HTTPConnectionPolicy, security: BackEndSecurity = BackEndSecurity(), adapterFolder: URL? = nil,
        eventLoopGroup: any EventLoopGroup, logger: Logger, maximumResponseSize: Int = 64 << 20,
        idleTimeout: Duration = .seconds(1), standIn: (any BackEndStandIn)? = nil
    ) throws(BackEndSecurityError) {
        self.policy = policy
        self.maximumResponseSize = maximumResponseSize
        self.logger = logger
        self.standIn = standIn
        turnstile = Turnstile(places: policy.maxConcurrentConnections)
        stylesheets = Stylesheets(folder: adapterFolder)
        digest = policy.authentication.flatMap { identity in
            identity.scheme == .digest
                ? DigestAuthentication(username: identity.username, password: identity.password) : nil
        }

        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try security.makeConfiguration(for: policy)
        configuration.redirectConfiguration = .disallow
        // AsyncHTTPClient's takes an answer without a body for a damaged one: see ContentCoding.
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        // The waiting thread keeps the time; these only end what it gave up.
        configuration.timeout = HTTPClient.Configuration.Timeout(
            connect: .milliseconds(Int64(max(120_000, policy.connectionTimeout))), read: nil)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
            1, policy.maxConcurrentConnections)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .milliseconds(Int64(idleTimeout.inMilliseconds))
        configuration.http1_1ConnectionDebugInitializer = ConnectionHandler.install
        direct = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
        tunnelled = policy.proxy.map { proxy in
            let authorization = proxy.authentication.map {
                HTTPClient.Authorization.basic(username: $0.username, password: $0.password)
            }
            configuration.proxy = .server(host: proxy.host, port: proxy.port, authorization: authorization)
            return HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
        }
    }

    /// Asks the back end and converts its answer. Blocks the calling thread, until `deadline` at the latest; any number of
    /// threads may call at a time. Must not be called on an event loop.
    ///
    /// - Parameters:
    ///   - cookies: the jar of the client session that the call is for.
    ///   - deadline: how long the call may take, counted from now.
    ///   - isGivenUp: tells whether nobody wants the answer any more; then it fails within some milliseconds. `nil` when that cannot
    ///     be.
    public func send(
        _ request: BackEndRequest, cookies: CookieJar, deadline: Duration, isGivenUp: (@Sendable () -> Bool)? = nil
    ) -> BackEndOutcome {
        let clock = ContinuousClock()
        let started = clock.now
        let end = started + deadline
        do throws(ExchangeError) {
            var conversation = try Conversation(
                request, of: self, cookies: cookies, deadline: end, isGivenUp: isGivenUp)
            guard turnstile.enter(until: end, unless: isGivenUp) else {
                if isGivenUp?() == true { throw ExchangeError.givenUp }
                throw ExchangeError(
                    "all \(policy.maxConcurrentConnections) connections of the adapter were in use for "
                        + "\(deadline.inMilliseconds) ms; see maxConcurrentConnectionsPerNode")
            }
            defer { turnstile.leave() }
            let answer = try conversation.run()
            let head = BackEndHead(answer.head, responseTime: (clock.now - started).inMilliseconds)
            return convert(answer, head: head, request: request, started: started, deadline: end)
        } catch {
            return .failure(BackEndFailure(transport: error.description))
        }
    }

    private func convert(
        _ answer: Exchange.Answer, head: BackEndHead, request: BackEndRequest, started: ContinuousClock.Instant,
        deadline: ContinuousClock.Instant
    ) -> BackEndOutcome {
        do throws(ConversionError) {
            let converter = ContentConverter(
                request: request, contentType: answer.head.headers.first(name: "Content-Type"),
                stylesheets: stylesheets,
                deadline: deadline)
            let body = try ContentCoding.decode(
                Array(answer.body.readableBytesView), from: answer.head.headers[canonicalForm: "Content-Encoding"],
                limit: maximumResponseSize)
            let content = try converter.convert(body)
            let total = (ContinuousClock().now - started).inMilliseconds
            return .response(BackEndResponse(head: head, content: content, totalTime: total))
        } catch {
            return .failure(BackEndFailure(conversion: error, head: head))
        }
    }

    /// The client that reaches `origin`.
    func client(for origin: Origin) -> HTTPClient {
        origin.scheme == "https" ? tunnelled ?? direct : direct
    }

    /// Closes all connections. Calls that are under way fail; blocks until all is closed.
    public func close() {
        for client in [direct, tunnelled].compactMap(\.self) {
            do {
                try client.syncShutdown()
            } catch {
                logger.debug("closing the connections to \(policy.domain ?? "the back end"): \(error)")
            }
        }
    }
}
