/// A request for ``HTTPSender``, which adds no cookies, follows no redirects and does not log in. It uses libcurl on Linux and
/// `URLSession` on Apple's systems.
struct HTTPSenderRequest: Sendable {
    var url: String
    var method: String
    /// The headers. The last one of several with the same name is sent.
    var headers: [WireField]
    var body: [UInt8]?
    /// The timeout of the complete response; `nil` for no limit.
    var timeout: Duration?
}

extension HTTPSenderRequest {
    /// The maximum length of a response, in bytes after decompression.
    static let longestAnswer = 64 << 20

    /// The headers to send; each name appears once.
    var lastHeaders: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for header in headers {
            fields.removeAll { $0.name.lowercased() == header.name.lowercased() }
            fields.append((header.name, header.value))
        }
        return fields
    }

    /// The URL without its query, for messages.
    var place: Substring { url.prefix { $0 != "?" } }

    /// The error for a response that was not complete before the timeout.
    var timedOut: WLError {
        let limit = timeout.map { "within \($0)" } ?? "in time"
        return WLError(WLErrorCodeRequestTimeout, "\(place): no complete response \(limit)")
    }

    /// Returns the error for a certificate that is not trusted, or for another failure of TLS.
    func noTLS(_ reason: String) -> WLError {
        WLError(
            WLErrorCodeUnexpectedError,
            "\(place): no TLS connection, for the server's certificate or its settings are not trusted: \(reason)")
    }
}
