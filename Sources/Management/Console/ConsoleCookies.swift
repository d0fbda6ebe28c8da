import Core
import HTTPTypes
import Installation

/// The console's cookies in a request.
struct ConsoleCookies {
    /// Over TLS no other host and no page over plain HTTP can set a cookie of such a name (RFC 6265bis).
    private static func prefix(isSecure: Bool) -> String { (isSecure ? "__Host-" : "") + "lamplighter-" }

    /// The token of the session.
    private(set) var session: String?
    /// The secret of the login form.
    private(set) var login: String?
    /// The result of the last action, as a sentence.
    private(set) var notice: String?

    /// Reads the cookies. Of two cookies with the same name neither counts: one of them may be an attacker's.
    init(_ headers: HTTPFields, isSecure: Bool) {
        let prefix = Self.prefix(isSecure: isSecure)
        var seen: Set<Substring> = []
        var repeated: Set<Substring> = []
        for pair in headers[values: .cookie].flatMap({ $0.split(separator: ";") }).prefix(100) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1])
            let name = parts[0].drop(while: { $0 == " " })
            if !seen.insert(name).inserted { repeated.insert(name) }
            switch name {
            case "\(prefix)console": session = value
            case "\(prefix)login": login = value
            case "\(prefix)notice": notice = PercentEncoding.decode(Substring(value), plusIsBlank: false)
            default: break
            }
        }
        if repeated.contains("\(prefix)console") { session = nil }
        if repeated.contains("\(prefix)login") { login = nil }
        if repeated.contains("\(prefix)notice") { notice = nil }
    }

    /// A cookie to set; `nil` deletes it.
    enum Cookie {
        /// SameSite is Lax: links from other sites open the page that they name, and cannot send forms.
        case session(String?)
        case login(String?)
        case notice(String?)

        func header(isSecure: Bool) -> String {
            let (name, value, life, path, sameSite) =
                switch self {
                case .session(let token): ("console", token, Int(ManagementSessions.life / .seconds(1)), "", "Lax")
                case .login(let secret): ("login", secret, 3600, "/login", "Strict")
                case .notice(let text):
                    // Browsers keep 4 KiB.
                    ("notice", text.map { PercentEncoding.encode(String($0.prefix(500))) }, 60, "", "Strict")
                }
            return
                "\(prefix(isSecure: isSecure))\(name)=\(value ?? ""); Path=\(isSecure ? "/" : ConsoleSite.root + path); Max-Age=\(value == nil ? 0 : life); HttpOnly; "
                + "SameSite=\(sameSite)\(isSecure ? "; Secure" : "")"
        }
    }
}
