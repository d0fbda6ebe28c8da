/// A request of a ``TransferClient``.
public struct TransferRequest: Sendable {
    public var method: String
    /// `http://` or `https://`. Path and query are sent byte for byte.
    public var url: String
    /// Besides `Host` and `Content-Length`.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    /// The timeout of the complete response; `nil` for none.
    public var timeout: Duration?
    /// The largest size of the response's body in bytes, after decompression.
    public var maximumSize: Int

    public init(
        _ method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration? = nil, maximumSize: Int = 64 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumSize = maximumSize
    }

    /// The reason why the request line or a field would not be exactly one line; `nil` when each is one.
    var problem: String? {
        let isBlank = { (byte: UInt8) in byte <= 0x20 || byte == 0x7F }
        if method.isEmpty || method.utf8.contains(where: isBlank) { return "the method '\(method)' has a blank" }
        if url.utf8.contains(where: isBlank) { return "the URL has a blank or a control character" }
        let broken = headers.first { name, value in
            name.isEmpty || name.utf8.contains { isBlank($0) || $0 == UInt8(ascii: ":") }
                || value.utf8.contains { [0, 0x0A, 0x0D].contains($0) }
        }
        return broken.map { "the header '\($0.name)' has a line break or no name" }
    }

    /// `scheme://host:port`, and what follows it.
    public var parts: (origin: String, target: String) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, "/") }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let target = url[end...].prefix { $0 != "#" }
        return (String(url[..<end]), target.hasPrefix("/") ? String(target) : "/" + target)
    }
}

/// A complete response.
public struct TransferAnswer: Sendable {
    public let head: AnswerHead
    /// Empty when its parts were asked for as they came.
    public let body: [UInt8]

    public var status: Int { head.status }
    /// The body as a string; invalid UTF-8 is replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
