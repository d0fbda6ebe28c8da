import Core
import HTTPTransfer
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import ServiceContextModule

/// The HTTP client of one transport: its connections, its limits, its proxy.
///
/// A host is spoken to over HTTP/2, many requests on one connection, and over HTTP/1.1 where it does not offer HTTP/2.
final class ServiceClient: Sendable {
    struct Settings: Sendable {
        /// For each host.
        var connections = 32
        var connectTimeout = Duration.seconds(10)
        /// The timeout of a request, until the complete response.
        var requestTimeout = Duration.seconds(30)
        /// The time for which a connection without requests is kept.
        var idleTimeout = Duration.seconds(300)
        var offersHTTP2 = true
        /// True if the system's authorities are trusted too. Reading them takes long.
        var trustsSystem = true
        /// True if the reasons name the host, for a service that others choose.
        var namesHosts = false
        /// Returns true if connections to an address of 4 or 16 bytes are allowed, if names are resolved here: without a proxy. `nil` for all.
        var allows: (@Sendable ([UInt8]) -> Bool)?
        /// See ``TransferClient/Settings/names``.
        var names: [String] = []
    }

    /// Bytes of a body.
    static let maximumAnswer = 48 << 10

    private let service: String
    private let settings: Settings
    private let proxy: EgressProxy?
    private let transfers: TransferClient

    /// - Parameters:
    ///   - service: its name in the reasons.
    ///   - context: its endpoint is not used here.
    /// - Throws: ``CredentialError`` when the certificates cannot be read or the proxy's login is invalid.
    init(
        service: String, settings: Settings = Settings(), _ context: TransportContext
    ) throws(CredentialError) {
        let (trustRoots, proxy) = (context.trustRoots, context.proxy)
        self.service = service
        self.settings = settings
        self.proxy = proxy
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
        transfers.offersHTTP2 = settings.offersHTTP2
        transfers.names = settings.names
        if proxy == nil { transfers.allows = settings.allows }
        self.transfers = TransferClient(transfers)
    }

    /// Sends a request and reads the complete response.
    func send(_ request: TransferRequest) async throws(ServiceRequestError) -> ServiceAnswer {
        var request = request
        request.headers += ServiceContext.current?.trace?.headers ?? []
        request.timeout = settings.requestTimeout
        request.maximumSize = Self.maximumAnswer
        do {
            let answer = try await transfers.send(request)
            return ServiceAnswer(answer.head, body: ByteBuffer(bytes: answer.body))
        } catch {
            // The status remains valid, and for some statuses it is all that counts.
            if let head = error.head, (200..<300).contains(head.status) || error.kind == .tooLarge {
                return ServiceAnswer(head, body: ByteBuffer())
            }
            throw failure(error, name(of: request.parts.origin))
        }
    }

    private func name(of origin: String) -> String {
        guard settings.namesHosts, let host = ServiceEndpoint(origin)?.host else { return service }
        return "\(service) \(host)"
    }

    private func failure(_ failure: TransferError, _ name: String) -> ServiceRequestError {
        switch failure.kind {
        case .cancelled: Self.cancelled
        case .timedOut: timedOut(name)
        // The whole request had no more time than connecting may take: that limit has passed.
        case .noConnectionInTime where settings.requestTimeout <= settings.connectTimeout: timedOut(name)
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
            kind: .timedOut, reason: "\(name) did not respond within \(settings.requestTimeout.inSeconds) s")
    }

    private func unreachable(_ reason: String, _ name: String) -> ServiceRequestError {
        ServiceRequestError(
            kind: .unreachable, reason: "\(name) cannot be reached\(through): \(ServiceReasonText(reason))")
    }

    private func noTLS(_ reason: String, _ name: String) -> ServiceRequestError {
        ServiceRequestError(
            kind: .unreachable,
            reason: "no TLS connection to \(name)\(through): \(ServiceReasonText(reason)); "
                + "if it has its own certificate, add that to the trusted certificates")
    }

    /// Ends all connections.
    func close() async {
        transfers.close()
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
    /// Its name in messages; no secret.
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
