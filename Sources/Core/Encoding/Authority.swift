/// A host with an optional port as URLs and `Host` headers have them (RFC 3986, section 3.2): `host`, `host:port`, `[address]` or
/// `[address]:port`. User information is not accepted.
package struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// The host, as written; an IPv6 address without its brackets.
    package let host: String
    /// The port, from 1 to 65535; `nil` for the scheme's default.
    package let port: Int?

    package init(host: String, port: Int?) {
        (self.host, self.port) = (host, port)
    }

    /// - Returns: `nil` when the string is anything else, such as an IPv6 address without brackets, which would be cut at its first colon, or a host
    ///   with a colon and no port.
    package init?(_ text: String) {
        let isBracketed = text.hasPrefix("[")
        guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else {
            return nil
        }
        let host = isBracketed ? text[..<end].dropFirst() : text[..<end]
        let rest = isBracketed ? text[end...].dropFirst() : text[end...]
        let isHost = host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@[]\\".utf8.contains($0) }
        guard isHost, !host.isEmpty, isBracketed == host.contains(":") else { return nil }
        self.host = String(host)
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(digits), number > 0
            else { return nil }
            port = Int(number)
        }
    }

    /// The form in URLs and `Host` headers.
    package var description: String {
        let place = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(place):\($0)" } ?? place
    }
}
