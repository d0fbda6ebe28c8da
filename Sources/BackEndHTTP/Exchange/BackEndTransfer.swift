import CCurl
import HTTPTransfer
import NIOHTTP1
import WorklightProject

/// One request and its response.
struct BackEndTransfer {
    /// The content of the request.
    struct Request {
        let method: BackEndRequest.Method
        /// The server of the request, not the proxy.
        let origin: Origin
        /// The request target as it is sent, but for a proxy's.
        let target: String
        let headers: HTTPHeaders
        let body: [UInt8]?
        /// True if the request may arrive twice.
        let isRepeatable: Bool
        /// The end user; `nil` for the server's own identity.
        let user: HTTPIdentity?
    }

    /// A response that arrived completely.
    struct Answer {
        let status: Int
        let reason: String
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    private let backEnd: HTTPBackEnd
    private let request: Request
    private let limits: BackEndTransferLimits
    private let way: WaitingWay
    private let started = ContinuousClock.now

    init(_ request: Request, of backEnd: HTTPBackEnd, limits: BackEndTransferLimits, _ way: WaitingWay) {
        (self.request, self.backEnd, self.limits, self.way) = (request, backEnd, limits, way)
    }

    /// Sends the request and waits for the complete response.
    ///
    /// A request that must not arrive twice gets a connection that was used within the last second, so that it rarely meets one that
    /// the back end has closed.
    func run(in slot: ConnectionSlot) async throws(BackEndTransferError) -> Answer {
        let transfer = prepare(in: slot)
        try await perform(transfer, in: slot)
        guard let head = transfer.head, !head.isMalformed else {
            throw BackEndTransferError("the back end's response is not HTTP")
        }
        return Answer(
            status: head.status, reason: head.reason, headers: HTTPHeaders(head.headers.map { ($0, $1) }),
            body: transfer.body)
    }

    /// Connects, and sends no request. The slot must be a new one, which the caller drops.
    func connect(in slot: ConnectionSlot) async throws(BackEndTransferError) {
        let transfer = prepare(in: slot)
        slot.handle.set(CURLOPT_CONNECT_ONLY, 1)
        try await perform(transfer, in: slot)
    }

    /// Sets all options of the transfer.
    private func prepare(in slot: ConnectionSlot) -> Transfer {
        let isPlain = request.origin.scheme == "http"
        let body = request.body ?? (request.method.sendsForm ? [] : nil)
        let connectTimeout = max(1, limits.connectionTimeout.inMilliseconds)
        // All other options are the adapter's, whose slot it is.
        let setup = TransferSetup(
            method: request.method.rawValue, origin: request.origin.url, hasBody: body != nil,
            connectTimeout: connectTimeout)
        let ntlm = ntlmIdentity
        let isForUser = request.user != nil && ntlm != nil
        let transfer = Transfer(
            in: slot.handle, setup: isForUser ? nil : setup, method: request.method.rawValue,
            origin: request.origin.url,
            target: isPlain && backEnd.policy.proxy != nil ? request.origin.url + request.target : request.target,
            headers: request.headers.lazy.map { (name: $0.name, value: $0.value) },
            body: body, isRepeatable: request.isRepeatable,
            maximumSize: limits.maximumSize)
        if !request.isRepeatable, ContinuousClock.now - slot.lastUse >= .seconds(1) { transfer.requireNewConnection() }
        // No connection that another identity has authenticated.
        if isForUser { transfer.requireNewConnection() }
        if transfer.isFresh {
            slot.handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
            configureProxy(transfer)
            configureTLS(slot.handle)
            if let ntlm {
                slot.handle.set(CURLOPT_HTTPAUTH, lamplighterCurlNTLM)
                slot.handle.set(CURLOPT_USERNAME, ntlm.username)
                slot.handle.set(CURLOPT_PASSWORD, ntlm.password)
            }
        }
        return transfer
    }

    private func perform(_ transfer: Transfer, in slot: ConnectionSlot) async throws(BackEndTransferError) {
        let code =
            switch way {
            case .onThread: try wait(for: transfer, in: slot)
            case .inLoop: try await TransferLoop.shared.perform(transfer, in: slot) { problem(of: $0) }
            }
        guard code != CURLE_OK else { return }
        let proxy = backEnd.policy.proxy
        throw BackEndTransferError(
            transfer.failure(code), peer: proxy.map { "\($0.host):\($0.port)" } ?? request.origin.authority,
            isConnecting: !transfer.isConnected, allowsLegacyTLS: backEnd.security.allowsLegacyTLS, limits: limits)
    }

