import HTTPTypes
import PushModel

/// The console's cookies in a request.
struct ConsoleCookies {
    private static let prefix = "lamplighter-"

    /// The token of the session.
    private(set) var session: String?
    /// The secret of the login form.
    private(set) var login: String?
    /// The result of the last action, as a sentence.
    private(set) var notice: String?

    init(_ headers: HTTPFields) {
        for pair in headers[values: .cookie].flatMap({ $0.split(separator: ";") }).prefix(100) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1])
            switch parts[0].drop(while: { $0 == " " }) {
            case "\(Self.prefix)console": session = value
            case "\(Self.prefix)login": login = value
            case "\(Self.prefix)notice": notice = PercentEncoding.decode(Substring(value), plusIsBlank: false)
            default: break
            }
        }
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
                "\(prefix)\(name)=\(value ?? ""); Path=\(ConsoleSite.root)\(path); Max-Age=\(value == nil ? 0 : life); HttpOnly; "
                + "SameSite=\(sameSite)\(isSecure ? "; Secure" : "")"
        }
    }
}
