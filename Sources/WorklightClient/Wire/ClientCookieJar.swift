import Foundation

/// The cookies of one client. Other clients, and the web views of the application, have their own.
struct ClientCookieJar: Sendable {
    struct Cookie: Sendable, Equatable, Codable {
        var name: String
        var value: String
        /// The host that set the cookie; other hosts do not get it.
        var host: String
        var path: String
        var isSecure: Bool
        /// The expiry in seconds since 1970; `nil` for a cookie that is not stored.
        var expires: Double?
    }

    private(set) var cookies: [Cookie]

    init(_ cookies: [Cookie] = []) {
        self.cookies = cookies
    }

    /// The cookies with an expiry, which the client stores for its next run.
    var lasting: [Cookie] { cookies.filter { $0.expires != nil } }

    /// Stores the cookies of `Set-Cookie` headers. A cookie replaces the one with the same name, host and path; an expired cookie removes
    /// it.
    mutating func take(_ headers: [String], from url: URL, now: Date = Date()) {
        for header in headers {
            guard let cookie = Self.parse(header, url: url, now: now) else { continue }
            set(cookie, now: now)
        }
    }

    mutating func set(_ cookie: Cookie, now: Date = Date()) {
        cookies.removeAll { $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path }
        if cookie.expires.map({ $0 > now.timeIntervalSince1970 }) ?? true { cookies.append(cookie) }
    }

    /// Returns the value of the `Cookie` header for a URL; `nil` without cookies.
    func header(for url: URL, now: Date = Date()) -> String? {
        let host = url.host?.lowercased() ?? ""
        let path = url.path.isEmpty ? "/" : url.path
        let fitting = cookies.filter { cookie in
            cookie.host == host && (!cookie.isSecure || url.scheme == "https")
                && (cookie.path == "/" || path == cookie.path || path.hasPrefix(cookie.path.asFolder))
                && (cookie.expires.map { $0 > now.timeIntervalSince1970 } ?? true)
        }
        // RFC 6265 requires the longest path first.
        let sorted = fitting.sorted { $0.path.utf8.count > $1.path.utf8.count }
        return sorted.isEmpty ? nil : sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func parse(_ header: String, url: URL, now: Date) -> Cookie? {
        let parts = header.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), equals != pair.startIndex,
            let host = url.host?.lowercased()
        else { return nil }
        var cookie = Cookie(
            name: String(pair[..<equals]), value: String(pair[pair.index(after: equals)...]), host: host,
            path: defaultPath(url), isSecure: false)
        var maximumAge: Double?
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            let value = halves.count > 1 ? halves[1] : ""
            switch halves.first?.lowercased() {
            case "path" where value.hasPrefix("/"): cookie.path = value
            case "secure": cookie.isSecure = true
            case "max-age": maximumAge = Double(value)
            case "expires": cookie.expires = date(value)?.timeIntervalSince1970
            default: break
            }
        }
        if let maximumAge { cookie.expires = now.timeIntervalSince1970 + maximumAge }
        return cookie
    }

    private static func defaultPath(_ url: URL) -> String {
        guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
        return String(url.path[..<slash])
    }

    /// Parses a date in one of the forms that servers use: old ones write hyphens, newer ones spaces.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEE, dd-MMM-yyyy HH:mm:ss zzz", "EEE, dd-MMM-yy HH:mm:ss zzz"]
        {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}

extension String {
    fileprivate var asFolder: String { hasSuffix("/") ? self : self + "/" }
}
