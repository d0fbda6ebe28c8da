/// The syntax of HTTP headers (RFC 9110, 5).
enum HeaderRules {
    /// Headers that are the transport's own; a script's are dropped.
    static let transport: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Returns true if `name` may name a header or a cookie.
    static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }

    /// Returns the pairs of a `Cookie` header that a script may have made of `Set-Cookie` headers, joined by `, `: without their attributes.
    ///
    /// The comma of a date separates nothing, since no name and `=` follow it.
    static func cookiePairs(_ value: String) -> String {
        let cookies = value.replacing(/, (?=[!#$%&'*+\-.^_`|~0-9A-Za-z]+=)/, with: "; ")
        let pairs = cookies.split(separator: ";").map(\.trimmed).filter { pair in
            !pair.isEmpty && !cookieAttributes.contains(pair.prefix { $0 != "=" }.lowercased())
        }
        return pairs.joined(separator: "; ")
    }

    /// The attributes of `Set-Cookie` (RFC 6265 and its successor).
    private static let cookieAttributes: Set = [
        "expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned",
    ]

    /// Returns true if `value` has no control characters. A tab is allowed.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    /// `text` fit for a message of one line.
    static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(80).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) })
    }

    /// The value of `parameter` in a header such as `text/xml; charset="utf-8"`, without quotes.
    static func parameter(_ parameter: String, of value: String) -> String? {
        for piece in value.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")),
                Substring(piece[..<equals]).trimmed.lowercased() == parameter
            else { continue }
            return Substring(piece[piece.index(after: equals)...]).trimmed.trimmingQuotes
        }
        return nil
    }
}

extension StringProtocol {
    /// Without blanks, tabs and line breaks at either end.
    var trimmed: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
        var text = Substring(self)
        while let last = text.utf8.last, isBlank(last) { text = Substring(text.utf8.dropLast()) }
        return String(Substring(text.utf8.drop(while: isBlank)))
    }
}

extension String {
    /// Without a pair of double or single quotes around it.
    var trimmingQuotes: String {
        guard utf8.count >= 2, let quote = utf8.first, quote == utf8.last, "\"'".utf8.contains(quote) else {
            return self
        }
        return String(dropFirst().dropLast())
    }
}
