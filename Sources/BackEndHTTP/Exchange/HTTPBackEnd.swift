package import Core
public import Foundation
import NIOHTTP1
public import WorklightProject

/// The HTTP back end of one adapter (server-api 2.2, 5.1): its connections, its policy, its credentials.
public final class HTTPBackEnd: Sendable {
    let policy: HTTPConnectionPolicy
    let security: BackEndSecurity
    let maximumResponseSize: Int
    let digest: DigestAuthentication?
    let standIn: (any BackEndStandIn)?
    let slots: ConnectionSlotPool
    /// The hosts to which redirects may lead, in addition to the policy's own host and port.
    let redirectHosts: Set<String>
    /// The server of the policy.
    let home: Origin
    private let stylesheets: Stylesheets
    /// True if a stub responds instead of the back end. It must be called on the thread of the script that waits for it.
    package var isStub: Bool { standIn != nil }

    /// - Parameters:
    ///   - security: certificates; checked only when the policy says https or a redirect leads there.
    ///   - adapterFolder: the folder of `xslFile`, and of all files that a stylesheet may read.
    ///   - maximumResponseSize: bytes of a response's body, before and after decompression.
    ///   - idleTimeout: how long connections that no call takes are kept. They are closed when another call ends.
    ///   - redirectHosts: `host` or `host:port` to which redirects may lead, in addition to the policy's own host and port, in small letters.
    ///   - standIn: responds instead of the back end; `nil` for the back end itself.
    /// - Throws: ``BackEndSecurityError`` when a certificate is missing or cannot be read.
    public init(
        policy: HTTPConnectionPolicy, security: BackEndSecurity = BackEndSecurity(), adapterFolder: URL? = nil,
        maximumResponseSize: Int = 64 << 20, idleTimeout: Duration = .seconds(60),
        redirectHosts: Set<String> = [], standIn: (any BackEndStandIn)? = nil
    ) throws(BackEndSecurityError) {
        self.policy = policy
        try security.check(for: policy)
        self.security = security
        self.maximumResponseSize = maximumResponseSize
        self.redirectHosts = redirectHosts
        self.standIn = standIn
        home = Origin(scheme: policy.scheme, host: policy.domain ?? "", port: policy.port)
        slots = ConnectionSlotPool(count: policy.maxConcurrentConnections, idleTimeout: idleTimeout)
        stylesheets = Stylesheets(folder: adapterFolder)
        digest = policy.authentication?.serverIdentity.flatMap { identity in
            policy.authentication?.scheme == .digest ? DigestAuthentication(identity) : nil
        }
    }

    /// Sends a request to the back end, and blocks the calling thread until the response is complete. ``begin(_:_:then:)`` does the same without a
    /// thread.
    ///
    /// Must not be called on an event loop.
    package func send(_ request: BackEndRequest, _ options: BackEndExchange.Options) -> BackEndExchange {
        CallersThread.run { await self.exchange(request, options, .onThread) }
    }

    /// Begins to send a request to the back end. Not for stubs, which respond on the script's own thread.
    ///
    /// - Parameter then: called once, on any thread. It must return soon.
    package func begin(
        _ request: BackEndRequest, _ options: BackEndExchange.Options,
        then: @escaping @Sendable (BackEndExchange) -> Void
    ) {
        do throws(BackEndTransferError) {
            try TransferLoop.shared.run({ await self.exchange(request, options, .inLoop) }, then: then)
        } catch {
            then(BackEndExchange(request: request, options: options, result: .failure(error)))
        }
    }

    private func exchange(
        _ request: BackEndRequest, _ options: BackEndExchange.Options, _ way: WaitingWay
    ) async -> BackEndExchange {
        let result: Result<BackEndTransfer.Answer, BackEndTransferError>
        do throws(BackEndTransferError) {
            result = .success(try await answer(to: request, options, way))
        } catch {
            result = .failure(error)
        }
        return BackEndExchange(request: request, options: options, result: result)
    }

    private func answer(
        to request: BackEndRequest, _ options: BackEndExchange.Options, _ way: WaitingWay
    ) async throws(BackEndTransferError) -> BackEndTransfer.Answer {
        var conversation = try RedirectFollower(
            request, of: self, cookies: options.cookies, as: options.user, deadline: options.end,
            isGivenUp: options.isGivenUp, way)
        let owner = policy.hasConnectionPerSession ? options.session ?? "" : nil
        guard let slot = try await slots.take(for: owner, until: options.end, unless: options.isGivenUp, way) else {
            if options.isGivenUp?() == true { throw BackEndTransferError.givenUp }
            throw BackEndTransferError(
                "all \(policy.maxConcurrentConnections) connections of the adapter were in use for "
                    + "\((options.end - options.start).inMilliseconds) ms; see maxConcurrentConnectionsPerNode")
        }
        var isKept = false
        defer { slots.give(slot, for: owner, isKept: isKept && owner != "") }
        let answer = try await conversation.run(in: slot)
        // NTLM authenticates the connection, which must not serve another user.
        isKept = options.user == nil || policy.authentication?.scheme != .ntlm
        return answer
    }

