import CCurl
import Foundation
import NIOHTTP1
import WorklightProject

/// One request and its answer, sent and awaited on the calling thread.
final class Exchange {
    /// What goes over the wire.
    struct Request {
        let method: BackEndRequest.Method
        /// The server of the request, not the proxy.
        let origin: Origin
        /// The request target as it is sent, but for a proxy's.
        let target: String
        let headers: HTTPHeaders
        let body: [UInt8]?
        /// Whether the request may arrive twice.
        let isRepeatable: Bool
    }

    /// An answer that arrived whole.
    struct Answer {
        let head: AnswerHead
        let body: [UInt8]
    }

    private let backEnd: HTTPBackEnd
    private let request: Request
    private let limits: ExchangeLimits
    private let started = ContinuousClock.now
    private var isConnected = false
    private var lastActivity = ContinuousClock.now
    private var head: AnswerHead?
    private var isHeadComplete = false
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// The number of bytes of the request's body that were sent.
    private var sent = 0

    init(_ request: Request, of backEnd: HTTPBackEnd, limits: ExchangeLimits) {
        (self.request, self.backEnd, self.limits) = (request, backEnd, limits)
    }

    /// Sends the request and waits for the whole answer.
    ///
    /// libcurl repeats a request on a new connection when a kept one closes before the first byte of the answer. A request that must
    /// not arrive twice gets a connection that was used within the last second, so that it rarely meets a closed one, and a body that
    /// cannot be read twice, so that it fails instead of being repeated; without a body it gets a new connection.
    func run(in slot: ConnectionSlot) throws(ExchangeError) -> Answer {
        let easy = slot.easy
        curl_easy_reset(easy)
        slot.errorText[0] = 0
        let lines = headerLines()
        defer { curl_slist_free_all(lines) }
        set(CURLOPT_ERRORBUFFER, slot.errorText, on: easy)
        set(CURLOPT_HTTPHEADER, lines, on: easy)
        configure(slot)
        let code = try wait(in: slot)
        guard code == CURLE_OK else { throw error(code, slot) }
        guard let head, !head.isMalformed else { throw ExchangeError("the back end's answer is not HTTP") }
        return Answer(head: head, body: body)
    }

    private func error(_ code: CURLcode, _ slot: ConnectionSlot) -> ExchangeError {
        guard !isTooLarge else { return .tooLarge(limits.maximumSize) }
        let text = String(cString: slot.errorText)
        let proxy = backEnd.policy.proxy
        return ExchangeError(
            code, text: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text,
            errno: Int32(lamplighterCurlNumber(slot.easy, CURLINFO_OS_ERRNO)),
            peer: proxy.map { "\($0.host):\($0.port)" } ?? request.origin.authority,
            connectStatus: lamplighterCurlNumber(slot.easy, CURLINFO_HTTP_CONNECTCODE),
            hasHead: head != nil, allowsLegacyTLS: backEnd.security.allowsLegacyTLS,
            connectionTimeout: limits.connectionTimeout)
    }

    // MARK: Options

