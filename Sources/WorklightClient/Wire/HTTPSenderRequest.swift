/// A request of ``HTTPSender``, which sends it and brings its answer: no cookies, no redirects, no logins of its own. On Linux libcurl
/// sends, on Apple's systems `URLSession`.
struct HTTPSenderRequest: Sendable {
    var url: String
    var method: String
    /// Of fields with one name the last counts.
    var headers: [WireField]
    var body: [UInt8]?
    /// For the whole answer.
    var timeout: Duration?
}

extension HTTPSenderRequest {
    /// The longest answer that is taken, in bytes after decompression.
    static let longestAnswer = 64 << 20

    /// The headers by name; a name appears once.
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

    /// The answer did not come in time.
    var timedOut: WLError {
        let limit = timeout.map { "within \($0)" } ?? "in time"
        return WLError(WLErrorCodeRequestTimeout, "\(place): no whole answer \(limit)")
    }

    /// The server's certificate is not trusted, or TLS failed otherwise.
    func noTLS(_ reason: String) -> WLError {
        WLError(
            WLErrorCodeUnexpectedError,
            "\(place): no TLS connection, for the server's certificate or its settings are not trusted: \(reason)")
    }
}
