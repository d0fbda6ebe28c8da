import Core

/// A user of the server: the id, and the realm in which the user is logged in.
///
/// An id alone is not unique: users of two realms may have the same one, and a realm whose login module checks nothing takes any id.
public struct RealmUser: Sendable, Hashable, Comparable {
    /// `nil` for a client without a login, whose ``id`` is the client's own, and for users whom an operator or a back end named.
    public let realm: String?
    /// The id that adapters see as `userId`.
    public let id: String

    public init(id: String, realm: String?) {
        self.id = id
        self.realm = realm
    }

    public static func < (left: RealmUser, right: RealmUser) -> Bool {
        (left.id, left.realm ?? "") < (right.id, right.realm ?? "")
    }

    /// Returns true if a stored row of `id` and `realm` is this user's. If either has no realm, the id decides: the server made it, or an operator or
    /// a back end named it.
    public func matches(id: String, realm: String?) -> Bool {
        id == self.id && (realm == nil || self.realm == nil || realm == self.realm)
    }
}
