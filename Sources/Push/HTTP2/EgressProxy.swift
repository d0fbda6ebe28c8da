/// A proxy through which a push service is reached (`push.*.proxy.*` of worklight.properties, server-api 5.4).
public struct EgressProxy: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An HTTP proxy that takes `CONNECT`.
        case http
        /// SOCKS, version 5.
        case socks
    }

    /// The credentials that the proxy requires.
    public struct Login: Sendable, Hashable {
        public let user: String
        public let password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    public let kind: Kind
    public let host: String
    public let port: Int
    public let login: Login?

    public init(_ kind: Kind, host: String, port: Int, login: Login? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.login = login
    }
}
