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

    /// Sends a request to the back end and converts its response. Blocks the calling thread, until `deadline` at the latest; any number of threads
    /// may call at a time. Must not be called on an event loop.
    ///
    /// - Parameters:
    ///   - cookies: the jar of the client session that the call is for.
    ///   - user: the end user, to authenticate as; `nil` for the policy's `serverIdentity`.
    ///   - session: the client session and its users, where the policy has `connectionPerSession`; `nil` for a call without a session, whose
    ///     connection is closed. Other policies ignore it.
    ///   - deadline: how long the call may take, counted from now.
    ///   - cpu: the CPU time that work on other threads may take, which is counted there; `nil` if it is not limited.
    ///   - isGivenUp: returns whether the response is no longer needed; then the call fails within some milliseconds. `nil` if it always is.
    package func send(
        _ request: BackEndRequest, cookies: CookieJar, as user: HTTPIdentity? = nil, session: String? = nil,
        deadline: Duration, cpu: CPUBudget? = nil, isGivenUp: (@Sendable () -> Bool)? = nil
    ) -> BackEndOutcome {
        let clock = ContinuousClock()
        let started = clock.now
        let end = started + deadline
        do throws(BackEndTransferError) {
            var conversation = try RedirectFollower(
                request, of: self, cookies: cookies, as: user, deadline: end, isGivenUp: isGivenUp)
            let owner = policy.hasConnectionPerSession ? session ?? "" : nil
            guard let slot = try slots.take(for: owner, until: end, unless: isGivenUp) else {
                if isGivenUp?() == true { throw BackEndTransferError.givenUp }
                throw BackEndTransferError(
                    "all \(policy.maxConcurrentConnections) connections of the adapter were in use for "
                        + "\(deadline.inMilliseconds) ms; see maxConcurrentConnectionsPerNode")
            }
            var isKept = false
            defer { slots.give(slot, for: owner, isKept: isKept && owner != "") }
            let answer = try conversation.run(in: slot)
            // NTLM authenticates the connection, which must not serve another user.
            isKept = user == nil || policy.authentication?.scheme != .ntlm
            let head = BackEndHead(answer, responseTime: (clock.now - started).inMilliseconds)
            return convert(answer, head: head, request: request, started: started, deadline: end, cpu: cpu)
        } catch {
            return .failure(BackEndCallError(transport: error.description, isConnecting: error.isConnecting))
        }
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
            try BackEndTransfer(request, of: self, limits: limits).connect(in: ConnectionSlot())
            return nil
        } catch {
            return error.description
        }
    }

    private func convert(
        _ answer: BackEndTransfer.Answer, head: BackEndHead, request: BackEndRequest, started: ContinuousClock.Instant,
        deadline: ContinuousClock.Instant, cpu: CPUBudget?
    ) -> BackEndOutcome {
        var body = answer.body
        do throws(ConversionError) {
            let converter = ContentConverter(
                request: request, contentType: answer.headers.first(name: "Content-Type"),
                stylesheets: stylesheets,
                deadline: deadline, cpu: cpu)
            body = try ContentCoding.decode(
                body, from: answer.headers[canonicalForm: "Content-Encoding"],
                limit: maximumResponseSize)
            var hasWrongBytes = false
            let content = try converter.convert(body) { hasWrongBytes = true }
            let total = (ContinuousClock().now - started).inMilliseconds
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
