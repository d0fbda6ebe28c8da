/// A `connectionPolicy` of type `HTTPConnectionPolicyType` (server-api 5.1).
public struct HTTPConnectionPolicy: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme = "http"
    /// The back end's host; `nil` when the file has none, as with adapters that never call one.
    public var domain: String?
    public var port = 80
    /// `connectionTimeoutInMilliseconds`.
    public var connectionTimeout = 30_000
    /// `socketTimeoutInMilliseconds`: the longest silence of the back end.
    public var socketTimeout = 30_000
    public var cookiePolicy = CookiePolicy.rfc2109
    /// `maxRedirects`; 20 up to 6.2, 10 later.
    public var maxRedirects = 10
    public var authentication: HTTPAuthentication?
    public var proxy: HTTPProxy?
    /// `sslCertificateAlias`, the client certificate's name in the keystore.
    public var sslCertificateAlias: String?
    public var sslCertificatePassword: String?
    /// `maxConcurrentConnectionsPerNode`, from the policy or, up to 6.2, from `loadConstraints`.
    public var maxConcurrentConnections = 50
    /// `connectionPerSession`, which the original does not have: true if a kept connection serves the calls of one client session and its users
    /// alone, for a back end that ties a user to a connection.
    public var hasConnectionPerSession = false

    public init() {}

    public enum CookiePolicy: String, Sendable, Hashable, CaseIterable {
        case rfc2109 = "RFC_2109"
        case rfc2965 = "RFC_2965"
        case netscape = "NETSCAPE"
        case ignore = "IGNORE_COOKIES"
        case bestMatch = "BEST_MATCH"
    }
}

/// An `authentication` element: the scheme and credentials with which Lamplighter authenticates to the back end or the proxy.
public struct HTTPAuthentication: Sendable, Hashable {
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        case basic, digest, ntlm
        /// Kerberos. It is read, and calls that need it fail.
        case spnego
    }

    public let scheme: Scheme
    /// `serverIdentity`: the identity of procedures with `connectAs="server"`; `nil` when the file has none.
    public let serverIdentity: HTTPIdentity?

    /// The remedy for a back end that asks for SPNEGO.
    package static let spnegoAdvice =
        "calls of this back end fail: Lamplighter has no spnego (Kerberos); use basic, digest or ntlm, or put a proxy in between "
        + "that authenticates to the back end"

    public init(scheme: Scheme, serverIdentity: HTTPIdentity? = nil) {
        self.scheme = scheme
        self.serverIdentity = serverIdentity
    }

    public init(scheme: Scheme, username: String, password: String) {
        self.init(scheme: scheme, serverIdentity: HTTPIdentity(username: username, password: password))
    }
}

/// A user name and a password for a back end. Its description does not show the password.
public struct HTTPIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// For NTLM with its domain: `DOMAIN/user` or `DOMAIN\user`.
    public let username: String
    public let password: String

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }

    public var description: String { "'\(username)'" }

    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

/// A `proxy` element: the proxy between Lamplighter and the back end.
public struct HTTPProxy: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    public let host: String
    public let port: Int
    public let authentication: HTTPAuthentication?

    public init(scheme: String = "http", host: String, port: Int, authentication: HTTPAuthentication? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.authentication = authentication
    }
}