    /// The identity that libcurl authenticates with by NTLM, at the server of the policy only.
    private var ntlmIdentity: HTTPIdentity? {
        guard let authentication = backEnd.policy.authentication, authentication.scheme == .ntlm,
            request.origin == backEnd.home
        else { return nil }
        return request.user ?? authentication.serverIdentity
    }

    private func configureProxy(_ transfer: Transfer) {
        guard let proxy = backEnd.policy.proxy else { return }
        let address = Origin(scheme: proxy.scheme, host: proxy.host, port: proxy.port)
        let identity = proxy.authentication?.serverIdentity
        transfer.setProxy(address.url, user: identity?.username, password: identity?.password)
        guard identity != nil, let authentication = proxy.authentication else { return }
        let scheme =
            switch authentication.scheme {
            case .basic: lamplighterCurlBasic
            case .digest: lamplighterCurlDigest
            case .ntlm: lamplighterCurlNTLM
            case .spnego: 0
            }
        transfer.handle.set(CURLOPT_PROXYAUTH, scheme)
    }

    private func configureTLS(_ handle: EasyHandle) {
        let security = backEnd.security
        if security.allowsLegacyTLS {
            handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_0)
            handle.set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0")
        } else {
            handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        }
        if let file = security.trustRootsFile {
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { handle.set(option, file) }
            // The system's roots would be trusted besides.
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { handle.set(option, String?.none) }
        }
        if let certificate = security.clientCertificate {
            handle.set(CURLOPT_SSLCERT, certificate.chainFile)
            handle.set(CURLOPT_SSLKEY, certificate.keyFile)
            handle.set(CURLOPT_KEYPASSWD, certificate.keyPassword)
        }
    }

    /// The interval at which a waiting transfer checks whether the response is still needed.
    private static let look = Duration.milliseconds(20)

    private func wait(for transfer: Transfer, in slot: ConnectionSlot) throws(BackEndTransferError) -> CURLcode {
        guard let multi = curl_multi_init() else { throw .outOfMemory }
        defer { curl_multi_cleanup(multi) }
        let easy = slot.handle.pointer
        curl_multi_add_handle(multi, easy)
        // Closes the connection of a transfer that has not ended.
        defer { curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 0
        var result = CURLE_OK
        while true {
            curl_multi_perform(multi, &running)
            if lamplighterCurlEnded(multi, &result) != nil { return result }
            if let problem = problem(of: transfer) { throw problem }
            curl_multi_poll(multi, nil, 0, Int32(Self.look.inMilliseconds), nil)
        }
    }

    /// Returns the error that ends the transfer now; `nil` while it goes on.
    private func problem(of transfer: Transfer) -> BackEndTransferError? {
        if limits.isGivenUp?() == true { return .givenUp }
        if backEnd.isClosed { return .notLoaded }
        let alarm = nextAlarm(transfer)
        return ContinuousClock.now < alarm.time ? nil : alarm.error
    }

    private func nextAlarm(_ transfer: Transfer) -> (time: ContinuousClock.Instant, error: BackEndTransferError) {
        let time =
            transfer.isConnected
            ? transfer.lastActivity + limits.socketTimeout : started + limits.connectionTimeout
        if limits.deadline < time {
            return (
                limits.deadline, BackEndTransferError("the procedure's time was over before the response was complete")
            )
        }
        return (
            time,
            transfer.isConnected
                ? .silence(of: limits.socketTimeout) : .noConnection(within: limits.connectionTimeout)
        )
    }
}

/// The limits of a transfer's duration and size.
struct BackEndTransferLimits: Sendable {
    let connectionTimeout: Duration
    /// The longest silence between two signs of life.
    let socketTimeout: Duration
    let deadline: ContinuousClock.Instant
    /// Returns true if the response is no longer needed; `nil` if it always is.
    let isGivenUp: (@Sendable () -> Bool)?
    /// The largest size of the body in bytes, as transferred.
    let maximumSize: Int
}

extension Duration {
    /// Rounded down.
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
