import Core
import HTTPTransfer
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOPosix
import NIOSSL
import PushModel
import ServiceContextModule
import Synchronization

/// The HTTP client of one transport: its connections, its limits, its proxy.
///
/// A host is spoken to over HTTP/2, many requests on one connection, and over HTTP/1.1 by libcurl where it does not offer HTTP/2.
final class ServiceClient: Sendable {
    struct Settings: Sendable {
        /// Of HTTP/1.1, for each host.
        var connections = 32
        /// The most hosts with connections of HTTP/2.
        var hosts = 64
        var connectTimeout = Duration.seconds(10)
        /// From the request to the whole answer.
        var requestTimeout = Duration.seconds(30)
        /// How long a connection without requests is kept.
        var idleTimeout = Duration.seconds(300)
        var offersHTTP2 = true
        /// Whether the system's authorities are trusted too. Reading them takes long.
        var trustsSystem = true
        /// Whether the reasons name the host, of a service that others choose. Then a host that is away is not logged each time.
        var namesHosts = false
        /// Which addresses may be connected to, where names are looked up here: without a proxy.
        var addresses: AddressCheck?
    }

    /// Bytes of a body, which fit into a stream's first window.
    static let maximumAnswer = 48 << 10
    /// How long a host that did not offer HTTP/2 is not asked for it again.
    private static let http1Period = Duration.seconds(600)

    private struct Host {
        /// `nil` for one that does not offer HTTP/2.
        let client: HTTP2Client?
        /// Until when it is not asked for HTTP/2.
        var isHTTP1Until = Duration.zero
        /// The number of requests that are under way.
        var users = 0
        var lastUse = Duration.zero
    }

    private let service: String
    private let settings: Settings
    private let proxy: EgressProxy?
    private let time: any TimeSource
    private let logger: Logger
    private let tls: NIOSSLContext
    private let http1: TransferClient
    private let hosts = Mutex<[String: Host]>([:])
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - service: its name for people, in the reasons.
    ///   - context: whose endpoint is of no concern here.
    /// - Throws: ``CredentialError`` when the certificates cannot be read or the proxy cannot be used.
    init(
        service: String, settings: Settings = Settings(), _ context: TransportContext
    ) throws(CredentialError) {
        let (trustRoots, proxy) = (context.trustRoots, context.proxy)
        self.service = service
        self.settings = settings
        self.proxy = proxy
        time = context.time
        logger = context.logger
        tls = try Self.tls(trustRoots, settings)
        try proxy?.check()
        var transfers = TransferClient.Settings()
        if let trustRoots {
            let pem = try AdditionalTrustRoots.text(trustRoots)
            transfers.trust = settings.trustsSystem ? .systemAnd(pem: pem) : .only(pem: pem)
        }
        transfers.proxy = proxy?.transferProxy
        transfers.connectTimeout = settings.connectTimeout
        transfers.idleTimeout = settings.idleTimeout
        transfers.connections = settings.connections
        if proxy == nil, let addresses = settings.addresses { transfers.allows = { addresses.check($0) != nil } }
        http1 = TransferClient(transfers)
    }

