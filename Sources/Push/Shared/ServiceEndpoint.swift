/// Where a push service is reached instead of at its official address: push-sandbox, or a relay in one's own network.
///
/// Only scheme, host and port of a request's address are replaced; the path and the query stay.
public struct ServiceEndpoint: Sendable, Hashable, CustomStringConvertible {
    public let isSecure: Bool
    public let host: String
    public let port: Int

    /// - Returns: nil when `text` is not like `https://localhost:2197`.
    public init?(_ text: String) {
        let scheme = text.hasPrefix("https://") ? "https://" : "http://"
        guard text.hasPrefix(scheme) else { return nil }
        let authority = text.dropFirst(scheme.count)
        guard !authority.isEmpty, !authority.contains(where: { "/?#@".contains($0) || $0.isWhitespace }) else {
            return nil
        }
        let isBracketed = authority.hasPrefix("[")
        let hostEnd =
            isBracketed ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let host = authority[..<(hostEnd ?? authority.endIndex)]
        let rest = authority[host.endIndex...]
        guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { return nil }
        isSecure = scheme == "https://"
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        if rest.isEmpty {
            port = isSecure ? 443 : 80
        } else {
            guard let port = Int(rest.dropFirst()), (1...65535).contains(port) else { return nil }
            self.port = port
        }
    }

    /// Whether it is an address of this machine.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    public var description: String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension ServiceEndpoint {
    /// An address with its scheme, host and port replaced by these; path and query stay byte for byte.
    func replacingOrigin(of url: String) -> String {
        guard let schemeEnd = url.firstRange(of: "://")?.upperBound else { return url }
        let rest = url[schemeEnd...]
        let path = rest.firstIndex { "/?#".contains($0) }.map { rest[$0...] } ?? ""
        return description + (path.hasPrefix("/") ? "" : "/") + path
    }
}
