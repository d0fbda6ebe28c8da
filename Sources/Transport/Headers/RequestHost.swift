import NIOHPACK
import NIOHTTP1

/// Checks that a request names one host (RFC 9112, 3.2; RFC 9113, 8.3.1). With two, a proxy in front and this server could
/// take it for requests to different ones.
enum RequestHost {
    /// HTTP/1.1 requires one `Host`, HTTP/1.0 allows none.
    static func isValid(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        switch hosts.count {
        case 0: return head.version.minor == 0
        case 1: return isName(hosts[0])
        default: return false
        }
    }

    /// HTTP/2 requires `:authority`, `host`, or the same in both.
    static func isValid(_ headers: HPACKHeaders) -> Bool {
        let hosts = headers["host"]
        guard let authority = headers.first(name: ":authority") else { return hosts.count == 1 && isName(hosts[0]) }
        return isName(authority)
            && (hosts.isEmpty || hosts.count == 1 && hosts[0].lowercased() == authority.lowercased())
    }

    /// Whether the text can be a host with a port, as far as it matters here: it holds nothing that ends a host elsewhere.
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
