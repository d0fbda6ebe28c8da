/// Who logged in to which realm: `imf.user` of an id token.
public struct UserIdentity: Sendable, Hashable, Codable {
    public let id: String
    /// The realm.
    public let authBy: String
    public let displayName: String

    public init(id: String, authBy: String, displayName: String) {
        self.id = id
        self.authBy = authBy
        self.displayName = displayName
    }
}
