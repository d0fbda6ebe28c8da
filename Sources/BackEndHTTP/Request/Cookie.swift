import CCurl

/// A cookie as a back end set it (RFC 6265, 5.3).
struct Cookie: Sendable, Hashable {
    let name: String
    let value: String
    /// In small letters, without a leading dot.
    let domain: String
    /// True if only `domain` itself gets the cookie.
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    /// Seconds since 1970; `nil` lasts as long as the jar.
    let expiry: Double?

    /// `nil` when the header is not a cookie, or one that `origin` must not set.
    init?(header: String, from origin: Origin, path requestPath: String, now: Double) {
        let pieces = header.split(separator: ";", omittingEmptySubsequences: false)
        let pair = pieces[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, header.utf8.count <= 4096 else { return nil }
        name = pair[0].trimmed
        value = pair[1].trimmed
        guard HeaderRules.isToken(name), HeaderRules.isValue(value) else { return nil }

        var domain: String?
        var path: String?
        var isSecure = false
        var age: Double?
        var date: Double?
        for piece in pieces.dropFirst() {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let content = halves.count == 2 ? halves[1].trimmed : ""
            switch halves[0].trimmed.lowercased() {
            case "domain": domain = content.isEmpty ? nil : content.lowercased()
            case "path": path = content
            case "secure": isSecure = true
            case "max-age": age = Double(content) ?? age
            case "expires":
                // In all the spellings that servers use; -1 for a value that is not a date.
                let seconds = curl_getdate(content, nil)
                if seconds != -1 { date = Double(seconds) }
            default: break
            }
        }

        if let asked = domain.map({ $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }), asked != origin.host {
            // Without a list of public suffixes, a single label such as `com` is the least that must be refused.
            guard asked.contains("."), Self.matches(host: origin.host, domain: asked) else { return nil }
            self.domain = asked
            isHostOnly = false
        } else {
            self.domain = origin.host
            isHostOnly = domain == nil || Self.isAddress(origin.host)
        }
        self.path = path.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.defaultPath(requestPath)
        self.isSecure = isSecure
        expiry = age.map { $0 <= 0 ? -1 : now + $0 } ?? date
    }

    /// Returns true if a request for `path` at `origin` carries the cookie.
    func applies(to origin: Origin, path requestPath: String, now: Double) -> Bool {
        guard !isExpired(at: now), !isSecure || origin.scheme == "https" else { return false }
        guard isHostOnly ? origin.host == domain : Self.matches(host: origin.host, domain: domain) else { return false }
        if requestPath == path { return true }
        return requestPath.hasPrefix(path) && (path.hasSuffix("/") || requestPath.dropFirst(path.count).hasPrefix("/"))
    }

    func isExpired(at now: Double) -> Bool { expiry.map { $0 <= now } ?? false }

    /// Returns true if this is the same cookie, perhaps with another value.
    func replaces(_ other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

    private static func matches(host: String, domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") }
    }

    private static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
