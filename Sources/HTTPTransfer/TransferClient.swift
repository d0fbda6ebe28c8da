import CCurl
import Foundation
import Synchronization

/// Sends requests with libcurl, which asynchronous code waits for. No redirects, no cookies, no logins but a proxy's.
///
/// All transfers of a client run on one thread, which exists while there are transfers or kept connections.
public final class TransferClient: Sendable {
    public enum Trust: Sendable, Hashable {
        /// The system's authorities.
        case system
        /// The system's, and these certificates in PEM. libcurl must know the system's as a folder (`CURLOPT_CAPATH`), as Debian's does.
        case systemAnd(pem: String)
        /// These certificates in PEM.
        case only(pem: String)
        /// Any certificate.
        case everybody
    }

    public struct Proxy: Sendable, Hashable {
        /// `http://`, `https://` or `socks5h://` with host and port.
        public let url: String
        public let user: String?
        public let password: String?

        public init(url: String, user: String? = nil, password: String? = nil) {
            (self.url, self.user, self.password) = (url, user, password)
        }
    }

    public struct Settings: Sendable {
        public var trust = Trust.system
        public var proxy: Proxy?
        /// For name, TCP, proxy and TLS together.
        public var connectTimeout = Duration.seconds(10)
        /// The time for which a connection without transfers is kept.
        public var idleTimeout = Duration.seconds(60)
        /// For each host; more transfers wait.
        public var connections = 32
        /// Speaks HTTP/2 where the host offers it with TLS: many requests at once on one connection.
        public var offersHTTP2 = false
        /// Addresses of names instead of the system's, each as `host:port:address,address` (`CURLOPT_RESOLVE`).
        public var names: [String] = []
        /// Asks for compressed responses and unpacks them.
        public var decompresses = false
        /// Returns true if connections to an address of 4 or 16 bytes are allowed. `nil` for all.
        public var allows: (@Sendable ([UInt8]) -> Bool)?

        public init() {}
    }

    private typealias Waiter = CheckedContinuation<Result<TransferAnswer, TransferError>, Never>

    private struct Job: Sendable {
        let number: Int
        let request: TransferRequest
        let onPart: (@Sendable (AnswerHead, [UInt8]) -> Void)?
        let waiter: Waiter
    }

    private struct State {
        var inbox: [Job] = []
        var cancelled: [Int] = []
        var jobs = 0
        /// The multi handle of the thread that runs, which other threads may only wake.
        var multi: MultiHandle?
        var isClosed = false
    }