    private func set(_ option: CURLoption, _ value: Int, on easy: UnsafeMutableRawPointer) {
        _ = lamplighterCurlSetNumber(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?, on easy: UnsafeMutableRawPointer) {
        _ = lamplighterCurlSetText(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?, on easy: UnsafeMutableRawPointer) {
        _ = lamplighterCurlSetPointer(easy, option, value)
    }

    private func set<Value>(
        _ option: CURLoption, _ value: UnsafeMutablePointer<Value>?, on easy: UnsafeMutableRawPointer
    ) {
        _ = lamplighterCurlSetPointer(easy, option, UnsafeMutableRawPointer(value))
    }

    private func configure(_ slot: ConnectionSlot) {
        let easy = slot.easy
        set(CURLOPT_NOSIGNAL, 1, on: easy)
        // A lookup that takes too long does not hold up the thread.
        set(CURLOPT_QUICK_EXIT, 1, on: easy)
        set(CURLOPT_PROTOCOLS_STR, "http,https", on: easy)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1), on: easy)
        set(CURLOPT_URL, request.origin.url + "/", on: easy)
        set(CURLOPT_PATH_AS_IS, 1, on: easy)
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.connectionTimeout.inMilliseconds), on: easy)
        configureMethod(slot)
        configureProxy(easy)
        configureTLS(easy)
        if let identity = backEnd.policy.authentication, identity.scheme == .ntlm, request.origin == backEnd.home {
            set(CURLOPT_HTTPAUTH, lamplighterCurlNTLM, on: easy)
            set(CURLOPT_USERNAME, identity.username, on: easy)
            set(CURLOPT_PASSWORD, identity.password, on: easy)
        }

        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_PREREQDATA] {
            set(option, context, on: easy)
        }
        _ = lamplighterCurlSetData(easy, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            Exchange.of(context)?.take(body: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetData(easy, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            Exchange.of(context)?.take(header: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetData(easy, CURLOPT_READFUNCTION) { data, size, count, context in
            Exchange.of(context)?.send(to: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetConnected(easy) { context, _, _, _, _ in
            Exchange.of(context)?.noteActivity()
            return CURL_PREREQFUNC_OK
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func configureMethod(_ slot: ConnectionSlot) {
        let easy = slot.easy
        let body = request.body ?? (request.method.sendsForm ? [] : nil)
        if request.method == .head {
            set(CURLOPT_NOBODY, 1, on: easy)
        } else if let body {
            set(CURLOPT_POST, 1, on: easy)
            _ = lamplighterCurlSetSize(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            if request.isRepeatable || body.isEmpty {
                body.withUnsafeBytes { bytes in
                    set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress), on: easy)
                }
                // An empty array may have no address.
                if body.isEmpty { _ = lamplighterCurlSetText(easy, CURLOPT_COPYPOSTFIELDS, "") }
            }
        } else {
            set(CURLOPT_HTTPGET, 1, on: easy)
        }
        if request.method != .head { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue, on: easy) }
        guard !request.isRepeatable else { return }
        let isFresh = ContinuousClock.now - slot.lastUse < .seconds(1)
        if body?.isEmpty ?? true || !isFresh { set(CURLOPT_FRESH_CONNECT, 1, on: easy) }
    }

    private func configureProxy(_ easy: UnsafeMutableRawPointer) {
        // libcurl reads both from the environment otherwise.
        set(CURLOPT_NOPROXY, "", on: easy)
        guard let proxy = backEnd.policy.proxy else {
            set(CURLOPT_PROXY, "", on: easy)
            set(CURLOPT_REQUEST_TARGET, request.target, on: easy)
            return
        }
        let isTunnelled = request.origin.scheme == "https"
        let target = isTunnelled ? request.target : request.origin.url + request.target
        set(CURLOPT_REQUEST_TARGET, target, on: easy)
        let address = Origin(scheme: proxy.scheme, host: proxy.host, port: proxy.port)
        set(CURLOPT_PROXY, address.url, on: easy)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1, on: easy)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE), on: easy)
        if let identity = proxy.authentication {
            set(CURLOPT_PROXYUSERNAME, identity.username, on: easy)
            set(CURLOPT_PROXYPASSWORD, identity.password, on: easy)
            let scheme =
                switch identity.scheme {
                case .basic: lamplighterCurlBasic
                case .digest: lamplighterCurlDigest
                case .ntlm: lamplighterCurlNTLM
                }
            set(CURLOPT_PROXYAUTH, scheme, on: easy)
        }
    }

    private func configureTLS(_ easy: UnsafeMutableRawPointer) {
        let security = backEnd.security
        if security.allowsLegacyTLS {
            set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_0, on: easy)
            set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0", on: easy)
        } else {
            set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2, on: easy)
        }
        if let file = security.trustRootsFile {
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, file, on: easy) }
            // The system's roots would be trusted besides.
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, String?.none, on: easy) }
        }
        if let certificate = security.clientCertificate {
            set(CURLOPT_SSLCERT, certificate.chainFile, on: easy)
            set(CURLOPT_SSLKEY, certificate.keyFile, on: easy)
            set(CURLOPT_KEYPASSWD, certificate.keyPassword, on: easy)
        }
    }

    private func headerLines() -> UnsafeMutablePointer<curl_slist>? {
        var lines: UnsafeMutablePointer<curl_slist>?
        // These libcurl would add by itself.
        for name in ["Accept", "Expect", "User-Agent", "Content-Type"] where !request.headers.contains(name: name) {
            lines = curl_slist_append(lines, "\(name):")
        }
        for (name, value) in request.headers {
            lines = curl_slist_append(lines, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    // MARK: Waiting

    /// Someone who waits is asked so often whether anybody still wants the answer.
    private static let look = Duration.milliseconds(20)

    private func wait(in slot: ConnectionSlot) throws(ExchangeError) -> CURLcode {
        curl_multi_add_handle(slot.multi, slot.easy)
        // Closes the connection of an exchange that has not ended.
        defer { curl_multi_remove_handle(slot.multi, slot.easy) }
        var running: Int32 = 0
        while true {
            curl_multi_perform(slot.multi, &running)
            let result = lamplighterCurlResult(slot.multi)
            if result >= 0 { return CURLcode(UInt32(result)) }
            if limits.isGivenUp?() == true { throw .givenUp }
            if backEnd.isClosed { throw ExchangeError("the adapter is no longer loaded") }
            let now = ContinuousClock.now
            let alarm = nextAlarm()
            guard now < alarm.time else { throw alarm.error }
            let pause = limits.isGivenUp == nil ? alarm.time - now : min(alarm.time - now, Self.look)
            curl_multi_poll(slot.multi, nil, 0, Int32(clamping: pause.inMilliseconds + 1), nil)
        }
    }

    private func nextAlarm() -> (time: ContinuousClock.Instant, error: ExchangeError) {
        let time = isConnected ? lastActivity + limits.socketTimeout : started + limits.connectionTimeout
        if limits.deadline < time {
            return (limits.deadline, ExchangeError("the procedure's time was over before the answer was complete"))
        }
        return (
            time, isConnected ? .silence(of: limits.socketTimeout) : .noConnection(within: limits.connectionTimeout)
        )
    }

    // MARK: What libcurl calls

    private func noteActivity() {
        isConnected = true
        lastActivity = .now
    }

    private func take(header data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        noteActivity()
        var line = UnsafeRawBufferPointer(start: data, count: count)[...]
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
        if line.starts(with: "HTTP/".utf8) {
            // Of several answers, such as 100 and then 200, the last one counts.
            head = AnswerHead(statusLine: String(decoding: line, as: UTF8.self))
            isHeadComplete = false
            body = []
        } else if line.isEmpty {
            isHeadComplete = true
        } else if !isHeadComplete {
            head?.add(line: line)
        }
        return count
    }

    private func take(body data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        noteActivity()
        guard let data, body.count + count <= limits.maximumSize else {
            isTooLarge = true
            return 0
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
        return count
    }

    private func send(to buffer: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        noteActivity()
        guard let buffer, let body = request.body else { return 0 }
        let count = min(size, body.count - sent)
        body[sent..<sent + count].withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: size).copyMemory(from: bytes)
        }
        sent += count
        return count
    }
}

/// An answer's status line and fields.
struct AnswerHead: Sendable {
    let status: Int
    let reason: String
    var headers = HTTPHeaders()
    /// Whether a line is neither a field nor the rest of one.
    private(set) var isMalformed = false

    init(status: Int, reason: String, headers: HTTPHeaders) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }

    init?(statusLine: String) {
        let parts = statusLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count >= 2, let status = Int(parts[1].trimmed) else { return nil }
        self.init(status: status, reason: parts.count > 2 ? parts[2].trimmed : "", headers: HTTPHeaders())
    }

    /// Adds a field. A line that is none continues the one before it (RFC 9112, 5.2).
    mutating func add(line: Slice<UnsafeRawBufferPointer>) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t"), let last = Array(headers).last {
            headers.remove(name: last.name)
            headers.add(name: last.name, value: "\(last.value) \(Self.text(line))")
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            isMalformed = true
            return
        }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        guard HeaderRules.isToken(name) else {
            isMalformed = true
            return
        }
        headers.add(name: name, value: Self.text(line[(colon + 1)...]))
    }

    /// Without blanks at either end.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// How long and how large an exchange may be.
struct ExchangeLimits: Sendable {
    let connectionTimeout: Duration
    /// Of silence, between any two signs of life.
    let socketTimeout: Duration
    let deadline: ContinuousClock.Instant
    /// Tells whether nobody wants the answer any more; `nil` when that cannot be.
    let isGivenUp: (@Sendable () -> Bool)?
    /// Bytes of the body, as it comes over the wire.
    let maximumSize: Int
}

extension Duration {
    /// Rounded down.
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
