import NIOHPACK
import NIOHTTP1

/// Checks that a request names one host (RFC 9112, 3.2; RFC 9113, 8.3.1). With two, a proxy in front and this server could
/// take it for requests to different ones.
enum RequestHost {
    /// Returns the request with its host in `Host` and a target that begins with a path; `nil` when it is malformed.
    ///
    /// HTTP/1.1 requires one `Host`, HTTP/1.0 allows none. A target is a path, `*`, or a whole URL of HTTP, whose host replaces
    /// `Host` (RFC 9112, 3.2).
    static func resolved(_ head: HTTPRequestHead) -> HTTPRequestHead? {
        let hosts = head.headers["host"]
        guard hosts.count == 1 || hosts.isEmpty && head.version.minor == 0, hosts.allSatisfy(isName) else { return nil }
        guard !head.uri.hasPrefix("/"), head.uri != "*" else { return head }
        guard let scheme = head.uri.firstRange(of: "://"),
            ["http", "https"].contains(head.uri[..<scheme.lowerBound].lowercased())
        else { return nil }
        let rest = head.uri[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        guard !host.isEmpty, isName(String(host)) else { return nil }
        var head = head
        head.headers.replaceOrAdd(name: "Host", value: String(host))
        let target = rest[host.endIndex...]
        head.uri = target.hasPrefix("/") ? String(target) : "/\(target)"
        return head
    }

    /// HTTP/2 requires `:authority`, `host`, or the same in both, and a path that is not a whole URL.
    static func isValid(_ headers: HPACKHeaders) -> Bool {
        // CONNECT has no path, and goes nowhere here.
        guard let path = headers.first(name: ":path"), path.hasPrefix("/") || path == "*" else { return false }
        let hosts = headers["host"]
        guard let authority = headers.first(name: ":authority") else { return hosts.count == 1 && isName(hosts[0]) }
        return isName(authority)
            && (hosts.isEmpty || hosts.count == 1 && hosts[0].lowercased() == authority.lowercased())
    }

    /// Makes `:authority` of the one `host` of a request that has no other, as the codec wants it.
    static func withAuthority(_ headers: HPACKHeaders) -> HPACKHeaders {
        var new = HPACKHeaders([(":authority", headers.first(name: "host") ?? "")])
        new.add(contentsOf: headers.lazy.filter { $0.name != "host" }.map { ($0.name, $0.value) })
        return new
    }

    /// Returns true if the string can be a host with a port. Checks only that it has no characters that end a host in a URL.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x00...0x20, 0x7F...0xFF: false
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"),
                UInt8(ascii: ","), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""):
                false
            default: true
            }
        }
    }
}
