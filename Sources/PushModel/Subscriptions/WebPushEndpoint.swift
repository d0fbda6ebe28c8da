/// The address at which a push service takes messages for one page in one browser (RFC 8030, section 4).
///
/// It comes from the page, so an attacker can choose it, and the server posts to it. Here its syntax is checked; the address of its host is checked
/// when the server connects.
public struct WebPushEndpoint: Sendable, Hashable {
    /// The whole address, with scheme and host in lower case and without the port 443.
    public let url: String
    /// In lower case.
    public let host: String
    public let port: Int

    /// Those of today's push services have up to 500.
    private static let longest = 2048
    /// Names that lead nowhere but into one's own machine or network.
    private static let ownNames: Set = ["localhost", "local", "internal", "localdomain", "lan", "intranet", "home"]

    /// - Throws: ``DeviceTokenError`` when it is not an https address at a public name.
    public init(_ text: String) throws(DeviceTokenError) {
        let scheme = "https://"
        guard text.utf8.count <= Self.longest, text.lowercased().hasPrefix(scheme),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"<>\^`{|}""#.utf8.contains($0) })
        else {
            throw Self.error("the endpoint is not an https address of at most \(Self.longest) bytes")
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest[authority.endIndex...]
        guard !target.contains("#") else { throw Self.error("the endpoint has a fragment") }
        guard !authority.contains("@") else { throw Self.error("the endpoint has user information before its host") }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let portText = authority.dropFirst(host.utf8.count)
        guard portText.isEmpty || portText.first == ":" else { throw Self.error("the endpoint has no host") }
        try Self.check(host)
        guard portText.isEmpty || (portText.dropFirst().allSatisfy(\.isNumber) && portText.utf8.count <= 6),
            let port = portText.isEmpty ? 443 : Int(portText.dropFirst()), (1...65535).contains(port)
        else { throw Self.error("the endpoint's port is not a number from 1 to 65535") }
        self.host = host
        self.port = port
        url = scheme + host + (port == 443 ? "" : ":\(port)") + (target.hasPrefix("/") ? "" : "/") + target
    }

    /// The service's origin, which a token for it names (RFC 8292, section 2).
    public var origin: String { "https://\(host)" + (port == 443 ? "" : ":\(port)") }

    /// Lets names pass and no addresses, however they are spelled: `127.1`, `0x7f000001` and `[::1]` are addresses too.
    private static func check(_ host: String) throws(DeviceTokenError) {
        guard !host.hasPrefix("[") else { throw error("the endpoint's host is an IP address, a name is expected") }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                }
        }
        guard isName, host.utf8.count <= 253, let last = labels.last, let first = last.first else {
            throw error("the endpoint's host is not a name")
        }
        guard first.isLetter else { throw error("the endpoint's host is an IP address, a name is expected") }
        guard labels.count > 1, !ownNames.contains(String(last)), !host.hasSuffix(".home.arpa") else {
            throw error("the endpoint's host is a name of a private network, a public one is expected")
        }
    }

    private static func error(_ reason: String) -> DeviceTokenError {
        DeviceTokenError(platform: .web, reason: reason)
    }
}
