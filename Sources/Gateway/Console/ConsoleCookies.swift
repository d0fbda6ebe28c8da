import HTTPTypes
import PushModel

/// The console's cookies in a request.
struct ConsoleCookies {
    private static let prefix = "lamplighter-"

    /// The token of the session.
    private(set) var session: String?
    /// The secret of the login form.
    private(set) var login: String?
    /// What the last action did.
    private(set) var notice: ConsoleNotice?

    init(_ headers: HTTPFields) {
        for pair in headers[values: .cookie].flatMap({ $0.split(separator: ";") }).prefix(100) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1])
            switch parts[0].drop(while: { $0 == " " }) {
            case "\(Self.prefix)console": session = value
            case "\(Self.prefix)login": login = value
            case "\(Self.prefix)notice": notice = ConsoleNotice(cookie: value)
            default: break
            }
        }
    }

    /// A cookie to set; `nil` deletes it.
    enum Cookie {
        /// SameSite is Lax: links from other sites open the page that they name, and cannot send forms.
        case session(String?)
        case login(String?)
        case notice(ConsoleNotice?)

        func header(isSecure: Bool) -> String {
            let (name, value, life, path, sameSite) =
                switch self {
                case .session(let token): ("console", token, Int(ManagementSessions.life / .seconds(1)), "", "Lax")
                case .login(let secret): ("login", secret, 3600, "/login", "Strict")
                case .notice(let notice): ("notice", notice?.cookie, 60, "", "Strict")
                }
            return
                "\(prefix)\(name)=\(value ?? ""); Path=\(ConsoleSite.root)\(path); Max-Age=\(value == nil ? 0 : life); HttpOnly; "
                + "SameSite=\(sameSite)\(isSecure ? "; Secure" : "")"
        }
    }
}

/// A sentence about the last action, for the page after it.
struct ConsoleNotice: Sendable {
    let text: String
    let isError: Bool

    init(text: String, isError: Bool) { (self.text, self.isError) = (text, isError) }

    init?(cookie: String) {
        guard let text = PercentEncoding.decode(cookie.dropFirst(), plusIsBlank: false), !text.isEmpty else {
            return nil
        }
        self.init(text: text, isError: cookie.first == "e")
    }

    /// Browsers keep 4 KiB.
    var cookie: String { (isError ? "e" : "n") + PercentEncoding.encode(String(text.prefix(500))) }
}
