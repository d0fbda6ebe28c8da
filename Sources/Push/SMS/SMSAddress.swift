import Core
import PushModel

/// The address of one request to a gateway, taken apart.
struct SMSAddress: Hashable {
    let isSecure: Bool
    /// As in a URL: IPv6 addresses stand in brackets, and the port only where it is not the usual one.
    let authority: String
    /// Path and query, byte for byte.
    let target: String

    /// - Returns: nil when it is not an http or https address with a host.
    init?(_ url: String) {
        let scheme = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let scheme else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@"), authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        isSecure = scheme == "https://"
        self.authority = String(authority)
        let path = rest[authority.endIndex...]
        target = Self.sendable(path.hasPrefix("/") ? String(path) : "/" + path)
    }

    var url: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    /// What cannot stand in a request line is percent-encoded, also in parameters that are said to be encoded already; all
    /// else stays.
    private static func sendable(_ text: String) -> String {
        PercentEncoding.encode(text) { PercentEncoding.isVisible($0) && $0 != UInt8(ascii: "#") }
    }
}
