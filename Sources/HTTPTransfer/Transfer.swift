public import CCurl
import Foundation

/// One request and its response in an ``EasyHandle``, over HTTP/1.1 by default.
///
/// The thread that runs it adds the handle to a multi handle and removes it before the transfer is released. No other thread uses it.
public final class Transfer {
    public let handle: EasyHandle
    /// The response's status line and fields, once the status line has arrived.
    public private(set) var head: AnswerHead?
    public private(set) var body: [UInt8] = []
    public private(set) var isTooLarge = false
    /// True if there is a connection, TLS included.
    public private(set) var isConnected = false
    /// The time when something was last sent or received.
    public private(set) var lastActivity = ContinuousClock.now

    private let upload: [UInt8]
    private let maximumSize: Int
    private let onPart: ((AnswerHead, [UInt8]) -> Void)?
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// The number of bytes of the request's body that were sent.
    private var sent = 0
    private var isHeadComplete = false
    private var bodySize = 0
    /// The bytes of all fields so far, trailers included, which libcurl does not count.
    private var headSize = 0
    private static let largestHead = 256 << 10
    /// True if the fields are larger than allowed.
    public var isHeadTooLarge: Bool { headSize > Self.largestHead }

    /// True if the caller must set options of TLS, proxies and times: those of the handle's last transfer have been reset.
    public let isFresh: Bool

    /// Sets all options but those of TLS, proxies and times.
    ///
    /// - Parameters:
    ///   - setup: the source of all those options, and the caller's. If it equals the handle's last one, only the parts that differ by transfer are
    ///     set: target, fields, body, and whether a kept connection will do. `nil` to set all.
    ///   - origin: `scheme://host:port`.
    ///   - target: path and query, sent byte for byte.
    ///   - headers: an empty value is sent as such. Of the fields that libcurl adds by itself only `Host` and `Content-Length` are sent.
    ///   - isRepeatable: whether libcurl may repeat the request on a new connection when a kept one closes before the first byte of the response.
    ///     Otherwise the transfer fails then; without a body it gets a new connection.
    ///   - maximumSize: bytes of the body, as libcurl hands it over.
    ///   - onPart: gets the parts of the body as they come, instead of ``body``.
    public init(
        in handle: EasyHandle, setup: TransferSetup? = nil, method: String, origin: String, target: String,
        headers: some Sequence<(name: String, value: String)>, body upload: [UInt8]?, isRepeatable: Bool,
        maximumSize: Int, onPart: ((AnswerHead, [UInt8]) -> Void)? = nil
    ) {
        self.handle = handle
        self.upload = upload ?? []
        self.maximumSize = maximumSize
        self.onPart = onPart
        isFresh = handle.begin(setup)
        if isFresh {
            handle.set(CURLOPT_NOSIGNAL, 1)
            // A lookup that takes too long does not hold up the thread.
            handle.set(CURLOPT_QUICK_EXIT, 1)
            handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            handle.set(CURLOPT_URL, origin + "/")
            handle.set(CURLOPT_PATH_AS_IS, 1)
            setMethod(method, hasBody: upload != nil)
            setCallbacks()
            setProxy(nil, user: nil, password: nil)
        }
        handle.set(CURLOPT_REQUEST_TARGET, target)
        handle.set(CURLOPT_FRESH_CONNECT, !isRepeatable && upload?.isEmpty ?? true ? 1 : 0)
        if method != "HEAD", let upload { setBody(upload, isRepeatable: isRepeatable) }
        setHeaders(headers)
        setContext()
    }

    deinit {
        handle.end()
        handle.set(CURLOPT_HTTPHEADER, nil as UnsafeMutableRawPointer?)
        curl_slist_free_all(lines)
    }

    // MARK: Options

