public import struct Foundation.Date

/// One scope that was granted to a client: the name of a realm or of a security test, or `RegisteredClient`.
public struct GrantedScope: Sendable, Hashable {
    /// Without white space.
    public let name: String
    /// The expiry, in whole seconds.
    public let expires: Date
    /// A token without this scope, or in which it has expired, is good for nothing.
    public let isMandatory: Bool
    /// The id of the login that the scope represents; `nil` for a scope that needs none. The verifier of the token must check
    /// that this login still exists.
    public let login: String?

    public init(_ name: String, expires: Date, isMandatory: Bool = false, login: String? = nil) {
        self.name = name
        self.expires = expires
        self.isMandatory = isMandatory
        self.login = login
    }
}
