/// A `connectionPolicy` of type `HTTPConnectionPolicyType` (server-api 5.1).
public struct HTTPConnectionPolicy: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme = "http"
    /// The back end's host; `nil` when the file has none, as with adapters that never call one.
    public var domain: String?
    public var port = 80
    /// `connectionTimeoutInMilliseconds`.
    public var connectionTimeout = 30_000
    /// `socketTimeoutInMilliseconds`: how long the back end may be silent.
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

    public init() {}

    public enum CookiePolicy: String, Sendable, Hashable, CaseIterable {
        case rfc2109 = "RFC_2109"
        case rfc2965 = "RFC_2965"
        case netscape = "NETSCAPE"
        case ignore = "IGNORE_COOKIES"
        case bestMatch = "BEST_MATCH"
    }
}

/// An `authentication` element: how Lamplighter identifies itself to the back end or the proxy.
public struct HTTPAuthentication: Sendable, Hashable {
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        case basic, digest, ntlm
    }

    public let scheme: Scheme
    public let username: String
    public let password: String

    public init(scheme: Scheme, username: String, password: String) {
        self.scheme = scheme
        self.username = username
        self.password = password
    }
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
