import Core

/// The origin that replaces a push service's official one: push-sandbox, or a relay in the operator's network.
///
/// Only scheme, host and port of a request's address are replaced; the path and the query stay.
public struct ServiceEndpoint: Sendable, Hashable, CustomStringConvertible {
    public let isSecure: Bool
    public let host: String
    public let port: Int

    /// - Returns: nil when `text` is not like `https://localhost:2197`.
    public init?(_ text: String) {
        isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://"),
            let authority = Authority(String(text.dropFirst(isSecure ? "https://".count : "http://".count)))
        else { return nil }
        host = authority.host
        port = authority.port ?? (isSecure ? 443 : 80)
    }

    /// True if it is a loopback address.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    public var description: String {
        "\(isSecure ? "https" : "http")://\(Authority(host: host, port: port))"
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
