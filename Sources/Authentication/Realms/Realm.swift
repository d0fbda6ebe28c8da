public import Core

/// A realm in which users log in: its challenge, and the check of the credentials (server-api 5.3).
public struct Realm: Sendable {
    public let name: String
    public let authenticator: Authenticator
    public let loginModule: LoginModule
    /// `expirationInSeconds` of the login module; `nil` when a login holds as long as the session.
    public let expiration: Duration?

    public init(name: String, authenticator: Authenticator, loginModule: LoginModule, expiration: Duration?) {
        self.name = name
        self.authenticator = authenticator
        self.loginModule = loginModule
        self.expiration = expiration
    }
}

/// The way in which a realm asks for a user, named as the classes of the original.
public enum Authenticator: Sendable {
    /// `FormBasedAuthenticator`: a page with a form, posted to `j_security_check`.
    case form(LoginForm)
    /// `BasicAuthenticator`: RFC 7617, with this realm's name for the browser.
    case basic(realm: String)
    /// `HeaderAuthenticator`: a proxy has asked and says who it is in a header.
    case header
    /// `AdapterAuthenticator`: a function of an adapter says what to show, another logs in with `setActiveUser`.
    case adapter(login: AdapterFunction, logout: AdapterFunction?)
    /// `PersistentCookieAuthenticator`: the user is the browser with a cookie of that name, which the server sends once; `nil` for
    /// `WL_PERSISTENT_COOKIE`.
    case persistentCookie(name: String?)
    /// `UserCertificateAuthenticator`: the user whom the client's certificate names.
    case certificate
    /// Ours: `Authorization: Bearer` with an OpenID Connect provider's token.
    case bearer
    /// The project's own, in JavaScript.
    case script(RealmScript)
    /// One that this server does not implement; the reason includes the remedy.
    case unavailable(reason: String)
}

/// The script in place of a Java authenticator or login module of the project's.
public struct RealmScript: Sendable, Hashable {
    /// The name by which the runtime calls it.
    public let name: String
    /// The parameters of its element in authenticationConfig.xml, for `init`.
    public let options: JSONObject
    /// True if the authenticator is called for requests of logged-in users.
    public let seesAuthenticated: Bool
}

/// The login form of a realm.
public struct LoginForm: Sendable, Hashable {
    /// The page of `login-page`, or of `auth-redirect` where that is a file of the project.
    public let page: LoginPage
    /// `auth-redirect`: the address to which the server redirects clients that must log in, instead of sending the page; `nil` for the page.
    public let redirect: Redirect?

    public enum Redirect: Sendable, Hashable {
        /// The name under which the server has the page of the project: the last component of its path.
        case page(name: String)
        /// A page somewhere else.
        case url(String)
    }

    public init(page: LoginPage, redirect: Redirect? = nil) {
        self.page = page
        self.redirect = redirect
    }
}

/// A function that authenticationConfig.xml names as `Adapter.function`. It need not be a declared procedure.
public struct AdapterFunction: Sendable, Hashable, CustomStringConvertible {
    public let adapter: String
    public let function: String

    /// Reads `Adapter.function`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        adapter = String(parts[0])
        function = String(parts[1])
    }

    public var description: String { "\(adapter).\(function)" }
}

/// The identity of a realm's user, as adapters get it from `WL.Server.getActiveUser` and clients in `userInfo`.
public enum IdentityObject {
    /// The identity of a user that a login module knows by name.
    public static func make(name: String, displayName: String? = nil, attributes: [String: String] = [:]) -> JSONValue {
        var object = JSONObject()
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) { object[key] = .string(value) }
        return [
            "userId": .string(name), "displayName": .string(displayName ?? name), "attributes": .object(object),
        ]
    }
}

/// A user's login to a realm. After a logout, or when another user logs in, the realm has another login.
public struct RealmLogin: Sendable, Hashable {
    /// Random, and in no other session.
    public let id: String
    public let realm: String
    /// On the clock's uptime; `nil` when the login holds as long as the session.
    public let deadline: Duration?
}