    /// Opens a connection to the policy's server, with TLS and through its proxy, and closes it. Sends no request. Blocks the calling thread.
    ///
    /// - Parameter limit: the longest wait; the policy's `connectionTimeoutInMilliseconds` if that is shorter.
    /// - Returns: the reason why there is no connection; `nil` if there was one.
    package func connect(within limit: Duration) -> String? {
        guard standIn == nil else { return nil }
        do throws(BackEndTransferError) {
            let request = BackEndTransfer.Request(
                method: .get, origin: home, target: "/", headers: [:], body: nil, isRepeatable: true, user: nil)
            let limits = BackEndTransferLimits(
                connectionTimeout: min(limit, .milliseconds(policy.connectionTimeout)), socketTimeout: limit,
                deadline: .now + limit, isGivenUp: nil, maximumSize: 0)
            // Not one of the adapter's slots, which may all be in use.
            let slot = try ConnectionSlot()
            return CallersThread.run {
                do throws(BackEndTransferError) {
                    try await BackEndTransfer(request, of: self, limits: limits, .onThread).connect(in: slot)
                    return nil
                } catch {
                    return error.description
                }
            }
        } catch {
            return error.description
        }
    }

    /// Converts a response as its request wants it. Blocks the calling thread while another one transforms it.
    ///
    /// - Parameter cpu: the CPU time that work on other threads may take, which is counted there; `nil` if it is not limited.
    package func convert(_ exchange: BackEndExchange, cpu: CPUBudget? = nil) -> BackEndOutcome {
        let answer: BackEndTransfer.Answer
        do {
            answer = try exchange.result.get()
        } catch {
            return .failure(BackEndCallError(transport: error.description, isConnecting: error.isConnecting))
        }
        let start = exchange.options.start
        let head = BackEndHead(answer, responseTime: (exchange.end - start).inMilliseconds)
        var body = answer.body
        do throws(ConversionError) {
            let converter = ContentConverter(
                request: exchange.request, contentType: answer.headers.first(name: "Content-Type"),
                stylesheets: stylesheets, deadline: exchange.options.end, cpu: cpu)
            body = try ContentCoding.decode(
                body, from: answer.headers[canonicalForm: "Content-Encoding"],
                limit: maximumResponseSize)
            var hasWrongBytes = false
            let content = try converter.convert(body) { hasWrongBytes = true }
            let total = (ContinuousClock.now - start).inMilliseconds
            return .response(
                BackEndResponse(head: head, content: content, totalTime: total, hasWrongBytes: hasWrongBytes))
        } catch {
            return .failure(BackEndCallError(conversion: error, head: head, body: body))
        }
    }

    /// True if running calls must end.
    var isClosed: Bool { slots.isClosed }

    /// Has the calls that are under way, and later ones, fail within some milliseconds.
    public func interrupt() { slots.interrupt() }

    /// Closes all connections. Calls that are under way fail; blocks until all is closed.
    public func close() { slots.close() }
}

/// A request to a back end that has come to its end, with the response as it came.
package struct BackEndExchange: Sendable {
    /// The circumstances of a request.
    package struct Options: Sendable {
        let cookies: CookieJar
        let user: HTTPIdentity?
        let session: String?
        let start = ContinuousClock.now
        let end: ContinuousClock.Instant
        let isGivenUp: (@Sendable () -> Bool)?

        /// - Parameters:
        ///   - cookies: the jar of the client session that the call is for.
        ///   - user: the end user, to authenticate as; `nil` for the policy's `serverIdentity`.
        ///   - session: the client session and its users, where the policy has `connectionPerSession`; `nil` for a call without a session, whose
        ///     connection is closed. Other policies ignore it.
        ///   - deadline: how long the call may take, counted from now.
        ///   - isGivenUp: returns whether the response is no longer needed; then the call fails within some milliseconds. `nil` if it always is.
        package init(
            cookies: CookieJar, as user: HTTPIdentity? = nil, session: String? = nil, deadline: Duration,
            isGivenUp: (@Sendable () -> Bool)? = nil
        ) {
            (self.cookies, self.user, self.session, self.isGivenUp) = (cookies, user, session, isGivenUp)
            end = start + deadline
        }
    }

    let request: BackEndRequest
    let options: Options
    let result: Result<BackEndTransfer.Answer, BackEndTransferError>
    let end = ContinuousClock.now
}