    private func setMethod(_ method: String, hasBody: Bool) {
        if method == "HEAD" {
            handle.set(CURLOPT_NOBODY, 1)
        } else {
            handle.set(hasBody ? CURLOPT_POST : CURLOPT_HTTPGET, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func setBody(_ body: [UInt8], isRepeatable: Bool) {
        // Drops the last transfer's copy.
        handle.set(CURLOPT_COPYPOSTFIELDS, nil as UnsafeMutableRawPointer?)
        handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
        if body.isEmpty {
            handle.set(CURLOPT_COPYPOSTFIELDS, "")
        } else if isRepeatable {
            body.withUnsafeBytes {
                handle.set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
            }
        }
    }

    /// Uses none of the kept connections.
    public func requireNewConnection() { handle.set(CURLOPT_FRESH_CONNECT, 1) }

    private func setHeaders(_ headers: some Sequence<(name: String, value: String)>) {
        // These libcurl would add by itself.
        var unwanted = ["accept", "expect", "user-agent", "content-type"]
        for (name, value) in headers {
            lines = curl_slist_append(lines, value.isEmpty ? "\(name);" : "\(name): \(value)")
            if !unwanted.isEmpty, let index = unwanted.firstIndex(of: name.lowercased()) { unwanted.remove(at: index) }
        }
        for name in unwanted { lines = curl_slist_append(lines, "\(name):") }
        handle.set(CURLOPT_HTTPHEADER, lines.map { UnsafeMutableRawPointer($0) })
    }

    /// - Parameter url: `http://`, `https://` or `socks5h://` with host and port; `nil` for no proxy.
    public func setProxy(_ url: String?, user: String?, password: String?) {
        // libcurl reads both from the environment otherwise.
        handle.set(CURLOPT_NOPROXY, "")
        handle.set(CURLOPT_PROXY, url ?? "")
        guard url != nil else { return }
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        if user != nil || password != nil {
            handle.set(CURLOPT_PROXYUSERNAME, user)
            handle.set(CURLOPT_PROXYPASSWORD, password)
        }
    }

    /// Has the callbacks find this transfer.
    private func setContext() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle.set(CURLOPT_WRITEDATA, context)
        handle.set(CURLOPT_HEADERDATA, context)
        handle.set(CURLOPT_READDATA, context)
        handle.set(CURLOPT_PREREQDATA, context)
    }

    private func setCallbacks() {
        let easy = handle.pointer
        _ = lamplighterCurlSetData(easy, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            Transfer.of(context)?.take(body: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetData(easy, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            Transfer.of(context)?.take(header: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetData(easy, CURLOPT_READFUNCTION) { data, size, count, context in
            Transfer.of(context)?.send(to: data, size * count) ?? 0
        }
        _ = lamplighterCurlSetConnected(easy) { context, _, _, _, _ in
            Transfer.of(context)?.noteActivity()
            return CURL_PREREQFUNC_OK
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What libcurl calls

    private func noteActivity() {
        isConnected = true
        lastActivity = .now
    }

    private func take(header data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        noteActivity()
        headSize += count
        guard !isHeadTooLarge else { return 0 }
        var line = UnsafeRawBufferPointer(start: data, count: count)[...]
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
        if line.starts(with: "HTTP/".utf8) {
            // Of several responses, such as 100 and then 200, the last one counts.
            head = AnswerHead(statusLine: String(decoding: line, as: UTF8.self))
            isHeadComplete = false
            body = []
            bodySize = 0
        } else if line.isEmpty {
            isHeadComplete = true
        } else if !isHeadComplete {
            head?.add(line: line)
        }
        return count
    }

    private func take(body data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        noteActivity()
        bodySize += count
        guard let data, bodySize <= maximumSize else {
            isTooLarge = true
            return 0
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: count)
        if let onPart, let head { onPart(head, Array(bytes)) } else { body.append(contentsOf: bytes) }
        return count
    }

    private func send(to buffer: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        noteActivity()
        guard let buffer else { return 0 }
        let count = min(size, upload.count - sent)
        upload[sent..<sent + count].withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: size).copyMemory(from: bytes)
        }
        sent += count
        return count
    }

    // MARK: Its end

    /// Returns the error of the transfer.
    ///
    /// - Parameter code: the result, which is not `CURLE_OK`.
    public func failure(_ code: CURLcode) -> TransferError {
        TransferError(code, of: self)
    }
}

/// The source of those transfer options that do not differ by transfer, for handles that always serve the same settings of TLS and proxies.
public struct TransferSetup: Equatable {
    let method: String
    /// `scheme://host:port`.
    let origin: String
    let hasBody: Bool
    /// In milliseconds.
    let connectTimeout: Int

    public init(method: String, origin: String, hasBody: Bool, connectTimeout: Int) {
        (self.method, self.origin, self.hasBody, self.connectTimeout) = (method, origin, hasBody, connectTimeout)
    }
}