    private let settings: Settings
    private let state = Mutex(State())

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Sends a request and waits for the complete response.
    ///
    /// libcurl repeats a GET on a new connection when a kept one closes before the first byte of the response, and other requests never.
    ///
    /// - Parameter onPart: gets the parts of the body as they come, on the client's thread.
    /// - Throws: ``TransferError``, also when the task is cancelled.
    public func send(
        _ request: TransferRequest, onPart: (@Sendable (AnswerHead, [UInt8]) -> Void)? = nil
    ) async throws(TransferError) -> TransferAnswer {
        if let problem = request.problem { throw TransferError(.badRequest, problem) }
        let number = state.withLock { state in
            state.jobs += 1
            return state.jobs
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let isRefused = state.withLock { state in
                    // A cancellation before this point finds nothing to end; after it, it finds the job.
                    guard !state.isClosed, !Task.isCancelled else { return true }
                    guard wake(&state) else { return true }
                    state.inbox.append(Job(number: number, request: request, onPart: onPart, waiter: waiter))
                    return false
                }
                if isRefused { waiter.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            state.withLock { state in
                state.cancelled.append(number)
                state.multi?.wakeUp()
            }
        }.get()
    }

    /// Ends the transfers that are under way, and all connections.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.multi?.wakeUp()
        }
    }

    /// - Returns: false when libcurl has no memory for a multi handle.
    private func wake(_ state: inout State) -> Bool {
        if let multi = state.multi {
            // If the inbox has other jobs, the thread has been woken already.
            if state.inbox.isEmpty { multi.wakeUp() }
            return true
        }
        guard let multi = MultiHandle(connections: settings.connections) else { return false }
        state.multi = multi
        Thread { self.run(multi) }.start()
        return true
    }

    // MARK: The thread

    /// A transfer that is under way.
    private struct Running {
        let job: Job
        let transfer: Transfer
        let gate: AddressFilter?
        let names: NameList?
    }

    private func run(_ multi: MultiHandle) {
        var running: [UnsafeMutableRawPointer: Running] = [:]
        var idle: [EasyHandle] = []
        var lastUse = ContinuousClock.now
        func end(_ pointer: UnsafeMutableRawPointer, _ result: (Running) -> Result<TransferAnswer, TransferError>) {
            guard let entry = running.removeValue(forKey: pointer) else { return }
            curl_multi_remove_handle(multi.pointer, pointer)
            entry.job.waiter.resume(returning: result(entry))
            idle.append(entry.transfer.handle)
            lastUse = .now
        }
        while true {
            let (new, cancelled, isClosed) = state.withLock { state in
                defer { (state.inbox, state.cancelled) = ([], []) }
                return (state.inbox, Set(state.cancelled), state.isClosed)
            }
            for job in new {
                guard !isClosed, !cancelled.contains(job.number), let handle = idle.popLast() ?? EasyHandle() else {
                    job.waiter.resume(returning: .failure(.cancelled))
                    continue
                }
                let entry = start(job, in: handle)
                running[handle.pointer] = entry
                curl_multi_add_handle(multi.pointer, handle.pointer)
            }
            if isClosed || !cancelled.isEmpty {
                for (pointer, entry) in running where isClosed || cancelled.contains(entry.job.number) {
                    end(pointer) { _ in .failure(.cancelled) }
                }
            }
            var count: Int32 = 0
            curl_multi_perform(multi.pointer, &count)
            var code = CURLE_OK
            while let pointer = lamplighterCurlEnded(multi.pointer, &code) { end(pointer) { Self.result(code, $0) } }
            if running.isEmpty, stops(unless: lastUse + settings.idleTimeout) { return }
            let pause = running.isEmpty ? lastUse + settings.idleTimeout - .now : .seconds(60)
            // curl_multi_wakeup fails when the process has no file descriptors left, so the loop also runs every second.
            let milliseconds = Int(min(pause, .seconds(1)) / .milliseconds(1)) + 1
            curl_multi_poll(multi.pointer, nil, 0, Int32(clamping: milliseconds), nil)
        }
    }

    /// Returns true if the thread must end.
    private func stops(unless end: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard state.inbox.isEmpty, state.isClosed || ContinuousClock.now >= end else { return false }
            state.multi = nil
            return true
        }
    }

    private func start(_ job: Job, in handle: EasyHandle) -> Running {
        let request = job.request
        let (origin, target) = request.parts
        let isPlain = !origin.lowercased().hasPrefix("https:")
        let isHTTPProxy = settings.proxy?.url.hasPrefix("http") == true
        let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
        let transfer = Transfer(
            in: handle,
            setup: TransferSetup(
                method: request.method, origin: origin, hasBody: body != nil,
                connectTimeout: Self.milliseconds(settings.connectTimeout)),
            method: request.method, origin: origin,
            target: isPlain && isHTTPProxy ? origin + target : target, headers: request.headers, body: body,
            isRepeatable: ["GET", "HEAD"].contains(request.method), maximumSize: request.maximumSize,
            onPart: job.onPart)
        if transfer.isFresh { set(transfer, isPlain: isPlain) }
        handle.set(CURLOPT_TIMEOUT_MS, request.timeout.map(Self.milliseconds) ?? 0)
        let gate = settings.allows.map(AddressFilter.init)
        gate?.guards(handle)
        let names = settings.names.isEmpty ? nil : NameList(settings.names)
        handle.set(CURLOPT_RESOLVE, names?.pointer.map { UnsafeMutableRawPointer($0) })
        return Running(job: job, transfer: transfer, gate: gate, names: names)
    }

    /// Sets what follows from the settings and the origin.
    private func set(_ transfer: Transfer, isPlain: Bool) {
        let handle = transfer.handle
        // Whole seconds, rounded up; a connection that is older is closed instead of used.
        handle.set(CURLOPT_MAXAGE_CONN, max(1, Int((settings.idleTimeout / .seconds(1)).rounded(.up))))
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(settings.connectTimeout))
        if settings.offersHTTP2 {
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // Without TLS only the first response shows whether the server supports HTTP/2, so transfers do not wait for that.
            handle.set(CURLOPT_PIPEWAIT, isPlain ? 0 : 1)
        }
        if settings.decompresses { handle.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") }
        if let proxy = settings.proxy { transfer.setProxy(proxy.url, user: proxy.user, password: proxy.password) }
        setTrust(handle)
    }

    private func setTrust(_ handle: EasyHandle) {
        handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        switch settings.trust {
        case .system: break
        case .systemAnd(let pem): handle.set(CURLOPT_CAINFO_BLOB, bytes: pem)
        case .only(let pem):
            handle.set(CURLOPT_CAINFO_BLOB, bytes: pem)
            handle.set(CURLOPT_CAPATH, String?.none)
        case .everybody:
            handle.set(CURLOPT_SSL_VERIFYPEER, 0)
            handle.set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int { max(1, Int(duration / .milliseconds(1))) }

    private static func result(_ code: CURLcode, _ entry: Running) -> Result<TransferAnswer, TransferError> {
        let transfer = entry.transfer
        if code == CURLE_OK {
            guard let head = transfer.head, !head.isMalformed else {
                return .failure(TransferError(.notHTTP, "the response has no head"))
            }
            return .success(TransferAnswer(head: head, body: transfer.body))
        }
        if let gate = entry.gate, gate.hasRefused, !gate.hasAllowed {
            return .failure(TransferError(.addressRefused, "none of its addresses may be connected to"))
        }
        return .failure(transfer.failure(code))
    }
}

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: one thread uses it; others call ``wakeUp()`` only, which libcurl allows.
private final class MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init?(connections: Int) {
        guard let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        _ = lamplighterCurlSetMultiNumber(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
        // The most that are kept; libcurl's default grows with the transfers.
        _ = lamplighterCurlSetMultiNumber(pointer, CURLMOPT_MAXCONNECTS, max(64, connections))
        // Of HTTP/2, on a connection; the host may set less, and then there are more connections.
        _ = lamplighterCurlSetMultiNumber(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000)
    }

    deinit { curl_multi_cleanup(pointer) }

    func wakeUp() { curl_multi_wakeup(pointer) }
}

/// A list of libcurl's, which lives as long as the transfer that has it.
private final class NameList {
    let pointer: UnsafeMutablePointer<curl_slist>?

    init(_ names: [String]) {
        pointer = names.reduce(nil) { curl_slist_append($0, $1) }
    }

    deinit { curl_slist_free_all(pointer) }
}

/// Lets libcurl connect only to addresses that are allowed.
private final class AddressFilter {
    private let allows: @Sendable ([UInt8]) -> Bool
    private(set) var hasRefused = false
    private(set) var hasAllowed = false

    init(allows: @escaping @Sendable ([UInt8]) -> Bool) {
        self.allows = allows
    }

    func guards(_ handle: EasyHandle) {
        handle.set(CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        _ = lamplighterCurlSetOpenSocket(handle.pointer) { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            let gate = Unmanaged<AddressFilter>.fromOpaque(context).takeUnretainedValue()
            guard gate.allows(AddressFilter.bytes(address)) else {
                gate.hasRefused = true
                return CURL_SOCKET_BAD
            }
            gate.hasAllowed = true
            let kind = address.pointee
            return socket(kind.family, kind.socktype | Int32(SOCK_CLOEXEC.rawValue), kind.protocol)
        }
    }

    /// The address is longer than its declaration where it is of IPv6.
    private static func bytes(_ address: UnsafePointer<curl_sockaddr>) -> [UInt8] {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return [] }
        let place = UnsafeRawPointer(address) + offset
        return switch address.pointee.family {
        case AF_INET: withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6: withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: []
        }
    }
}
