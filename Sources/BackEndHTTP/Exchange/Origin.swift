import Core
import Foundation

/// A server's scheme, host and port. Each origin has separate cookies and credentials.
struct Origin: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// In small letters, IPv6 addresses without brackets.
    let host: String
    let port: Int
    /// `host:port` as in URLs.
    let authority: String
    /// The `Host` header: the port only when it is not the scheme's own.
    let hostHeader: String
    let url: String

    init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        authority = Authority(host: self.host, port: port).description
        let isUsualPort = port == (self.scheme == "https" ? 443 : 80)
        hostHeader = isUsualPort ? Authority(host: self.host, port: nil).description : authority
        url = "\(self.scheme)://\(authority)"
    }

    /// Resolves a `Location` header, from `target` at this server; `nil` when it is not an HTTP address.
    func resolve(_ location: String, from target: String) -> (origin: Origin, target: String)? {
        let clean = PercentEncoding.encode(location.trimmed, keeping: PercentEncoding.isVisible)
        guard let base = URL(string: url + target) ?? URL(string: url + "/"),
            let resolved = URL(string: clean, relativeTo: base)?.absoluteURL,
            let parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.encodedHost, !host.isEmpty
        else { return nil }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
        let origin = Origin(scheme: scheme, host: host, port: parts.port ?? (scheme == "https" ? 443 : 80))
        return (origin, path + query)
    }
}