    private static func tls(_ trustRoots: String?, _ settings: Settings) throws(CredentialError) -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["h2", "http/1.1"]
        let own = try trustRoots.map(AdditionalTrustRoots.certificates) ?? []
        if !settings.trustsSystem { tls.trustRoots = .certificates(own) }
        if settings.trustsSystem, !own.isEmpty { tls.additionalTrustRoots = [.certificates(own)] }
        do {
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw CredentialError(source: "the trusted certificates", problem: "TLS cannot use them: \(error)")
        }
    }

    /// Sends a request and reads the whole answer.
    func send(_ request: TransferRequest) async throws(ServiceRequestError) -> ServiceAnswer {
        guard !isClosed.load(ordering: .relaxed) else { throw Self.cancelled }
        var request = request
        request.headers += ServiceContext.current?.trace?.headers ?? []
        let (origin, target) = request.parts
        let name = name(of: origin)
        guard settings.offersHTTP2, origin.hasPrefix("https://"), let client = enter(origin, name) else {
            return try await sendHTTP1(request, name)
        }
        let result = await client.send(Self.http2(request, origin: origin, target: target))
        leave(origin, client)
        switch result {
        case .success(let answer):
            let fields = answer.headers.lazy.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) }
            return ServiceAnswer(status: answer.status, headers: HTTPHeaders(Array(fields)), body: answer.body)
        case .failure(let failure) where failure.kind == .notHTTP2 || isHTTP1(origin, after: failure):
            if hasNoHTTP2(origin, client) { logger.notice("\(name) does not offer HTTP/2 and is asked over HTTP/1.1") }
            return try await sendHTTP1(request, name)
        case .failure(let failure): throw self.failure(failure, name)
        }
    }

    private func name(of origin: String) -> String {
        guard settings.namesHosts, let host = ServiceEndpoint(origin)?.host else { return service }
        return "\(service) \(host)"
    }

    // MARK: HTTP/2

    /// The client of a host, for one request.
    ///
    /// - Returns: `nil` when the host does not offer HTTP/2.
    private func enter(_ origin: String, _ name: String) -> HTTP2Client? {
        let now = time.uptime
        let (client, old) = hosts.withLock { hosts in
            var old: [HTTP2Client] = []
            if let host = hosts[origin], host.client == nil, host.isHTTP1Until <= now { hosts[origin] = nil }
            if hosts[origin] == nil {
                while hosts.count >= settings.hosts,
                    let idle = hosts.filter({ $0.value.users == 0 }).min(by: { $0.value.lastUse < $1.value.lastUse })
                {
                    if let client = idle.value.client { old.append(client) }
                    hosts[idle.key] = nil
                }
                hosts[origin] = Host(client: makeClient(origin, name))
            }
            hosts[origin]?.lastUse = now
            guard let client = hosts[origin]?.client else { return (nil as HTTP2Client?, old) }
            hosts[origin]?.users += 1
            return (client, old)
        }
        for old in old { Task { await old.close() } }
        return client
    }

    private func leave(_ origin: String, _ client: HTTP2Client) {
        hosts.withLock { hosts in
            if hosts[origin]?.client === client { hosts[origin]?.users -= 1 }
        }
    }

    /// Remembers that a host does not offer HTTP/2.
    ///
    /// - Returns: whether that is news.
    private func hasNoHTTP2(_ origin: String, _ client: HTTP2Client) -> Bool {
        let now = time.uptime
        let isNews = hosts.withLock { hosts in
            guard hosts[origin]?.client === client else { return false }
            hosts[origin] = Host(client: nil, isHTTP1Until: now + Self.http1Period, lastUse: now)
            return true
        }
        if isNews { Task { await client.close() } }
        return isNews
    }

    /// Whether a request failed since its client was closed for a host without HTTP/2.
    private func isHTTP1(_ origin: String, after failure: HTTP2RequestError) -> Bool {
        guard failure.kind == .closed, !isClosed.load(ordering: .relaxed) else { return false }
        return hosts.withLock { $0[origin].map { $0.client == nil } ?? false }
    }

    private func makeClient(_ origin: String, _ name: String) -> HTTP2Client? {
        guard let endpoint = ServiceEndpoint(origin) else { return nil }
        var http2 = HTTP2ClientSettings()
        http2.connectTimeout = settings.connectTimeout
        http2.requestTimeout = settings.requestTimeout
        http2.idleTimeout = settings.idleTimeout
        http2.maximumBody = Self.maximumAnswer
        http2.hasFallback = true
        if settings.namesHosts { http2.failureLevel = .debug }
        let lookup = proxy == nil ? settings.addresses?.lookUp : nil
        return HTTP2Client(
            name: name,
            connector: HTTP2Connector(
                host: endpoint.host, port: endpoint.port, proxy: proxy, tls: tls, settings: http2, lookup: lookup),
            loop: MultiThreadedEventLoopGroup.singleton.next(), time: time, logger: logger)
    }

    /// The token and the fields that come with every request fill the table of fields; paths may come once.
    private static func http2(_ request: TransferRequest, origin: String, target: String) -> HTTP2Request {
        var headers = HPACKHeaders()
        headers.reserveCapacity(request.headers.count + 4)
        headers.add(name: ":method", value: request.method)
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: String(origin.dropFirst("https://".count)))
        headers.add(name: ":path", value: target, indexing: .nonIndexable)
        for (name, value) in request.headers { headers.add(name: name.lowercased(), value: value) }
        return HTTP2Request(headers: headers, body: ByteBuffer(bytes: request.body ?? []))
    }

    private func failure(_ failure: HTTP2RequestError, _ name: String) -> ServiceRequestError {
        switch failure.kind {
        case .cancelled, .closed: Self.cancelled
        case .timedOut: timedOut(name)
        case .proxyLogin: proxyLogin
        case .addressRefused: ServiceRequestError(kind: .addressRefused, reason: failure.reason)
        case .tls: noTLS(failure.reason, name)
        case .unreachable, .notHTTP2, .connectionLost, .reset, .badAnswer: unreachable(failure.reason, name)
        }
    }

    // MARK: HTTP/1.1

    private func sendHTTP1(_ request: TransferRequest, _ name: String) async throws(ServiceRequestError)
        -> ServiceAnswer
    {
        var request = request
        request.timeout = settings.requestTimeout
        request.maximumSize = Self.maximumAnswer
        do {
            let answer = try await http1.send(request)
            return ServiceAnswer(answer.head, body: ByteBuffer(bytes: answer.body))
        } catch {
            // The status stands, and with some it is all that counts.
            if let head = error.head, (200..<300).contains(head.status) || error.kind == .tooLarge {
                return ServiceAnswer(head, body: ByteBuffer())
            }
            throw failure(error, name)
        }
    }

    private func failure(_ failure: TransferError, _ name: String) -> ServiceRequestError {
        switch failure.kind {
        case .cancelled: Self.cancelled
        case .timedOut: timedOut(name)
        case .proxyLogin: proxyLogin
        case .proxyRefusal:
            ServiceRequestError(
                kind: .unreachable,
                reason: "\(proxy?.name ?? "the proxy") does not connect to \(name): \(ServiceReasonText(failure.text))")
        case .addressRefused: ServiceRequestError(kind: .addressRefused, reason: "\(name): \(failure.text)")
        case .tls, .untrustedCertificate, .certificateName: noTLS(failure.text, name)
        case .noConnectionInTime:
            unreachable("no connection within \(settings.connectTimeout.inSeconds) s", name)
        default: unreachable(failure.text, name)
        }
    }

    // MARK: Reasons

    private static let cancelled = ServiceRequestError(kind: .cancelled, reason: "cancelled")

    private var through: String { proxy.map { " through \($0.name)" } ?? "" }

    private var proxyLogin: ServiceRequestError {
        ServiceRequestError(
            kind: .proxyLogin,
            reason: "\(proxy?.name ?? "the proxy") refuses the login; correct the proxy's user and password")
    }

    private func timedOut(_ name: String) -> ServiceRequestError {
        ServiceRequestError(
            kind: .timedOut, reason: "\(name) did not answer within \(settings.requestTimeout.inSeconds) s")
    }

    private func unreachable(_ reason: String, _ name: String) -> ServiceRequestError {
        ServiceRequestError(
            kind: .unreachable, reason: "\(name) cannot be reached\(through): \(ServiceReasonText(reason))")
    }

    private func noTLS(_ reason: String, _ name: String) -> ServiceRequestError {
        ServiceRequestError(
            kind: .unreachable,
            reason: "no TLS connection to \(name)\(through): \(ServiceReasonText(reason)); "
                + "if it has a certificate of its own, add that to the trusted certificates")
    }

    /// Ends all connections.
    func close() async {
        isClosed.store(true, ordering: .relaxed)
        http1.close()
        let clients = hosts.withLock { hosts in
            defer { hosts = [:] }
            return hosts.values.compactMap(\.client)
        }
        for client in clients { await client.close() }
    }
}

extension ServiceAnswer {
    fileprivate init(_ head: AnswerHead, body: ByteBuffer) {
        self.init(
            status: head.status, reasonPhrase: head.reason, headers: HTTPHeaders(head.headers.map { ($0, $1) }),
            body: body)
    }
}

extension EgressProxy {
    /// How it is named in messages; no secret.
    var name: String { "the \(kind.rawValue) proxy \(host):\(port)" }

    /// - Throws: ``CredentialError`` when the login is too long for SOCKS.
    fileprivate func check() throws(CredentialError) {
        guard kind == .socks, let login else { return }
        guard (1...255).contains(login.user.utf8.count), (1...255).contains(login.password.utf8.count) else {
            throw CredentialError(
                source: "the SOCKS proxy \(host):\(port)",
                problem: "expected a user and a password of 1 to 255 bytes each, as SOCKS 5 takes them")
        }
    }

    fileprivate var transferProxy: TransferClient.Proxy {
        // The proxy resolves the name.
        TransferClient.Proxy(
            url: "\(kind == .http ? "http" : "socks5h")://\(Authority(host: host, port: port))", user: login?.user,
            password: login?.password)
    }
}
